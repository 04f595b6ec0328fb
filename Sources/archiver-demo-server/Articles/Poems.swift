extension DemoArticle {
  static let threePoems = DemoArticle(
    url: "https://smallhours.example/poems/three-for-the-turning-year",
    title: "Three poems for the turning year",
    siteName: "Small Hours", authors: ["Elspeth Marrin"], published: "2024-12-20",
    saved: "2025-03-21T20:02:00Z", labels: ["poetry"], isFavourite: true, readProgress: 100,
    summary: "For the longest night, for the first mild day, and for the swifts.",
    cover: "moon-hills",
    html: """
      <section><article>
      \(figure("moon-hills", "A full moon over dark hills and a lake that carries its light"))
      <h2>Solstice</h2>
      <p>The year has reached the bottom of its stair<br/>
      and stands there with one hand along the wall.<br/>
      There is no light. It feels about for where<br/>
      the switch should be. It finds no switch at all.</p>
      <p>It does what anybody does who's tried<br/>
      each pocket twice and has no match to strike:<br/>
      sits down. And from the dark on every side<br/>
      come slowly back the things the dark is like:</p>
      <p>a coat with someone in it, and a door<br/>
      left open to a room where people sleep,<br/>
      and snow, that says what it has said before,<br/>
      and all that the deep water has to keep.</p>
      <p>It will get up. It has the stair by heart.<br/>
      One minute more of evening, for a start.</p>
      <h2>First mild day</h2>
      <p>Someone has left the morning out<br/>
      on the line, and it has dried.</p>
      <p>All down the street the windows<br/>
      put their elbows on the sill.</p>
      <p>Even the bicycle in the hedge<br/>
      since October, with its one<br/>
      green shoot,<br/>
      looks as though it might be going somewhere.</p>
      <h2>Swifts</h2>
      <p>They do not come down.<br/>
      That is the thing to know of them. They eat<br/>
      the high thin air, they drink<br/>
      what rain they meet before it thinks of falling;<br/>
      they sleep up there by turns, one half<br/>
      of the mind at a time, as mothers do.</p>
      <p>We have them for the length of a school term.<br/>
      They scream along the gutters, out of breath<br/>
      with news, and every year I mean<br/>
      to ask them what it is, and every year<br/>
      I look up from the washing, and it's quiet.</p>
      </article></section>
      """)
}
