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

  static let sundial = DemoArticle(
    url: "https://shadowside.example.org/a-sundial-is-not-a-clock",
    title: "A sundial is not a clock",
    siteName: "Shadow Side", authors: ["Edmund Farrant"], published: "2024-01-05",
    saved: "2024-02-01T12:00:00Z", labels: ["astronomy", "gardening", "how-to"], readProgress: 30,
    summary: "It is a small model of the Earth, and you can draw one with a ruler.",
    cover: "sundial",
    html: """
      <section><article>
      <p>People who buy a sundial put it in a nice place, compare it with their telephone, find that it
      is twenty minutes out, and are sorry for it. They have misunderstood. It is not the dial that is
      out.</p>
      \(figure("sundial", "A stone sundial on a pillar among leaves, the shadow pointing left", "Ten in the morning, sun time. The telephone said something else."))
      <h2>A slice of the world</h2>
      <p>The slanting edge, the gnomon, lies along the axis of the Earth. If you were to shrink the planet
      to the size of a melon, and stand it in the garden with its pole towards the Pole Star, the stick
      through the middle would be the gnomon. The sun goes round it once a day, fifteen degrees an hour,
      never hurrying. All the rest is the art of catching the shadow on something flat.</p>
      <h2>Drawing the hours</h2>
      \(figure("dial-angles", "Half dial with hour lines from six to six for 51 degrees north", "Hour lines for 51° north. For your own garden, see below."))
      <p>On a level plate the lines are not evenly spaced. The angle of each from the noon line obeys a
      small rule: its tangent is the sine of your latitude times the tangent of the hours from noon,
      counted fifteen degrees to the hour. At 51° north that comes to:</p>
      <table><thead><tr><th>Hours from noon</th><th>1</th><th>2</th><th>3</th><th>4</th><th>5</th>
      <th>6</th></tr></thead><tbody><tr><td>Angle</td><td>11.8°</td><td>24.2°</td><td>37.9°</td>
      <td>53.4°</td><td>71.0°</td><td>90°</td></tr></tbody></table>
      <h2>Whose noon?</h2>
      \(figure("daylight", "A wheel of bars growing from winter to summer around a sun", "Hours of light through a year, midwinter at the top."))
      <p>When the shadow falls on twelve the sun is due south of <em>you</em>. Not of the capital, not of
      the middle of the time zone. Until the railways came each town had its own noon, and got on with
      it. A sundial is the last thing you own that will tell you what time it is where you are.</p>
      </article></section>
      """)
}
