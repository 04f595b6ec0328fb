extension DemoArticle {
  static let rainyLibrary = DemoArticle(
    url: "https://ame-no-hi.example/toshokan",
    title: "雨の日の図書館", siteName: "雨の日ノート", authors: ["水野 かおり"], language: "ja",
    published: "2026-06-21", saved: "2026-07-07T03:12:40Z", labels: ["日本語", "reading"],
    readProgress: 100, summary: "梅雨の午後、窓ぎわの席で読むということ。", cover: "rain",
    html: """
      <section><article>
      <p><ruby>梅雨<rt>つゆ</rt></ruby>の<ruby>午後<rt>ごご</rt></ruby>、\
      <ruby>町<rt>まち</rt></ruby>の<ruby>小<rt>ちい</rt></ruby>さな\
      <ruby>図書館<rt>としょかん</rt></ruby>へ<ruby>行<rt>い</rt></ruby>きました。\
      <ruby>傘立<rt>かさた</rt></ruby>ては<ruby>満員<rt>まんいん</rt></ruby>なのに、\
      <ruby>中<rt>なか</rt></ruby>はとても<ruby>静<rt>しず</rt></ruby>かです。\
      <ruby>雨<rt>あめ</rt></ruby>の<ruby>音<rt>おと</rt></ruby>だけが\
      <ruby>聞<rt>き</rt></ruby>こえます。</p>
      \(figure("rain", "雨にぬれた窓と、湯気の立つカップと、三冊の本", "窓ぎわの席。"))
      <h2><ruby>窓<rt>まど</rt></ruby>ぎわの<ruby>席<rt>せき</rt></ruby></h2>
      <p><ruby>窓<rt>まど</rt></ruby>ぎわの<ruby>席<rt>せき</rt></ruby>に\
      <ruby>座<rt>すわ</rt></ruby>って、<ruby>古<rt>ふる</rt></ruby>い\
      <ruby>旅<rt>たび</rt></ruby>の<ruby>本<rt>ほん</rt></ruby>を\
      <ruby>開<rt>ひら</rt></ruby>きました。<ruby>前<rt>まえ</rt></ruby>に\
      <ruby>読<rt>よ</rt></ruby>んだ<ruby>人<rt>ひと</rt></ruby>が、\
      <ruby>一枚<rt>いちまい</rt></ruby>の<ruby>切符<rt>きっぷ</rt></ruby>を\
      しおりの<ruby>代<rt>か</rt></ruby>わりに<ruby>残<rt>のこ</rt></ruby>していました。\
      その<ruby>駅<rt>えき</rt></ruby>は、もうありません。</p>
      <p><ruby>急<rt>いそ</rt></ruby>いで<ruby>読<rt>よ</rt></ruby>む\
      <ruby>必要<rt>ひつよう</rt></ruby>はありません。<ruby>雨<rt>あめ</rt></ruby>は\
      まだ<ruby>降<rt>ふ</rt></ruby>っていますし、<ruby>閉館<rt>へいかん</rt></ruby>までは\
      <ruby>三時間<rt>さんじかん</rt></ruby>もあります。</p>
      \(figure("scales", "紺と白の青海波、ところどころに朱色", "青海波(せいがいは)。窓口に掛かっていた布の模様。"))
      <h2><ruby>帰<rt>かえ</rt></ruby>り<ruby>道<rt>みち</rt></ruby></h2>
      <p><ruby>夕方<rt>ゆうがた</rt></ruby>、<ruby>雨<rt>あめ</rt></ruby>がやみました。\
      <ruby>切符<rt>きっぷ</rt></ruby>はもとのページに<ruby>戻<rt>もど</rt></ruby>して、\
      <ruby>本<rt>ほん</rt></ruby>を<ruby>棚<rt>たな</rt></ruby>に\
      <ruby>返<rt>かえ</rt></ruby>しました。<ruby>次<rt>つぎ</rt></ruby>に\
      <ruby>読<rt>よ</rt></ruby>む<ruby>人<rt>ひと</rt></ruby>のために。</p>
      </article></section>
      """)

  static let teaMountain = DemoArticle(
    url: "https://shanjian.example.org/chashan-yitian",
    title: "茶山上的一天", siteName: "山间笔记", authors: ["林晓雨"], language: "zh-CN",
    published: "2025-04-12", saved: "2025-05-20T10:40:00Z", labels: ["中文", "travel"],
    isFavourite: true, summary: "清晨五点上山,傍晚下山,篮子里装着一天的云雾。", cover: "terraces",
    html: """
      <section><article>
      <p>清晨五点,山里的雾还没有散。阿婆已经背好竹篮,站在门口等我。她说,采茶要赶在太阳之前,\
      露水一干,叶子的脾气就变了。</p>
      \(figure("terraces", "晨光中的梯田茶园,三位戴斗笠的采茶人", "谷雨前三天的茶园。"))
      <h2>一芽两叶</h2>
      <p>采茶的规矩只有一句话:一芽两叶,用指肚轻轻提起,不能用指甲掐。听起来容易,我采了一个上午,\
      篮底还看得见竹片;阿婆的篮子却早就满了。她的手好像不用看,自己知道该往哪里去。</p>
      <p>“急什么呢,”她说,“茶树又不会跑。”</p>
      <h2>午后的锅</h2>
      <p>中午,鲜叶摊在竹匾上,屋子里全是青草的味道。下午开始炒茶。铁锅烧到两百多度,手要在叶子和锅\
      之间来回,快一点会生,慢一点会焦。师傅不用温度计,他说手就是温度计。</p>
      <table><thead><tr><th>步骤</th><th>时间</th><th>要点</th></tr></thead><tbody>
      <tr><td>摊青</td><td>六小时</td><td>薄摊,少翻动</td></tr>
      <tr><td>杀青</td><td>八分钟</td><td>高温,抖散水汽</td></tr>
      <tr><td>揉捻</td><td>十五分钟</td><td>先轻后重</td></tr>
      <tr><td>烘干</td><td>两小时</td><td>文火,闻香</td></tr></tbody></table>
      <h2>第一杯</h2>
      <p>傍晚,第一锅茶出来了。我们坐在屋檐下,用玻璃杯泡,看叶子一片一片沉下去。味道很淡,过了一会儿,\
      喉咙里才慢慢有了甜味。阿婆问我好不好喝,我说好喝。她笑了:“你喝的是早上的那片雾。”</p>
      <p>下山的时候天已经黑了。四斤鲜叶,做成一斤干茶;一天的时间,装在一个小小的纸包里。</p>
      </article></section>
      """)
}
