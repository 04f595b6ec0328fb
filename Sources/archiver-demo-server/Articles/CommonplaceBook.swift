extension DemoArticle {
  static let commonplaceBook = DemoArticle(
    url: "https://marginalia.example.org/2026/on-keeping-a-commonplace-book",
    title: "On keeping a commonplace book",
    siteName: "Marginalia", authors: ["Tobias Okafor", "Wren Ashby"], published: "2026-09-30",
    saved: "2026-10-21T21:14:03Z", labels: ["notes", "reading"], isFavourite: true,
    readProgress: 100,
    summary:
      "A notebook for other people's sentences, and why copying by hand is a way of thinking.",
    cover: "shelves",
    highlights: [
      Highlight(text: "A sentence you have copied is a sentence you have read at walking pace."),
      Highlight(
        text: "write down why you kept it", color: "blue",
        note: "Started doing this in October. Half of my reasons were “nice”. The other half are "
          + "the best part of the book."),
      Highlight(text: "The index is the book.", color: "green"),
      Highlight(
        text: "nobody has ever regretted a date in a margin", color: "red",
        note: "True for photographs as well!"),
    ],
    html: """
      <section><article>
      <p>Before there were search boxes there was a particular kind of notebook. People carried it to
      sermons and to coffee houses; students were made to keep one; widows left theirs to nieces.
      You wrote in it whatever you did not want to lose: a recipe for ink, two lines of a poem, the
      depth of a well, something a bargeman said. It was called a commonplace book, not because the
      things in it were common, but because it gave them a place in common.</p>
      \(figure("shelves", "Three shelves of old books in brown, green and blue bindings"))
      <h2>Slow reading</h2>
      <p>We have each kept one for years, Tobias in a row of black notebooks and Wren on cards in
      shoe boxes. Neither of us can defend this on grounds of efficiency. You can save a page with
      one tap, and a good thing too; but tapping is not reading.
      A sentence you have copied is a sentence you have read at walking pace. You notice the comma.
      You notice that the adjective you would have used is not there. About one time in five you
      notice that the sentence, which sounded splendid in passing, does not mean anything, and you
      put down the pen and have saved yourself the ink.</p>
      <h2>Three rules, one of which matters</h2>
      <p>Rules for notebooks are like rules for gardens: everyone has some, and the plants do as they
      please. These are ours.</p>
      <ol>
      <li>Copy exactly, with the mistakes.</li>
      <li>Say where it came from, as if to someone who would have to find it again after a fire.</li>
      <li>Underneath, in your own words, write down why you kept it.</li>
      </ol>
      <p>The third is the one that matters. The quotation is a pressed flower; the reason is the
      field. We have both had the experience of opening an old volume and finding a line underlined
      three times, and no idea at all who the person was who had needed it so badly. A single
      sentence would have been enough.</p>
      \(figure("endpaper", "A pattern of rust-coloured leaves and yellow berries on cream", "Endpaper of volume nine. One chooses it for the paper, and says that it was for the binding."))
      <h2>Finding things again</h2>
      <p>Every keeper of such a book discovers after a year or so that it has become useless, because
      it is full. At that point people either stop, or make an index, and those who make an index
      keep going for life. The index is the book. Ours began with the obvious words, <em>rivers</em>,
      <em>grief</em>, <em>bread</em>, and turned by and by into a portrait of two minds: Tobias has
      eleven entries under <em>ladders</em>, and Wren has one under <em>certainty</em>, which says
      “see <em>weather</em>”.</p>
      <p>Put the date beside everything. It costs nothing, and
      nobody has ever regretted a date in a margin.</p>
      <h2>An ending, copied out</h2>
      <p>Wren's grandfather was a lock-keeper who kept his commonplace book in the back of the toll
      ledger, where the company would not look. The last entry is in pencil. It says: “Heron on the
      lower gate again. Did not move for the coal boat. Did not move for me. Shall try to be more
      like that.” There is no source given. We have put it in the index, under <em>patience</em> and
      also under <em>herons</em>.</p>
      </article></section>
      """)
}
