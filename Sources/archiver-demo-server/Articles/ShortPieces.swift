extension DemoArticle {
  static let lockGate = DemoArticle(
    url: "https://towpath.example.org/films/how-a-lock-gate-works",
    title: "How a lock gate works, in eight minutes",
    siteName: "Towpath Films", authors: ["Nell Haverstock"], published: "2025-09-01",
    saved: "2025-09-16T19:20:00Z", labels: ["canals", "engineering", "video"], readProgress: 0,
    summary:
      "Two doors, leaning on one another, hold back four hundred tonnes of water with no bolt. "
      + "Filmed over one wet morning at Nether Lock.",
    cover: "lock", kind: .video,
    embed: """
      <iframe src="https://player.towpath.example.org/embed/lock-gate" width="1280" height="720" \
      frameborder="0" allowfullscreen="true" referrerpolicy="strict-origin-when-cross-origin" \
      sandbox="allow-scripts allow-same-origin"></iframe>
      """,
    embedDomain: "player.towpath.example.org")

  static let tidePools = DemoArticle(
    url: "https://photos.shoreline.example/2025/tide-pools-first-light.png",
    title: "Tide pools, first light", siteName: "Shoreline", authors: ["Kaito Brennan"],
    language: "", saved: "2025-05-01T04:58:33Z", labels: ["photography", "sea"],
    isFavourite: true, cover: "pools", kind: .photo)

  static let deadLink = DemoArticle(
    url: "https://harbour-museum.test/leaflets/opening-hours-2019.pdf",
    title: "", siteName: "", language: "", saved: "2023-12-05T15:00:00Z", labels: ["to check"],
    errors: ["cannot load resource"])

  static let nightTram = DemoArticle(
    url: "https://lateedition.example/the-last-number-nine",
    title: "The last number nine",
    siteName: "Late Edition", authors: ["Aleksander Wrona"], published: "2024-07-02",
    saved: "2024-08-28T00:48:00Z", labels: ["city"], isArchived: true, readProgress: 100,
    summary: "Who rides a tram at ten to one in the morning, and where they get off.",
    cover: "night-tram",
    html: """
      <section><article>
      <p>The last number nine leaves the depot end at 0.48 and is at the river by a quarter past one. In
      between it stops nineteen times, mostly for nobody. I rode it every Thursday one spring because I
      could not sleep, and because it was lit.</p>
      \(figure("night-tram", "A red tram with bright windows in front of a dark city", "Car 914, at Tannery Square."))
      <p>You would expect drunks, and there are some, but they are quiet; the tram is like a library in
      that way. The regulars are bakers going in and nurses going home, who sit across from each other
      in the same two seats, one in a clean apron, one in a creased one. They have never spoken as far
      as I know. At Mint Street the nurse gets off, and the baker moves over into the warm seat.</p>
      <p>There was a boy with a cello. There was a woman with a suitcase who rode all the way out, looked
      at the river, and rode all the way back. There was a conductor of the old kind, though conductors
      were abolished in 1989; he had his own punch, and he was very correct, and if you had no ticket he
      gave you one. The driver let him. “He's never a penny short,” she said.</p>
      \(figure("canal", "Gabled houses in many colours along a canal with two boats", "The terminus by day, for those who have only seen it at night."))
      <p>They have changed the timetable now. The last nine goes at ten past midnight, and after that
      there is a bus, which is quicker. I took it once. It was too dark to see who anyone was.</p>
      </article></section>
      """)

  static let bees = DemoArticle(
    url: "https://hivenotes.example.org/the-beekeepers-calendar",
    title: "The beekeeper's calendar",
    siteName: "Hive Notes", authors: ["Rosalind Quayle"], published: "2025-02-10",
    saved: "2025-04-08T10:10:10Z", labels: ["bees", "gardening"], readProgress: 55,
    summary: "Twelve months, most of which consist of leaving them alone.", cover: "honeycomb",
    html: """
      <section><article>
      <p>A hive of bees needs you on about twenty days of the year. The whole skill lies in knowing which
      twenty, and what to do with your hands on the others.</p>
      \(figure("honeycomb", "Honeycomb in amber and brown with seven bees", "Frame four, in June. The dark cells are brood, the pale ones are sealed honey."))
      <h2>Winter: listen</h2>
      <p>From November to February put your ear to the side of the hive and knock once. You want a short
      sharp <em>hush</em>, like a theatre when the lights go down. A long moan means that they have no
      queen. Nothing at all means what you think. Then go indoors and mend frames.</p>
      <h2>Spring: look, briefly</h2>
      <p>On the first day warm enough for shirtsleeves, when the currant is in flower, lift the lid. You
      are looking for eggs: a white comma in the bottom of each cell. If there are eggs there was a
      queen on Tuesday, and you need not see her. Close up. I have known people to keep looking for the
      queen until they had killed her.</p>
      <h2>Summer: make room</h2>
      <p>In May they double, and begin to think about leaving. You cannot argue with a swarm, but you can
      remove its reasons, and the chief reason is want of space. Put on a box before they ask. Every
      tenth day, go through the frames for queen cells, which hang down like peanuts. If it is already
      too late, stand back and enjoy it. There is nothing like the noise.</p>
      <h2>Autumn: give back</h2>
      <p>Take off the honey at the end of July and no later; what comes in after that is theirs. Feed
      until the hive is so heavy that you can only just tip it with one hand. Narrow the door against
      wasps, and mice. Then tell them whatever has happened in the family. I am not superstitious, but
      I do not see what harm it can do, and they are excellent listeners.</p>
      </article></section>
      """)
}
