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
}
