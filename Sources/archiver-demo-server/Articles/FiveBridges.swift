extension DemoArticle {
  static let fiveBridges = DemoArticle(
    url: "https://spans.example.org/four-bridges-and-what-holds-them-up",
    title: "Four bridges and what holds them up",
    siteName: "Spans", authors: ["Ingrid Halloran"], published: "2026-11-12",
    saved: "2026-11-19T07:42:10Z", labels: ["bridges", "engineering"], isFavourite: true,
    readProgress: 35,
    summary:
      "Every bridge answers the same question in its own way: where does the weight go? "
      + "A walk along one estuary, from the viaduct to the cables.",
    cover: "suspension",
    html: """
      <section><article>
      <p>Within an hour's walk of my desk there are four bridges, built over a hundred and sixty
      years, by people who never met, to carry more or less the same thing from one bank to the
      other. They look nothing alike. I used to think that this was fashion. It took a very patient
      engineer, a flask of tea and one low tide to show me that it is grammar.</p>
      <p>“Stop looking at the shape,” she said. “Ask where the weight goes.”</p>
      \(figure("suspension", "A suspension bridge in red over a green estuary, the sun between its towers", "The road bridge at six in the evening. The sun is not part of the structure."))
      <h2>Pull: the suspension bridge</h2>
      <p>Hang a necklace between two hands. It falls into a curve that no one had to calculate, and
      every link in it is being pulled. There is no place in a necklace where anything is pushed or
      bent. That is the whole idea of the big red bridge: the road hangs from the hangers, the
      hangers from the cable, the cable over the towers and down into two blocks of concrete the
      size of churches, which would very much like to slide towards each other and are too heavy to
      do it.</p>
      <p>Steel is wonderful at being pulled. A wire as thick as a pencil will hold a small car. So a
      bridge in which everything is pulled can be thin, and a thin bridge is light, and a light
      bridge can be long. The price is nerves: it moves. In a gale the middle of the deck wanders
      sideways by the width of a door.</p>
      <h2>Push: the viaduct</h2>
      \(figure("viaduct", "A steam train crosses a stone viaduct of many round arches"))
      <p>Turn the necklace upside down and freeze it, and every link that was pulled is now pushed.
      That is an arch. Stone, which comes apart in your hands if you pull it, can be pushed upon for
      two thousand years and not mind. The railway viaduct has eleven arches, and the clever thing
      is that each one leans on the next. Take one away and its neighbours would fall towards the
      gap; so the masons built every fifth pier twice as thick, as a fire door against disaster.</p>
      <blockquote><p>An arch never sleeps. It is pushing on its neighbour at three in the morning,
      with no train in sight.</p></blockquote>
      <h2>Triangles: the truss</h2>
      \(figure("truss", "Blueprint of a two-span truss bridge with its dimensions", "Sheet 4 of 31, redrawn. The yellow members are pulled, the white ones pushed."))
      <p>A square made of four sticks folds flat with a nudge. A triangle cannot: to change an angle
      you would have to change the length of a side. Once you know this you see triangles in cranes,
      roofs, bicycles and the legs of ironing boards. The old swing bridge by the docks is twelve of
      them in a row. Some of its bars are pulled and some are pushed, and a person with a pencil can
      work out which in an afternoon. That afternoon is the reason why trusses took over the world
      in the age of railways.</p>
      <h2>Both: the cable-stayed bridge</h2>
      \(figure("cable-stayed", "A cable-stayed bridge with two slender towers in rose and violet"))
      <p>The new footbridge looks like a suspension bridge that has been to the gym, but the grammar
      is different. Each stay runs straight from the tower to the deck. It pulls the deck up, and
      also a little <em>inwards</em>, so that the deck itself is squeezed along its length like a row
      of books. Pull above, push below, and the two cancel at the tower. It needs no blocks the size
      of churches, which is just as well, because the mud here would not hold them.</p>
      <h2>One drawing to keep</h2>
      \(figure("forces", "A beam, an arch and a cable with arrows for loads and reactions", "Red is the load, green is the ground answering."))
      <p>She drew this for me on the lid of the biscuit tin. I have redrawn it so many times for
      other people that I no longer need the lid, although I have kept it. If you ever stand before
      a bridge and feel that you ought to be understanding something, look for these three, and ask
      where the weight goes.</p>
      <p>The tide came in. We moved our chairs.</p>
      </article></section>
      """)
}
