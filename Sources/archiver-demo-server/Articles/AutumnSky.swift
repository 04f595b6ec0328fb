extension DemoArticle {
  static let autumnSky = DemoArticle(
    url: "https://darkfields.example.org/guides/the-autumn-sky-with-your-thumb",
    title: "Learning the autumn sky with nothing but your thumb",
    siteName: "Dark Fields", authors: ["Yusuf Demirel"], published: "2026-09-28",
    saved: "2026-10-04T22:31:55Z", labels: ["night sky", "how-to", "outdoors"], readProgress: 60,
    summary: "No telescope, no app. One hand held at arm's length is a good instrument.",
    cover: "milky-way",
    html: """
      <section><article>
      <p>People who want to learn the stars usually begin by buying something. I would like to talk
      you out of it, at least until the spring. Your hand, held out at the end of your arm, is a
      measuring instrument that you have owned all your life; and as long arms go with big hands, it
      is calibrated for nearly everybody.</p>
      \(figure("milky-way", "The Milky Way over a dark wood, with one lit tent", "From the upper meadow, late September. The tent is ours; the snoring did not come out."))
      <h2>Your instrument</h2>
      <table><thead><tr><th>What you hold up</th><th>What it covers</th><th>Try it on</th></tr></thead>
      <tbody><tr><td>Tip of the little finger</td><td>1°</td><td>The full Moon, which is only half of
      that</td></tr><tr><td>Three middle fingers</td><td>5°</td><td>The two pointer stars of the
      Plough</td></tr><tr><td>Fist</td><td>10°</td><td>The bowl of the Plough</td></tr>
      <tr><td>Thumb to little finger, spread</td><td>20°</td><td>The whole Plough, nearly</td></tr>
      </tbody></table>
      <p>Shut one eye. Yes, you will look foolish. It is dark.</p>
      <h2>Start from the corner of a square</h2>
      <p>In the autumn the best signpost is not the Plough, which is scraping along the hedges, but
      the Great Square of Pegasus, high in the south by ten. It is bigger than you expect, about a
      fist and a half along each side, and emptier: the test of a good night is how many stars you
      can count inside. Four is a town. Ten is a village. If you get to twenty, cancel your
      appointments.</p>
      \(figure("constellations", "A chart of five constellations on a midnight-blue ground", "A chart for the back pocket. Turn it until the long tail points east."))
      <p>From the top left corner of the Square a curved line of stars runs away to the north-east,
      like the string of a kite. Go along it two stars, turn right, up two more faint ones, and stop.
      There is a smudge there. It looks like breath on a window. Look slightly beside it, not at it,
      for the edge of the eye is better in the dark than the middle.</p>
      <p>That is another galaxy. The light you have just caught set out before there was anybody to
      see it. It was on its way for two and a half million years, and in the last billionth of a
      second it was stopped by you, in a field, in a borrowed coat.</p>
      <h2>Let the Moon do the dating</h2>
      \(figure("moon-phases", "Nine phases of the Moon in an arc above a line of fir trees"))
      <p>For faint things you want no Moon at all, so it pays to know its habits. The young Moon is an
      evening creature, lit from the right, and sets soon after the Sun. The full Moon rises as the
      Sun goes down and stays all night like a guest who has missed the last train. After that it
      comes up later each evening, by most of an hour. From about five days after full until a week
      after new, the early night is yours.</p>
      <h2>And if you have a camera</h2>
      \(figure("star-trails", "Stars drawn out into circles around the pole, above a lit watchtower", "Forty minutes with the shutter open. The star that stays where it is, is the one you want."))
      <p>Point it north, prop it on a wall, open the shutter for as long as you can keep from fidgeting.
      It is the only picture that I know of in which you can see the ground move.</p>
      <h2>What to write down</h2>
      <p>Date, hour, place; how many stars in the Square; who was there; what could be heard. You
      will think that you will remember. Owls, mostly. Somebody's dog. The sea, once, eleven miles
      away.</p>
      </article></section>
      """)
}
