extension DemoArticle {
  static let backups = DemoArticle(
    url: "https://plainmachines.example/backups-you-can-explain",
    title: "Backups you can explain to your future self",
    siteName: "Plain Machines", authors: ["Jun Castellano"], published: "2025-06-15",
    saved: "2025-07-01T08:30:00Z", labels: ["computing", "how-to"], readProgress: 100,
    summary: "Two disks, one script of twenty lines, and the only step that everyone leaves out.",
    cover: "boxes",
    html: #"""
      <section><article>
      <p>The best backup is not the cleverest. It is the one that a tired person can restore from, at
      night, in some years' time, having forgotten how it was made. That person will be you. Be kind.</p>
      \#(figure("boxes", "Shelves of plain boxes and folders in cream and grey", "The idea, in cardboard."))
      <h2>What you need</h2>
      <ul><li>Two external disks, one of which is always in another building</li>
      <li><code>rsync</code>, which is older than some of your colleagues and more reliable</li>
      <li>A text file called <code>README</code></li></ul>
      <h2>The script</h2>
      <p>Each run makes a folder with the date as its name. Files that have not changed are linked to the
      run before, so they cost no space, and yet every folder is complete in itself.</p>
      <pre><code>#!/bin/sh
      set -eu

      from="$HOME/"
      to="/mnt/backup"
      today=$(date +%Y-%m-%d)

      if [ -e "$to/$today" ]; then
        echo "already done today: $to/$today" &gt;&amp;2
        exit 0
      fi

      rsync -a --delete \
        --exclude-from="$HOME/.backup-exclude" \
        --link-dest="$to/latest" \
        "$from" "$to/$today.partial"

      mv "$to/$today.partial" "$to/$today"
      ln -sfn "$today" "$to/latest"
      </code></pre>
      <p>Note the last two lines. The folder has a temporary name until it is complete. If the power goes
      there will be a <code>.partial</code>, and you can see that it is one. <strong>A backup should
      never look finished when it is not.</strong></p>
      <h2>What to leave out</h2>
      <pre># ~/.backup-exclude
      .cache/
      node_modules/
      .build/
      *.tmp
      Downloads/*.iso</pre>
      <h2>Every night at half past two</h2>
      <pre><code>30 2 * * *  mountpoint -q /mnt/backup &amp;&amp; $HOME/bin/backup</code></pre>
      <p>The <code>mountpoint</code> is there because without it, on the night when the disk is not plugged
      in, you will carefully back up your home folder into your home folder.</p>
      <h2>The step that everyone leaves out</h2>
      <p>Restore something. On the first of each month, pick one file at random and get it back:</p>
      <pre><code>$ cd /mnt/backup/latest
      $ find . -type f | shuf -n 1
      ./letters/2019/landlord.txt
      $ cmp letters/2019/landlord.txt ~/letters/2019/landlord.txt &amp;&amp; echo same
      same</code></pre>
      <p>It takes a minute, and it is the difference between having a backup and having a feeling. Write
      the date of it in the <code>README</code>, below the line that says what all this is and how it was
      made. That line is for you, at night.</p>
      </article></section>
      """#)

  static let footnotes = DemoArticle(
    url: "https://verso.example.org/essays/a-short-history-of-the-footnote",
    title: "A short history of the footnote, with footnotes",
    siteName: "Verso & Recto", authors: ["Hugh Penhallow"],
    published: "2025-09-20", saved: "2025-10-09T20:20:20Z", labels: ["books", "history"],
    readProgress: 100, summary: "On the quarrels that go on at the foot of the page.",
    cover: "page",
    html: """
      <section><article>
      <p>The footnote was invented by people who wished to say two things at once.<sup><a
      href="#fN.7xKd.n1" id="fN.7xKd.r1" rel="nofollow noopener noreferrer">1</a></sup> Before it there
      was the margin, and in the margin there was room for everybody: the scribe, the scribe's teacher,
      a bored reader, a small drawing of a snail fighting a knight.</p>
      \(figure("page", "An open book with a red initial and small notes at the foot of both pages", "The text above, the truth below."))
      <h2>Down from the margin</h2>
      <p>Printing killed the margin. To set a note at the side of a page is slow, fiddly and dear; to set
      it at the bottom costs just a smaller fount and a little arithmetic. So the voices that had stood
      around the text like people around a fire were sent downstairs. There, out of sight, they began to
      talk among themselves.<sup><a href="#fN.7xKd.n2" id="fN.7xKd.r2"
      rel="nofollow noopener noreferrer">2</a></sup></p>
      <h2>The age of showing off</h2>
      <p>By the eighteenth century a history without notes was like a gentleman without a coat. Gibbon put
      his jokes there. Others put their enemies. There is a county history of 1790, in two volumes, in
      which the text on page 211 is one line long, and the rest of the page and the following five are a
      note on the right way to spell the name of a brook.<sup><a href="#fN.7xKd.n3" id="fN.7xKd.r3"
      rel="nofollow noopener noreferrer">3</a></sup></p>
      <h2>Exile</h2>
      <p>Then publishers moved the notes to the end of the book, where they need not be looked at, and
      they are not. An endnote is a door painted on a wall. You must keep two fingers in the book and a
      third free for the tea, and when you arrive it says “<em>Ibid.</em>”</p>
      <p>A page that scrolls has no foot, so one might think that would be the end. It has turned out the
      other way. A small raised number that takes you down, and a small arrow that brings you
      back:<sup><a href="#fN.7xKd.n4" id="fN.7xKd.r4" rel="nofollow noopener noreferrer">4</a></sup> it
      is just what those scribes had wanted.</p>
      <hr/>
      <ol>
      <li id="fN.7xKd.n1">The second of them is usually more interesting.
      <a href="#fN.7xKd.r1" rel="nofollow noopener noreferrer">↩</a></li>
      <li id="fN.7xKd.n2">As here. See also note 3.
      <a href="#fN.7xKd.r2" rel="nofollow noopener noreferrer">↩</a></li>
      <li id="fN.7xKd.n3">Compare note 2. The brook has since been put in a pipe.
      <a href="#fN.7xKd.r3" rel="nofollow noopener noreferrer">↩</a></li>
      <li id="fN.7xKd.n4">You came. Thank you. Now go back up; there is only this one sentence left, and
      it is not as good as the one you were reading.
      <a href="#fN.7xKd.r4" rel="nofollow noopener noreferrer">↩</a></li>
      </ol>
      </article></section>
      """)

  static let bicycle = DemoArticle(
    url: "https://freewheel.example/ten-questions-before-you-buy-an-old-bicycle",
    title: "Ten questions before you buy an old bicycle",
    siteName: "Freewheel", authors: ["Sunniva Dahl"], published: "2025-03-03",
    saved: "2025-06-04T07:07:07Z", labels: ["cycling", "how-to"], readProgress: 10,
    summary: "Answer each for yourself before you open it.", cover: "bicycle",
    html: """
      <section><article>
      <p>Someone is selling a bicycle. It is green, it has a basket, and you have already named it. Before
      you hand over the money, go through these with a cool head. Think first, then open the answer.</p>
      \(figure("bicycle", "A green bicycle with a brown saddle and a basket of flowers", "This one. You would too."))
      <details><summary>1. Lift the front and let it drop from a hand's height. What do you hear?</summary>
      <p>A thump is good. A rattle is the headset, the mudguard or the bell: find out which. The first
      costs an afternoon, the others cost a washer.</p></details>
      <details><summary>2. Spin each wheel and watch the gap to the brake. Does it wander?</summary>
      <p>Up to three millimetres can be trued. More than that, look for a broken spoke. A hop up and down
      means a dented rim, and that is the end of the rim.</p></details>
      <details><summary>3. Put your thumb on the chain and lift. How far does it come?</summary>
      <p>If you see daylight between chain and cog, the chain is worn; and where it has been worn for long
      the cogs are too. Take twenty off the price for each.</p></details>
      <details><summary>4. Run a fingernail round the frame where the tubes meet. Does it catch?</summary>
      <p>Chipped paint is nothing. A line that goes on under the paint is a crack. Walk away. Wave to the
      bicycle, if it helps.</p></details>
      <details><summary>5. Does the seat post move?</summary><p>Ask the seller to move it, not you. A post
      that has rusted in has been that height since the last owner, and so will you.</p></details>
      <details><summary>6. Try to rock the pedals sideways. Is there play?</summary><p>A little click is the
      bottom bracket asking for grease. A big one is asking for a new bottom bracket.</p></details>
      <details><summary>7. Squeeze both brakes and push. Which wheel slides?</summary><p>Neither, ideally.
      Blocks are cheap. Levers that touch the bar are cables, and those are cheap too.</p></details>
      <details><summary>8. Ask where it came from. How long is the answer?</summary><p>“My aunt's; she got
      it from the post office when they went over to vans” is a good answer. “Around” is not.</p></details>
      <details><summary>9. Ride it round the block with no hands on the third side. Where does it go?</summary>
      <p>Straight on: buy it. To the left: have another look at question four. <em>Into the pond:</em> that
      was you.</p></details>
      <details><summary>10. Did you smile?</summary><p>Then the rest is only haggling.</p></details>
      </article></section>
      """)
}
