extension DemoArticle {
  static let augustGarden = DemoArticle(
    url: "https://slowgarden.example.org/a-garden-that-looks-after-itself",
    title: "A garden that looks after itself in August",
    siteName: "The Slow Garden", authors: ["Philippa Rowntree"], published: "2026-08-02",
    saved: "2026-08-20T09:00:12Z", labels: ["gardening"], readProgress: 100,
    summary: "Plant in the autumn, mulch in the spring, and go away with a clear conscience.",
    cover: "border",
    html: """
      <section><article>
      <p>Every year in the last week of July someone asks me who will water the garden while we are
      away, and every year I enjoy saying: nobody. It was not always so. I used to leave three pages
      of instructions and come back to an apologetic neighbour and a row of brown sticks. The garden
      had been brought up to expect attention, and like anyone brought up in that way it collapsed
      as soon as it was left alone.</p>
      \(figure("border", "A flower border in full summer in reds, pinks and yellows under a low sun", "The long border on the ninth of August. Last watered in May."))
      <h2>Deep roots are a habit</h2>
      <p>A plant that gets a little water each evening keeps its roots where the water is, in the top
      hand's breadth of soil, which is also the first to dry out. A plant that gets a great deal once
      a fortnight and then nothing goes looking. So for the first summer I water rarely and
      shamefully much, a whole can for each plant, and in the second I stop. Some sulk. Some die, and
      I do not replace them with the same thing.</p>
      <h2>Cover the ground</h2>
      <p>Bare soil is a wound, and the garden will heal it with whatever is to hand, usually bindweed.
      In April, after rain, I put down two inches of leaf mould and do not dig it in. By August it is
      gone; the worms have done the digging. If you have no leaf mould, plant something low and
      unambitious that will lie about between the others.</p>
      \(figure("garden-plan", "A garden seen from above: lawn, pond, winding path, beds and three plots", "The plan, coloured by how much I have to do: green nothing, yellow a little, red too much."))
      <h2>What stays and what goes</h2>
      <p>I keep a short list on the shed door. It has changed every winter for fourteen years and I
      think it is nearly right.</p>
      <ul>
      <li><strong>For the hot bank:</strong> lavender, sage, sea holly, anything grey or felted. Grey
      leaves are a parasol.</li>
      <li><strong>For dry shade:</strong> epimedium, cranesbill, ferns with leather coats. It will
      not be a riot, but it will be there.</li>
      <li><strong>For the middle:</strong> achillea, scabious, and the annual poppies that sow
      themselves just where you would not have dared.</li>
      <li><strong>Gone for good:</strong> hydrangeas. I loved them and they were always thirsty, and
      one of us had to leave.</li>
      </ul>
      \(figure("herbarium", "Six pressed sprigs on a sheet, from green to violet", "From the shed door: the six that have never once complained."))
      <h2>The clear conscience</h2>
      <p>We were away for three weeks. When we came back the lawn was the colour of a lion, which
      lawns are allowed to be, and the border was loud with bees. A cucumber had reached the size of
      a dachshund. Nobody had been thirsty, nobody had been in charge, and there was a blackbird on
      the handle of the watering can.</p>
      </article></section>
      """)
}
