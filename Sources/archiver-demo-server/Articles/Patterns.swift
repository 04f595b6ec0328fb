extension DemoArticle {
  static let tiles = DemoArticle(
    url: "https://evenspacing.example/four-floors",
    title: "Four floors worth looking down for",
    siteName: "Even Spacing", authors: ["Daria Conti"], published: "2024-06-11",
    saved: "2024-07-21T17:17:00Z", labels: ["mathematics", "patterns"], isArchived: true,
    readProgress: 100,
    summary: "A bathroom, a courtyard, a hallway and a bed: four ways to fill the plane.",
    cover: "truchet",
    html: """
      <section><article>
      <p>I have a stiff neck from a lifetime of looking at floors. Ceilings get all the painters, but a
      ceiling only has to be looked at; a floor has to be <em>finished</em>, right up to the wall, by
      someone on his knees with a fixed number of tiles. Here are four I think about.</p>
      <h2>The bathroom that could not decide</h2>
      \(figure("truchet", "Ribbons of orange, cream and green wander over a dark ground"))
      <p>One tile with two quarter circles, laid any way up. Each time you lay one you have two choices,
      and whichever you take, the curves will meet. The tiler of this bathroom tossed a coin. You can
      prove that no line ever ends except at the skirting board. You can also lie in the bath and follow
      one until the water is cold.</p>
      <h2>The hallway that stands up</h2>
      \(figure("cubes", "Rhombuses in three browns that look like stacked cubes"))
      <p>Three rhombuses in three shades, and you would swear there were steps. The Romans had this floor
      on Delos, and people have been lifting their feet for it ever since. Stare, and it turns inside
      out: the tops become undersides. The dog has never been fooled.</p>
      <h2>The bed</h2>
      \(figure("quilt", "A quilt of stars made from triangles in blue, rust and ochre"))
      <p>It is a floor if you are a cat. The women who pieced these had one rule, waste nothing, and from
      it, by way of half-squares, they found out most of what there is to know about symmetry in the
      plane. There are seventeen ways for a pattern to repeat. My great-aunt's cupboard contained
      fifteen, and she was cross when I told her about the others.</p>
      <h2>The wall that wished it were a floor</h2>
      \(figure("wallpaper", "Sprigs of leaves with red berries on midnight blue"))
      <p>Wallpaper does the same with better manners. Find one berry; find the next that is just like it;
      the step between them is the whole secret. Everything else is leaves put there so that you will
      not notice.</p>
      </article></section>
      """)
}
