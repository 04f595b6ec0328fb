extension DemoArticle {
  static let ryeLoaf = DemoArticle(
    url: "https://thelongtable.example/recipes/rye-loaf-for-people-in-no-hurry",
    title: "A rye loaf for people in no hurry",
    siteName: "The Long Table", authors: ["Marta Lindqvist"], published: "2025-01-18",
    saved: "2026-11-02T18:05:44Z", labels: ["baking", "recipe"], isFavourite: true,
    readProgress: 100,
    summary: "Ten minutes of work, twenty-two hours of leaving it alone.",
    cover: "loaf",
    html: """
      <section><article>
      <p>This bread asks for about ten minutes of your time, spread over a day, and gives you a week
      of breakfasts. I have made it in four kitchens and on one boat. It has failed twice: once
      because I forgot the salt, and once because I went to the seaside and forgot the bread.</p>
      \(figure("loaf", "A dark loaf with pale cuts on a board, two slices leaning against it", "Let it cool. I know. Let it cool anyway."))
      <h2>What goes in</h2>
      <table>
      <thead><tr><th>Ingredient</th><th>One loaf</th><th>Two loaves</th><th>Baker's share</th></tr></thead>
      <tbody>
      <tr><td>Strong wheat flour</td><td>350 g</td><td>700 g</td><td>70 %</td></tr>
      <tr><td>Wholegrain rye flour</td><td>150 g</td><td>300 g</td><td>30 %</td></tr>
      <tr><td>Water, cool</td><td>375 g</td><td>750 g</td><td>75 %</td></tr>
      <tr><td>Lively starter</td><td>75 g</td><td>150 g</td><td>15 %</td></tr>
      <tr><td>Salt</td><td>10 g</td><td>20 g</td><td>2 %</td></tr>
      <tr><td>Caraway, if you like it</td><td>1 tsp</td><td>2 tsp</td><td>—</td></tr>
      </tbody>
      </table>
      <p>The last column is how bakers talk to each other: flour is always a hundred, and everything
      else is measured against it. It means that you can make this with whatever flour is left in
      the bag.</p>
      \(figure("jar", "A jar of starter with a red lid, a blue bowl, a wooden spoon and two lemons", "The starter, four hours after its supper. The lemons are for something else."))
      <h2>What to do</h2>
      <ol>
      <li><strong>Eight in the evening.</strong> Stir the starter into the water until it looks like
      dirty milk. Add the flours and stir with your hand until nothing is dry. Do not knead. Cover
      it and go and read something.</li>
      <li><strong>Nine.</strong> Sprinkle the salt over with a spoonful of water and squeeze it
      through the dough. Wet your hand, take the dough by an edge, pull it up and fold it over. Four
      times, turning the bowl. It will already feel different.</li>
      <li><strong>Half past nine.</strong> Fold it once more. Put it in the coldest place in the
      house that is not outdoors. Good night.</li>
      <li><strong>Morning.</strong> It has doubled, and there are bubbles at the edge of the bowl.
      Tip it on a floured board, shape it as if you were tucking in a child, and put it in a basket
      lined with a floured cloth.</li>
      <li><strong>When you next think of it,</strong> two to four hours on: press it with a finger.
      If the dent comes back slowly, it is ready; if it jumps back, it is not; if it stays, hurry.</li>
      <li><strong>Bake</strong> in a heavy pot with its lid on, in an oven as hot as yours will go,
      for twenty-five minutes; then without the lid at 210 °C until it is darker than you think it
      should be.</li>
      </ol>
      <h2>When it goes wrong</h2>
      <dl>
      <dt>It is flat as a plate</dt><dd>It waited too long in the basket. Slice it thin, toast it,
      call it crispbread.</dd>
      <dt>It is a brick</dt><dd>The starter was asleep. Feed it twice a day for two days and try
      again.</dd>
      <dt>There is a cave under the crust</dt><dd>That is where the baker slept, as my grandmother
      used to say. Shape it a little more firmly.</dd>
      </dl>
      <p>Keep it in a cloth, cut side down on the board. It is best on the second day, which is
      convenient, as on the first it is mostly eaten standing up.</p>
      </article></section>
      """)
}
