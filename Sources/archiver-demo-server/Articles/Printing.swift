extension DemoArticle {
  static let lineOfType = DemoArticle(
    url: "https://inkandfurniture.example/setting-one-line-by-hand",
    title: "Setting one line of type by hand",
    siteName: "Ink & Furniture", authors: ["Bram de Wilde"],
    published: "2026-05-29", saved: "2026-06-14T11:11:11Z", labels: ["letterpress", "typography"],
    readProgress: 80, summary: "Forty-three characters, upside down and backwards, in ten minutes.",
    cover: "type-case",
    html: """
      <section><article>
      <p>The line I set on my first evening was <em>Please shut the gate after the geese.</em> It was
      not literature; the farmer up the road wanted a sign. It took me an hour and twenty minutes.
      The man who taught me could have done it in two, while talking about football.</p>
      \(figure("type-case", "A wooden drawer with fifteen compartments full of metal letters, seen from above", "The lower case. Yes, that is where the word comes from."))
      <h2>The drawer</h2>
      <p>Type lives in a drawer with a compartment for each letter, and the first surprise is that they
      are not in order. The <em>e</em> has the biggest box, right in the middle, under your hand; around
      it are <em>t</em>, <em>a</em>, <em>n</em>, <em>i</em>; and in the far corners, where you have to
      lean, are <em>j</em>, <em>q</em> and <em>z</em>. Someone worked this out in the 1500s by being
      tired. You do not learn it with the head. After a week your arm knows where <em>h</em> is, and if
      I ask you, you have to reach to find out.</p>
      <h2>The stick</h2>
      <p>In your left hand you hold a little steel tray called a stick. Letters go in from left to right
      but upside down, so that you read the line the right way along with every letter standing on its
      head. Each has a notch in its side, the nick. Keep all the nicks towards you and every letter is
      the right way up. In the dark you could set a page by touch, and in the winter of 1947, I am told,
      they did.</p>
      <blockquote><p>Mind your <em>p</em>s and <em>q</em>s, and your <em>b</em>s and your <em>d</em>s,
      and on a bad morning your <em>n</em>s and <em>u</em>s.</p></blockquote>
      \(figure("forme", "Three rows of wooden letters in an iron frame, all of them mirrored", "Wood type locked up for a proof. Hold it to a mirror, if you doubt us."))
      <h2>The spaces</h2>
      <p>Nobody tells you about the spaces. In type, nothing is a thing: a blank piece of lead, which you
      have to pick up and put in. There are thick ones and thin ones and some as thin as a hair, made of
      brass or, in poor shops, cigarette paper. A line must fill the stick so firmly that you can tip it
      and it will not fall, and yet look as if the words had merely wandered in and sat down. That is the
      craft, all of it, and it is done with what will not print.</p>
      <h2>The proof</h2>
      <p>Ink it, lay on a sheet, pull. I had set <em>Please shut the gate after the geeze.</em> A
      <em>z</em> in the <em>s</em> box; whoever had put the type away last had been thinking of
      something else. “Distribution,” my teacher said, and for once did not mention football. “It's the
      other half of the job. You put away each letter as though the next man were you.”</p>
      <p>The farmer liked it, and it is still up. People stop to photograph it. The geese, he says, have
      been no better since.</p>
      </article></section>
      """)

  static let counters = DemoArticle(
    url: "https://xheight.example.org/the-counter-is-the-letter",
    title: "The counter is the letter",
    siteName: "x-height", authors: ["Anneliese Brandt"], published: "2024-09-14",
    saved: "2024-10-02T13:37:00Z", labels: ["typography"], isArchived: true, readProgress: 100,
    summary: "Type designers do not draw black shapes. They trap white ones.",
    cover: "letter-family",
    html: """
      <section><article>
      <p>Ask a child to draw an <em>o</em> and you will get a line that comes back to where it started.
      Ask a type designer, and you will get two shapes: one that is black, which anyone can see, and one
      that is white, on which she will spend the rest of the week.</p>
      \(figure("letter-family", "The letters p b o d q on guide lines, the o in red", "Five letters, one bowl, one stem. Only the o has nowhere to put its stem."))
      <p>The white inside a letter is called the counter. When punches were cut by hand in steel it was
      made first, and with a tool of its own: you hammered the shape of the <em>inside</em> into the
      blank, and only then filed away the outside until there was a letter around it. The counterpunch
      could be used again. So <em>b</em>, <em>d</em>, <em>p</em> and <em>q</em> have the same inside, and
      to this day that is what makes an alphabet look like a family. Not the noses: the rooms behind.</p>
      \(figure("counters", "Only the insides of eighteen letters, in bright colours on dark green", "Read it with the black left out."))
      <h2>Why small type needs big rooms</h2>
      <p>Ink spreads, screens glow and eyes get older, and each of these eats the counter before it eats
      anything else. An <em>e</em> with its eye closed is a <em>c</em> with a moustache. Type for
      telephone books used to be cut with deep notches where strokes meet, ugly as sin at the size of a
      poster, which filled with ink on the press and came out just right. They were drawing the white
      that would be left over.</p>
      <h2>An exercise</h2>
      <p>Take a word in some large size and colour in the counters, and then the spaces between the
      letters, each with a different pencil. If the areas look about equal, the word is well spaced. If
      there is one that you want to call a hole, you have found the place where the reader will
      stumble; and you have found it without reading the word at all.</p>
      </article></section>
      """)
}
