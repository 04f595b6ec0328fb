extension DemoArticle {
  static let yearByTheRiver = DemoArticle(
    url: "https://thelongway.example.org/essays/a-year-of-walking-the-same-river",
    title: "A year of walking the same river",
    siteName: "The Long Way", authors: ["Maren Tollgate"], published: "2026-10-31",
    saved: "2026-11-15T08:15:00Z", labels: ["long read", "nature", "walking"], isFavourite: true,
    readProgress: 45,
    summary:
      "Four miles out, four miles back, every Sunday for fifty-two weeks. "
      + "What changes when the only thing you change is the day.",
    cover: "river-autumn",
    html: """
      <section><article>
      <p>The idea was not mine. It was the doctor's, and what she actually said was “walk more”, but I
      am a person who needs a rule, and so I made one: every Sunday, whatever the weather, from the
      iron bridge at Tarn Lane up to the weir at Hollin Mill and back again. Four miles out, four
      miles home. The same river, the same bank. I was not to go further if it was fine or turn
      round if it was foul. I was allowed a flask.</p>
      <p>I kept it up for a year. I missed one Sunday, of which more later. I had supposed that I
      would get fitter and that I would get bored, and I was half right. What follows is from the
      notebook, tidied a little, since rain had been at it.</p>
      \(yearOfWinter)\(yearOfSpring)\(yearOfSummer)\(yearOfAutumn)
      </article></section>
      """)

  private static let yearOfWinter = """
    <h2 id="Rv.k2Qe.winter">Winter</h2>
    \(figure("river-winter", "A dark river winding through snow between fir trees, a pale sun low over hills", "January, week three. The only footprints were mine, and then a fox's, who was using mine."))
    <h3 id="Rv.k2Qe.january">January: learning to see nothing</h3>
    <p>The first thing you notice about a river in January is that there is nothing to notice. Grey
    water, brown bank, black trees. I walked quickly and thought about the gas bill. On the second
    Sunday I walked quickly and thought about the gas bill in sleet. I remember standing at the weir
    with the flask and doing the sum: fifty more.</p>
    <p>On the third Sunday it had snowed, and the snow did what an editor does. It took out everything
    that was not needed. A dipper on a stone, which had been there all along no doubt, being brown
    among browns, was suddenly the only dark thing in a white mile, and it curtsied. They do that:
    three or four times a minute, for no reason on which the books agree. I stood and was curtsied to
    until my feet hurt.</p>
    <p>After that I slowed down. It turned out that there had not been nothing. There had been a great
    deal, done in a very narrow range of colours.</p>
    <h3 id="Rv.k2Qe.february">February: the flood</h3>
    <p>In the second week of February the river came up two metres in a night and went through the
    allotments. On the Sunday I could get no nearer to the path than the stile at Nether Field, so I
    stood on the stile. That was my walk. A shed went by with its door politely closed. A line of
    fence posts, still wired together, came round the bend like a caterpillar, tried the bridge, and
    went under with a noise that I felt in the wood of the stile rather than heard.</p>
    <p>A man I did not know had come to stand on the other step. We watched for about an hour. “My
    leeks,” he said, once, as something went past, in the voice of a person seeing a celebrity.</p>
    <p>When the water went down it left a line on everything at exactly the same height, on the trees,
    on the pumping station, on the cricket screen, as though someone had ruled it. I have seen that
    line every week since. You could hang pictures by it.</p>
    <h3 id="Rv.k2Qe.march">March: the first of everything</h3>
    <p>March is a month of firsts, and the notebook is insufferable about it. First coltsfoot, on the
    tip by the quarry, where nothing else would be seen dead. First chiffchaff, that small bird with
    a two-note song and no notion of when to stop. First bare ankles: mine, by accident, at the ford.
    First lambs; first person photographing lambs.</p>
    <p>What I had not expected was how much it would matter to have been there for the week before.
    Anyone can see that a blackthorn is in flower. To see that it is in flower <em>today and was not
    last Sunday</em>, you have to have stood about in the sleet. It felt like being let in on
    something. I began to suspect that attention is mostly a matter of attendance.</p>
    """

  private static let yearOfSpring = """
    <h2 id="Rv.k2Qe.spring">Spring</h2>
    \(figure("river-spring", "A blue river through green meadows with blossom trees and small clouds", "The orchard bend in April. It lasts nine days; I counted."))
    <h3 id="Rv.k2Qe.april">April: nine days</h3>
    <p>There was once a house at the bend below Hollin, and all that is left of it is its orchard:
    eleven trees, gone up tall and thin, as people do who are left too long in a waiting room. For
    nine days in April it is the most beautiful place in the county. I know that it is nine because I
    broke my rule, and came on the weekdays too.</p>
    <p>A very old woman was there on the Thursday with a folding chair. She had been born in the house,
    she said, or in the room that used to be above that nettle. The trees had names, not names of
    apples, just names: Doris, the Captain, Aunt Flo. The one that leans is Wilfred. Nobody had ever
    known what sort of apple Wilfred was. They were green and kept till May.</p>
    <p>I wrote all of the names down, with a plan. It seemed to me that I was at that moment the second
    person in the world who knew them, and that this was not enough.</p>
    <h3 id="Rv.k2Qe.may">May: too much</h3>
    <p>In May the path closes in. Cow parsley to the shoulder, nettles to the wrist, everything nodding
    and dripping and in a hurry. Where in January I had been starved of things to look at, now I could
    not get a hundred yards in ten minutes. The notebook gives up on sentences. <em>Orange tips. Mayfly,
    first. Garlic. Kingfisher?? Kingfisher. Heron not pleased. Somebody's hat.</em></p>
    <p>I learned to leave things out, which the snow had done for me before. Each Sunday I picked one
    thing, and looked only at that. One week only what was yellow. One week only edges. The week of
    edges was the best of the whole year: where the water stops and the bank begins, where the shadow
    stops, where the mown part stops and the part begins that the mower could not reach. Everything
    alive, it turned out, was standing at an edge, waiting to see which way it would go.</p>
    <h3 id="Rv.k2Qe.june">June: the missed Sunday</h3>
    <p>My father died on the second Friday in June, and on the Sunday I was two hundred miles away,
    in a kitchen full of people making sandwiches. About eleven o'clock, which was my usual hour, I
    went and stood in the yard. I found that I could do it without being there. Iron bridge; the
    stile with two steps; the pumping station and its line; the ford, the alders, the long straight
    where the wind is; the orchard, with the names. I went all the way to the weir and I came back. It
    took about as long as it takes to drink a cup of tea.</p>
    <p>I have not counted that one as missed.</p>
    """

  private static let yearOfSummer = """
    <h2 id="Rv.k2Qe.summer">Summer</h2>
    \(figure("river-summer", "A river between rows of dark poplars under a bright sky", "July on the long straight. The poplars were planted for matches, and reprieved."))
    <h3 id="Rv.k2Qe.july">July: other people</h3>
    <p>For half a year I had had the river to myself and had come to think that I owned it. In July
    everybody came. There were boys on the weir, in a line, daring each other. There were tents, a
    wedding, a man teaching a dog to swim who clearly could not swim himself. There was music. I
    walked my eight miles in a bad temper with my flask.</p>
    <p>At the ford on the third Sunday two small girls were building a dam. They had been at it since
    breakfast and had reached the stage at which it leaks everywhere at once. They asked me, as an
    adult and thus presumably an engineer, what to do. I said that I thought the water wanted to go
    round the left side. “It <em>always</em> wants to go round the left side,” said the bigger one,
    with feeling. They were right there in it up to the knee, and they knew something about that
    river that I, in thirty Sundays of looking, did not.</p>
    <p>I took my boots off. We did not stop the river. But for quite a while we made it think.</p>
    <h3 id="Rv.k2Qe.august">August: low water</h3>
    <p>By the middle of August one could cross at the ford with dry shoes. The river had drawn back
    into its deepest bed like an old king into the one room he can afford to heat, and all the things
    it had been keeping came to light: bottles, bones, a bedstead, the footings of an older bridge
    that is on no map I have found. A coin, which is on the desk in front of me. It has a ship on one
    side and on the other a face worn so smooth that it could be anybody's.</p>
    <p>Fish lay in the last pools, and a heron went from one to the next like a man doing his rounds.
    I met the man of the leeks again. He was carrying water in two cans from the river to the very
    allotment that it had drowned. He saw me see it. “Well,” he said, “we're on speaking terms.”</p>
    <h3 id="Rv.k2Qe.september">September: the sound comes back</h3>
    <p>You do not hear a river go quiet, since it does so over weeks. You hear it come back. On the
    first Sunday after the rain I stopped at the iron bridge because something was wrong, and what was
    wrong was that I could hear it. I had forgotten. It has three voices on that stretch: a low one at
    the bridge piers, a kind of talking along the straight, and at the weir a single broad chord that
    contains, if you listen for long enough, every piece of music you know.</p>
    <p>I tested this. I stood and asked for several, and there they were.</p>
    """

  private static let yearOfAutumn = """
    <h2 id="Rv.k2Qe.autumn">Autumn</h2>
    \(figure("river-autumn", "Orange poplars along a river under a low sun, a skein of birds above", "The last Sunday in October, about four. They had all turned in one week."))
    <h3 id="Rv.k2Qe.october">October: the colour of leaving</h3>
    <p>I used to think of autumn as something that happens to leaves. From a river it is something
    that goes past you. They come down in ones and twos at first, turning, each with its reflection
    coming up to meet it; then in fleets. At the bend below the orchard there is an eddy where they
    are held for hours, going round and round as slowly as people at a museum, until for no visible
    reason one of them is let go.</p>
    <p>Wilfred bore fourteen apples. I know, because I took one, and brought it in my pocket to the
    old woman's house in Tarn Lane, with the plan of the trees written out fair. Her daughter came to
    the door. I was too late, by three weeks, but she asked me in; and she knew the names too, all
    eleven of them, so I had been wrong about the numbers from the start. We cut the apple into
    three, and left the third piece on the plate. It was sharp enough to make your ears move.</p>
    <h3 id="Rv.k2Qe.november">November: fog</h3>
    <p>There were three Sundays of fog. In fog a river has one bank. You walk along the edge of
    something, and it could be the sea, it could be the end of the world; then a duck says something
    perfectly ordinary out in the middle of it and there you are again, at Nether Field, with wet
    gloves. I could have walked it blindfold by then. I more or less did. My feet knew the loose slab
    and the root. I thought of all the people who must know some stretch of somewhere like that, a
    corridor, a beat, a furrow, and how they would none of them call it knowledge.</p>
    <h3 id="Rv.k2Qe.december">December: the same river</h3>
    <p>And then it was the week before Christmas, and there was nothing to see: grey water, brown bank,
    black trees. The dipper was on its stone. It curtsied. I could have told you which stone.</p>
    <p>People like to say that you cannot step into the same river twice, and it is true, and I have
    the notes to prove it. But it is only half of what I found. The other half is that you cannot do
    it <em>once</em>, either. The first time, you step into water, and it is cold, and you think about
    the gas bill. It is only by the thirtieth time or so that it is a river.</p>
    <h2 id="Rv.k2Qe.kit">What I carried</h2>
    <p>People ask about this more than about anything else, as though it were an expedition. In January
    I had a rucksack with a map, a compass, a first-aid kit, spare socks, binoculars, a bird book, a
    flower book, a whistle and the flask. By the end I had the notebook, a pencil on a string, an apple
    and the flask. The books went first. I found that if I looked a thing up on the spot I stopped
    looking at it; whereas if I had to carry it home in my head, leaf by leaf, I had to look at it
    properly. <em>Square stem. Smells of mint, but tired. Bees in the top half only.</em> I got it wrong
    quite often. The mistakes are the parts I remember.</p>
    <p>The binoculars went in May. They make far things near, and I had begun to be interested in near
    things. The whistle I gave to the boys on the weir, which I regret.</p>
    <h2 id="Rv.k2Qe.count">What I counted</h2>
    <p>I had not meant to count anything, but a person with a pencil on a string will. Fifty-one walks,
    or fifty-two. Four hundred and eight miles, which would have taken me, in a straight line, well out
    into the Atlantic. Forty kinds of bird and one that was either a marsh tit or a willow tit and took
    care never to say which. Nine kingfishers, or one kingfisher nine times. Dippers every week but the
    week of the flood. Three hundred and twelve people to say good morning to, of whom all but six said
    it back; and of those six, one came after me for half a mile, to apologise, and to say that he had
    been thinking about something.</p>
    <p>Seventeen hats, lost, of which eleven were hung on gateposts by the next person along. I think of
    that as the best number in the book. Nobody had arranged it. There was no sign. You see a hat on the
    path and you pick it up, and you put it where whoever comes back for it will be looking.</p>
    \(figure("alpine-lake", "Snowy mountains over a lake at sunrise, birds above", "Not the river. It was on the calendar in the doctor's waiting room, and I stared at it for a whole winter before I ever went for a walk."))
    <h2 id="Rv.k2Qe.after">Afterwards</h2>
    <p>The doctor was pleased. She asked if I meant to go on. I said that I thought I might try the
    other bank.</p>
    """
}
