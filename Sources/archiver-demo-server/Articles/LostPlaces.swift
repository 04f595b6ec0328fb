extension DemoArticle {
  static let lostPlaces = DemoArticle(
    url: "https://thefoldedsheet.example/reading-a-map-of-a-place-that-is-gone",
    title: "How to read a map of a place that is gone",
    siteName: "The Folded Sheet", authors: ["Coralie Fenwick"], published: "2026-08-30",
    saved: "2026-09-12T06:20:31Z", labels: ["history", "maps"], readProgress: 100,
    summary:
      "An island that washed away, a town under a reservoir, a path the bracken took: "
      + "three sheets and what they still know.",
    cover: "island",
    html: """
      <section><article>
      <p>Most maps are asked one question, “how do I get there?”, and are folded up wrongly when they
      have answered it. But in the bottom drawer of every map room there are sheets to which the
      question no longer applies. Nobody can get there. The place has been drowned, or burned, or
      silted up, or has merely been forgotten by everyone at once. These are the sheets I like best,
      because once a map has stopped being useful you can start to hear what it says.</p>
      <h2>The island</h2>
      \(figure("island", "Engraved chart of an island with woods, one road, two villages and a compass rose", "Sandry in the survey of 1787. The last house was taken by the sea in 1911."))
      <p>Look first at what is named. The surveyor of Sandry spent four weeks there and put down
      ninety-one names on an island that you could walk round before lunch: every cove, every rock
      on which a boat had ever been hurt. Inland there are three. You can tell without reading a word
      of history that these people lived with their backs to the land.</p>
      <p>Then look at what is <em>carefully</em> drawn. The single road has its bends, each of them,
      though nothing on wheels ever used it. Somebody walked it with a chain and a boy to hold the
      other end. And where the sheet says only “Moss”, the line goes soft and hurried. He did not
      like the moss.</p>
      <h2>The town</h2>
      \(figure("town", "Plan of a walled town on a river with rings of red-roofed houses", "Aldermouth inside its walls. It lies under nineteen metres of drinking water."))
      <p>Town plans tell you who was in charge. The houses of Aldermouth go in rings round the
      church, as if they were sitting at its feet, until the river cuts in and the rings break. All
      three bridges land on the side of the mill, not on that of the market. If you have ever waited
      in a queue behind a miller's cart you know what that means, and evidently so did the bishop,
      for there are two centuries of letters about it.</p>
      <p>In dry summers the top of the church comes out. People drive up to look at it and are
      disappointed, I think, that it is so much smaller than the place on the plan.</p>
      <h2>The path</h2>
      \(figure("contours", "A contour map in soft greens and browns with a red dashed path and a triangle on a summit"))
      <p>The third sheet shows nothing lost but a footpath. Contour lines are the most honest thing
      on any map, since nobody ever bribed a surveyor to move a hill. Follow the dashes and see how
      they cross the lines: never straight up, always at a slant, easing off before each steep place
      like someone taking a breath. It was not designed. It was voted for, by feet. Put any tired
      person on that slope and they will find the same line to within a yard; last May I did, and
      halfway along, under the bracken, was a row of stepping stones.</p>
      <p>So that is how you read a map of a place that is gone. Count the names. Look for the careful
      line and the hurried one. Ask whom the bridges suit. And then, if there is anything left at all
      to stand on, go there.</p>
      </article></section>
      """)
}
