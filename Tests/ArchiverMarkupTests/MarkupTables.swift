/// The verdict on every element and attribute, one per line:
/// name, verdict with its reason, what goes in, what comes out. A line feed is written as ⏎.
enum MarkupTables {
  /// HTML Living Standard, section 4, and its obsolete elements (section 16.2).
  static let html = #"""
    a | kept | <a href=/x hreflang=de type=text/html target=_blank ping=/p download rel=me>x</a> | <a href="https://example.org/x" rel="noreferrer noopener">x</a>
    abbr | kept | <abbr title=T>x</abbr> | <abbr title="T">x</abbr>
    address | becomes: a division: the page around it has its own parts | <address>x</address> | <div>x</div>
    area | kept | <img src=i.png usemap=#m><map name=m><area shape=rect coords="0,0,10,10" href=/x alt=A></map> | <img src="https://example.org/dir/i.png" alt="" usemap="#c-m"><map name="c-m"><area shape="rect" coords="0,0,10,10" href="https://example.org/x" rel="noreferrer noopener" alt="A"></map>
    article | becomes: a division: the page around it has its own parts | <article>x</article> | <div>x</div>
    aside | becomes: a division: the page around it has its own parts | <aside>x</aside> | <div>x</div>
    audio | kept | <audio src=s.mp3>old</audio> | <audio src="https://example.org/dir/s.mp3" controls=""></audio>
    b | kept | <b>x</b> | <b>x</b>
    base | dropped: once it has said what addresses are relative to | <base href=https://b.example/><a href=x>y</a> | <a href="https://b.example/x" rel="noreferrer noopener">y</a>
    bdi | kept | <bdi>x</bdi> | <bdi>x</bdi>
    bdo | kept | <bdo dir=rtl>x</bdo> | <bdo dir="rtl">x</bdo>
    blockquote | kept | <blockquote cite=/q>x</blockquote> | <blockquote cite="https://example.org/q">x</blockquote>
    body | unwrapped | <body background=/b.png onload=x text=red>x</body> | x
    br | kept | x<br clear=all>y | x<br>y
    button | words: apart from those around them | a<button type=submit formaction=/x>x</button>b | a x b
    canvas | words: apart from those around them | a<canvas id=c width=9>x</canvas>b | a<span id="c-c"></span> x b
    caption | kept | <table><caption>c</caption><tr><td>x</table> | <table><caption>c</caption><tbody><tr><td>x</td></tr></tbody></table>
    cite | kept | <cite>x</cite> | <cite>x</cite>
    code | kept | <code>x</code> | <code>x</code>
    col | kept | <table><colgroup><col span=2></colgroup><tr><td>x</table> | <table><colgroup><col span="2"></colgroup><tbody><tr><td>x</td></tr></tbody></table>
    colgroup | kept | <table><colgroup span=2><tr><td>x</table> | <table><colgroup span="2"></colgroup><tbody><tr><td>x</td></tr></tbody></table>
    data | unwrapped | <data value=1>x</data> | x
    datalist | dropped: suggestions are not shown | <datalist><option>x</datalist>y | y
    dd | kept | <dl><dt>t<dd>x</dl> | <dl><dt>t</dt><dd>x</dd></dl>
    del | kept | <del datetime=2026-01-01 cite=/w>x</del> | <del datetime="2026-01-01" cite="https://example.org/w">x</del>
    details | kept | <details open name=g><summary>s</summary>x</details> | <details open=""><summary>s</summary>x</details>
    dfn | kept | <dfn title=T>x</dfn> | <dfn title="T">x</dfn>
    dialog | becomes: a division: the page around it has its own parts | <dialog open>x</dialog> | <div>x</div>
    div | kept | <div>x</div> | <div>x</div>
    dl | kept | <dl><div><dt>t<dd>x</div></dl> | <dl><dt>t</dt><dd>x</dd></dl>
    dt | kept | <dl><dt>x</dl> | <dl><dt>x</dt></dl>
    em | kept | <em>x</em> | <em>x</em>
    embed | shown: as a link: nothing foreign runs in a page | <embed src=/e>x | <p class="embed"><a href="https://example.org/e" rel="noreferrer noopener">Embedded content: https://example.org/e</a></p>x
    embed | shown: as the image it is | <embed src=/e.svg type=image/svg+xml>x | <img src="https://example.org/e.svg" alt="">x
    fieldset | becomes: a division: the page around it has its own parts | <fieldset disabled>x</fieldset> | <div>x</div>
    figcaption | kept | <figure><figcaption>x</figcaption></figure> | <figure><figcaption>x</figcaption></figure>
    figure | kept | <figure><img src=i.png></figure> | <figure><img src="https://example.org/dir/i.png" alt=""></figure>
    footer | becomes: a division: the page around it has its own parts | <footer>x</footer> | <div>x</div>
    form | becomes: a division: the page around it has its own parts | <form action=/f method=post>x</form> | <div>x</div>
    h1 | becomes: one level lower: the page's title is the first | <h1>x</h1> | <h2 id="c-x">x</h2>
    h2 | kept | <h2>x</h2> | <h2 id="c-x">x</h2>
    h3 | kept | <h3>x</h3> | <h3 id="c-x">x</h3>
    h4 | kept | <h4>x</h4> | <h4 id="c-x">x</h4>
    h5 | kept | <h5>x</h5> | <h5 id="c-x">x</h5>
    h6 | kept | <h6>x</h6> | <h6 id="c-x">x</h6>
    head | unwrapped | <head><meta charset=utf-8></head>x | x
    header | becomes: a division: the page around it has its own parts | <header>x</header> | <div>x</div>
    hgroup | becomes: a division: the page around it has its own parts | <hgroup><h2>x</h2><p>y</hgroup> | <div><h2 id="c-x">x</h2><p>y</p></div>
    hr | kept | x<hr id=a noshade>y | x<hr id="c-a">y
    html | unwrapped | <html manifest=x>x</html> | x
    i | kept | <i>x</i> | <i>x</i>
    iframe | shown: as a link: nothing foreign runs in a page | <iframe src=/f>old</iframe> | <p class="embed"><a href="https://example.org/f" rel="noreferrer noopener">Embedded content: https://example.org/f</a></p>
    iframe | unwrapped: a document in an attribute is a part of this one | <iframe srcdoc="<p>x<script>1</script>"></iframe> | <div><p>x</p></div>
    img | kept | <img src=i.png alt=A title=T width=3 height=4 loading=eager ismap longdesc=/l crossorigin fetchpriority=high attributionsrc=/a> | <img src="https://example.org/dir/i.png" alt="A" title="T" width="3" height="4">
    input | dropped: what somebody typed is not the author's | <input type=text value=x>y | y
    input | words: what shows its state, or its caption | <input type=checkbox checked> x | ☑ x
    input | words: what shows its state, or its caption | <input type=radio> x | ○ x
    input | words: what shows its state, or its caption | a<input type=submit value=x formaction=/f>b | a x b
    input | shown: as the image it is | <input type=image src=i.png alt=A> | <img src="https://example.org/dir/i.png" alt="A">
    input | dropped: what somebody typed is not the author's | <input type=hidden value=x>y | y
    ins | kept | <ins>x</ins> | <ins>x</ins>
    kbd | kept | <kbd>x</kbd> | <kbd>x</kbd>
    label | unwrapped | <label for=f>x</label> | x
    legend | becomes: a division: the page around it has its own parts | <fieldset><legend>x</legend>y</fieldset> | <div><div>x</div>y</div>
    li | kept | <ol><li value=3>x</ol> | <ol><li value="3">x</li></ol>
    link | dropped: what it asks for is the page's business | <link rel=stylesheet href=/s.css>x | x
    main | becomes: a division: the page around it has its own parts | <main>x</main> | <div>x</div>
    map | kept | <map name=m><p>text<area href=/x alt=A coords=1,2,3,4></map> | <p>text</p><map name="c-m"><area shape="rect" coords="1,2,3,4" href="https://example.org/x" rel="noreferrer noopener" alt="A"></map>
    mark | kept | <mark>x</mark> | <mark>x</mark>
    math | kept | <math display=block><mi>x</mi></math> | <math display="block"><mi>x</mi></math>
    menu | becomes: a list | <menu><li>x</menu> | <ul><li>x</li></ul>
    meta | dropped: what it asks for is the page's business | <meta http-equiv=refresh content=0>x | x
    meter | unwrapped | <meter value=1>x</meter> | x
    nav | becomes: a division: the page around it has its own parts | <nav>x</nav> | <div>x</div>
    noscript | unwrapped | <noscript><p>x<img src=i.png></noscript> | <p>x<img src="https://example.org/dir/i.png" alt=""></p>
    object | shown: as a link: nothing foreign runs in a page | <object data=/o>x</object> | <p class="embed"><a href="https://example.org/o" rel="noreferrer noopener">Embedded content: https://example.org/o</a></p>x
    object | shown: as the image it is | <object data=/o.svg><img src=i.png alt=A></object> | <img src="https://example.org/dir/i.png" data-src="https://example.org/o.svg" alt="A">
    ol | kept | <ol reversed start=5 type=I compact><li>x</ol> | <ol reversed="" start="5" type="I"><li>x</li></ol>
    optgroup | words: apart from those around them | <select><optgroup label=g><option>x<option>y</optgroup></select> | g: x · y
    option | words: apart from those around them | <select><option value=1>x</option><option selected>y</option><option label=z></option></select> | x · y · z
    output | unwrapped | <output for=f>x</output> | x
    p | kept | <p align=center>x</p> | <p style="text-align:center">x</p>
    picture | becomes: sources of the one image | <picture><source srcset=a.webp type=image/webp><img src=i.png></picture> | <img src="https://example.org/dir/i.png" srcset="https://example.org/dir/a.webp 1.0x" alt="">
    pre | kept | <pre width=80>x⏎ y</pre> | <pre>x y</pre>
    progress | unwrapped | <progress value=1>x</progress> | x
    q | kept | <q cite=/q>x</q> | <q cite="https://example.org/q">x</q>
    rp | kept | <ruby>x<rp>(</rp><rt>y</rt><rp>)</rp></ruby> | <ruby>x<rp>(</rp><rt>y</rt><rp>)</rp></ruby>
    rt | kept | <ruby>x<rt>y</ruby> | <ruby>x<rt>y</rt></ruby>
    ruby | kept | <ruby>x<rt>y</rt></ruby> | <ruby>x<rt>y</rt></ruby>
    s | kept | <s>x</s> | <s>x</s>
    samp | kept | <samp>x</samp> | <samp>x</samp>
    script | dropped | <script>1</script>x | x
    script | becomes: the formula it holds | <script type="math/tex; mode=display">x</script> | <math display="block" alttext="x"><mi>x</mi></math>
    search | becomes: a division: the page around it has its own parts | <search>x</search> | <div>x</div>
    section | becomes: a division: the page around it has its own parts | <section>x</section> | <div>x</div>
    select | words: apart from those around them | a<select><option>x</select>b | a x b
    selectedcontent | dropped: a copy of what follows | <select><button><selectedcontent>x</selectedcontent></button><option>x</select> | x
    slot | unwrapped | <slot name=s>x</slot> | x
    small | kept | <small>x</small> | <small>x</small>
    source | becomes: sources of the one image | <video><source src=v.mp4></video> | <video src="https://example.org/dir/v.mp4" controls=""></video>
    span | kept | <span title=T>x</span> | <span title="T">x</span>
    strong | kept | <strong>x</strong> | <strong>x</strong>
    style | dropped: what it asks for is the page's business | <style>p{}</style>x | x
    sub | kept | <sub>x</sub> | <sub>x</sub>
    summary | kept | <details><summary>s</summary>x</details> | <details><summary>s</summary>x</details>
    sup | kept | <sup>x</sup> | <sup>x</sup>
    svg | words: those of the drawing | <svg><text>x</text><circle r=1 /></svg> | x
    svg | words before a part that is HTML | <svg><text>x</text><foreignObject><p>y</p></foreignObject></svg>z | x<p>y</p>z
    svg | shown: its place, or the picture in it | <svg width=600 height=400><title>T</title></svg> | <img alt="T">
    table | kept | <table border=1 bgcolor=red><tr><td>x</table> | <table><tbody><tr><td>x</td></tr></tbody></table>
    tbody | kept | <table><tbody><tr><td>x</tbody></table> | <table><tbody><tr><td>x</td></tr></tbody></table>
    td | kept | <table><tr><td colspan=2 rowspan=2 headers="a b" nowrap bgcolor=#ffc>x</table> | <table><tbody><tr><td class="tint-yellow" colspan="2" rowspan="2" headers="c-a c-b">x</td></tr></tbody></table>
    template | dropped: a script would use it; that of a shadow root is shown | <template>x</template>y | y
    template | unwrapped: it is shown | <div><template shadowrootmode=open><p>x</template></div> | <div><p>x</p></div>
    textarea | becomes: preformatted text | <textarea>x⏎ <b>y</b></textarea> | <pre>x &lt;b&gt;y&lt;/b&gt;</pre>
    tfoot | kept | <table><tfoot><tr><td>x</tfoot></table> | <table><tfoot><tr><td>x</td></tr></tfoot></table>
    th | kept | <table><tr><th scope=row abbr=a>x</table> | <table><tbody><tr><th scope="row" abbr="a">x</th></tr></tbody></table>
    thead | kept | <table><thead><tr><td>x</thead></table> | <table><thead><tr><td>x</td></tr></thead></table>
    time | kept | <time datetime=2026-01-01>x</time> | <time datetime="2026-01-01">x</time>
    title | dropped: the page has its own | <title>x</title>y | y
    tr | kept | <table><tr valign=top><td>x</table> | <table><tbody><tr style="vertical-align:top"><td>x</td></tr></tbody></table>
    track | shown: as a link: browsers read no subtitles beside a page from disk | <video src=v.mp4><track src=t.vtt srclang=de label=Deutsch><track src=m kind=metadata></video> | <video src="https://example.org/dir/v.mp4" controls=""></video> <a href="https://example.org/dir/t.vtt" rel="noreferrer noopener">Deutsch</a>
    u | kept | <u>x</u> | <u>x</u>
    ul | kept | <ul type=square compact><li>x</ul> | <ul style="list-style-type:square"><li>x</li></ul>
    var | kept | <var>x</var> | <var>x</var>
    video | kept | <video src=v.mp4 poster=p.png width=3 height=4 autoplay loop muted>old</video> | <video src="https://example.org/dir/v.mp4" poster="https://example.org/dir/p.png" width="3" height="4" controls=""></video>
    video | kept | <video poster=p.png><p>x</video> | <video poster="https://example.org/dir/p.png" controls=""></video><p>x</p>
    wbr | kept | x<wbr>y | x<wbr>y
    custom | unwrapped | <x-card is=y>x</x-card> | x
    acronym | becomes: what replaced it | <acronym title=T>x</acronym> | <abbr title="T">x</abbr>
    applet | unwrapped | <applet code=c>x</applet> | x
    basefont | unwrapped | <basefont size=7>x | x
    bgsound | unwrapped | <bgsound src=s.mid>x | x
    big | unwrapped | <big>x</big> | x
    blink | unwrapped | <blink>x</blink> | x
    center | becomes: a division with the alignment | <center>x</center> | <div style="text-align:center">x</div>
    content | unwrapped | <content select=a>x</content> | x
    dir | becomes: a list | <dir><li>x</dir> | <ul><li>x</li></ul>
    element | unwrapped | <element name=x-y>x</element> | x
    fencedframe | unwrapped | <fencedframe src=/x>x</fencedframe> | x
    font | becomes: a span with a colour of ours | <font color=red face=f size=7>x</font> | <span class="ink-red">x</span>
    frame | shown: as a link: nothing foreign runs in a page | <frameset><frame src=/f></frameset> | <p class="embed"><a href="https://example.org/f" rel="noreferrer noopener">Embedded content: https://example.org/f</a></p>
    frameset | unwrapped | <frameset><frame src=/f></frameset> | <p class="embed"><a href="https://example.org/f" rel="noreferrer noopener">Embedded content: https://example.org/f</a></p>
    image | becomes: what parsers make of it | <image src=i.png> | <img src="https://example.org/dir/i.png" alt="">
    isindex | unwrapped | <isindex prompt=p>x | x
    keygen | unwrapped | <keygen>x | x
    listing | becomes: preformatted text | <listing>x⏎ y</listing> | <pre>x y</pre>
    marquee | unwrapped | <marquee onstart=x>x</marquee> | x
    menuitem | unwrapped | <menuitem label=l>x</menuitem> | x
    multicol | unwrapped | <multicol cols=2>x</multicol> | x
    nextid | unwrapped | <nextid n=1>x | x
    nobr | unwrapped | <nobr>x</nobr> | x
    noembed | unwrapped | <noembed><b>x</b></noembed> | <div><b>x</b></div>
    noframes | unwrapped | <noframes><b>x</b></noframes> | <div><b>x</b></div>
    param | unwrapped | <object><param name=movie value=/x>x</object> | x
    plaintext | becomes: preformatted text | <plaintext>x⏎ <i>y</i> | <pre>x &lt;i&gt;y&lt;/i&gt;</pre>
    portal | unwrapped | <portal src=/x>x</portal> | x
    rb | unwrapped | <ruby><rb>x</rb><rt>y</rt></ruby> | <ruby>x<rt>y</rt></ruby>
    rtc | unwrapped | <ruby>x<rtc><rt>y</rt></rtc></ruby> | <ruby>x<rt>y</rt></ruby>
    shadow | unwrapped | <shadow>x</shadow> | x
    spacer | unwrapped | <spacer>x | x
    strike | becomes: what replaced it | <strike>x</strike> | <s>x</s>
    tt | becomes: what replaced it | <tt>x</tt> | <code>x</code>
    xmp | becomes: preformatted text | <xmp>x⏎ <b title=t>y</b><br></xmp> | <pre>x⏎ &lt;b title=t&gt;y&lt;/b&gt;&lt;br&gt;</pre>
    """#

  /// MathML Core and what MathML 3 had besides.
  static let formulas = #"""
    annotation | dropped: the same formula in another notation | <math><semantics><mi>x</mi><annotation encoding=application/x-tex>y</annotation></semantics></math> | <math><mrow><mi>x</mi></mrow></math>
    annotation-xml | dropped: the same formula in another notation | <math><semantics><mi>x</mi><annotation-xml encoding=text/html><b>y</b></annotation-xml></semantics></math> | <math><mrow><mi>x</mi></mrow></math>
    maction | becomes: the nearest of MathML Core | <math><maction actiontype=toggle><mi>x</mi><mi>y</mi></maction></math> | <math><mrow><mi>x</mi><mi>y</mi></mrow></math>
    merror | kept | <math><merror><mi>x</mi></merror></math> | <math><merror><mi>x</mi></merror></math>
    mfrac | kept | <math><mfrac linethickness=0><mi>x</mi><mi>y</mi></mfrac></math> | <math><mfrac linethickness="0"><mi>x</mi><mi>y</mi></mfrac></math>
    mglyph | words: its alternative text | <math><mi><mglyph src=i.png alt=A></mi><mi>x</mi></math> | <math><mi>A</mi><mi>x</mi></math>
    mlabeledtr | becomes: the nearest of MathML Core | <math><mtable><mlabeledtr><mtd><mn>1</mn></mtd></mlabeledtr></mtable></math> | <math><mtable><mtr><mtd><mn>1</mn></mtd></mtr></mtable></math>
    mn | kept | <math><mn>1</mn></math> | <math><mn>1</mn></math>
    mo | kept | <math><mo stretchy=true>+</mo></math> | <math><mo stretchy="true">+</mo></math>
    ms | kept | <math><ms>x</ms></math> | <math><ms>x</ms></math>
    mtext | kept | <math><mtext>x <b>y</b></mtext></math> | <math><mtext>x y</mtext></math>
    mmultiscripts | kept | <math><mmultiscripts><mi>x</mi><none><mn>1</mn><mprescripts><mn>2</mn></none></mmultiscripts></math> | <math><mmultiscripts><mi>x</mi><none></none><mn>1</mn><mprescripts></mprescripts><mn>2</mn></mmultiscripts></math>
    mspace | kept | <math><mi>x</mi><mspace width=1em></mspace><mi>y</mi></math> | <math><mi>x</mi><mspace width="1em"></mspace><mi>y</mi></math>
    mstyle | kept | <math><mstyle mathcolor=red href=/x><mi>x</mi></mstyle></math> | <math><mstyle class="ink-red"><mi>x</mi></mstyle></math>
    mpadded | kept | <math><mpadded width=1em><mi>x</mi></mpadded></math> | <math><mpadded width="1em"><mi>x</mi></mpadded></math>
    mphantom | kept | <math><mphantom><mi>x</mi></mphantom></math> | <math><mphantom><mi>x</mi></mphantom></math>
    mroot | kept | <math><mroot><mi>x</mi><mn>3</mn></mroot></math> | <math><mroot><mi>x</mi><mn>3</mn></mroot></math>
    msqrt | kept | <math><msqrt><mi>x</mi></msqrt></math> | <math><msqrt><mi>x</mi></msqrt></math>
    msub | kept | <math><msub><mi>x</mi><mn>1</mn></msub></math> | <math><msub><mi>x</mi><mn>1</mn></msub></math>
    mtable | kept | <math><mtable><mtr><mtd><mi>x</mi></mtd></mtr></mtable></math> | <math><mtable><mtr><mtd><mi>x</mi></mtd></mtr></mtable></math>
    munderover | kept | <math><munderover><mo>∑</mo><mi>x</mi><mi>y</mi></munderover></math> | <math><munderover><mo>∑</mo><mi>x</mi><mi>y</mi></munderover></math>
    mtr | kept | <math><mtable><mtr><mtd><mn>1</mn></mtd></mtr></mtable></math> | <math><mtable><mtr><mtd><mn>1</mn></mtd></mtr></mtable></math>
    mtd | kept | <math><mtable><mtr><mtd columnspan=2><mn>1</mn></mtd></mtr></mtable></math> | <math><mtable><mtr><mtd columnspan="2"><mn>1</mn></mtd></mtr></mtable></math>
    mi | kept | <math><mi mathvariant=normal>x</mi></math> | <math><mi mathvariant="normal">x</mi></math>
    mrow | kept | <math><mrow><mi>x</mi></mrow></math> | <math><mrow><mi>x</mi></mrow></math>
    msup | kept | <math><msup><mi>x</mi><mn>2</mn></msup></math> | <math><msup><mi>x</mi><mn>2</mn></msup></math>
    msubsup | kept | <math><msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup></math> | <math><msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup></math>
    munder | kept | <math><munder><mo>∑</mo><mi>x</mi></munder></math> | <math><munder><mo>∑</mo><mi>x</mi></munder></math>
    mover | kept | <math><mover><mi>x</mi><mo>¯</mo></mover></math> | <math><mover><mi>x</mi><mo class="math-wide-line">¯</mo></mover></math>
    none | kept | <math><mmultiscripts><mi>x</mi><none></none><mn>1</mn></mmultiscripts></math> | <math><mmultiscripts><mi>x</mi><none></none><mn>1</mn></mmultiscripts></math>
    mprescripts | kept | <math><mmultiscripts><mi>x</mi><mprescripts></mprescripts><mn>1</mn><none></none></mmultiscripts></math> | <math><mmultiscripts><mi>x</mi><mprescripts></mprescripts><mn>1</mn><none></none></mmultiscripts></math>
    semantics | becomes: the nearest of MathML Core | <math><semantics><mi>x</mi><annotation>y</annotation></semantics></math> | <math><mrow><mi>x</mi></mrow></math>
    """#

  /// Global attributes and those of single elements, and properties of inline styles.
  static let attributes = #"""
    accesskey | dropped: the page has no controls | <p accesskey=k>x</p> | <p>x</p>
    autocapitalize | dropped: nothing is typed | <p autocapitalize=on autocorrect=off>x</p> | <p>x</p>
    autofocus | dropped: it would move the page | <p autofocus tabindex=0>x</p> | <p>x</p>
    class | dropped: but for names that the source announces and our own | <p class='x embed tint-red'>x</p> | <p class="embed tint-red">x</p>
    contenteditable | dropped: an archive is read | <p contenteditable>x</p> | <p>x</p>
    data-* | dropped: words between a page and its scripts | <p data-x=1>x</p> | <p>x</p>
    dir | kept | <p dir=RTL>x</p> | <p dir="rtl">x</p>
    draggable | dropped: nothing takes what is dropped | <p draggable=true dropzone=copy>x</p> | <p>x</p>
    enterkeyhint | dropped: nothing is typed | <p enterkeyhint=go inputmode=text virtualkeyboardpolicy=manual writingsuggestions=false spellcheck=true>x</p> | <p>x</p>
    exportparts | dropped: there is no shadow root | <p exportparts=a part=b slot=c>x</p> | <p>x</p>
    headingoffset | dropped: levels are settled here | <p headingoffset=1 headingreset>x</p> | <p>x</p>
    hidden | dropped: what a script would have shown is shown | <p hidden>x</p> | <p>x</p>
    id | kept: with a prefix, once, so that links inside the page lead there | <p id='a b'>x</p><p id='a b'>y</p> | <p id="c-a-b">x</p><p>y</p>
    inert | dropped: its links work | <p inert>x</p> | <p>x</p>
    is | dropped: elements of its own need a script | <p is=x-y>x</p> | <p>x</p>
    itemid | dropped: the facts are in item.json | <p itemscope itemtype=/t itemid=/i itemprop=p itemref=r>x</p> | <p>x</p>
    lang | kept | <p lang=de xml:lang=de>x</p> | <p lang="de">x</p>
    nonce | dropped: no script | <p nonce=n>x</p> | <p>x</p>
    on* | dropped: no script | <p onclick=x oncommand=y onbeforetoggle=z>x</p> | <p>x</p>
    popover | dropped: it would hide the words | <p popover popovertarget=t commandfor=c command=show-modal interestfor=i anchor=a>x</p> | <p>x</p>
    role | dropped: a name for a control, or for what the element says itself | <p role=button aria-label=l aria-hidden=true>x</p> | <p>x</p>
    style | kept: what means something, of a list | <p style='text-align:center;font-weight:bold;position:fixed;top:0;z-index:9'>x</p> | <p style="text-align:center;font-weight:bold">x</p>
    tabindex | dropped: the order of the page is its order | <p tabindex=5>x</p> | <p>x</p>
    title | kept | <p title='T "q" <b>'>x</p> | <p title="T &quot;q&quot; &lt;b&gt;">x</p>
    translate | kept | <p translate=no>x</p> | <p translate="no">x</p>
    xmlns | dropped: parsers know | <p xmlns=http://www.w3.org/2000/svg xlink:href=javascript:1>x</p> | <p>x</p>
    align | kept: as a style | <p align=right>x</p> | <p style="text-align:right">x</p>
    valign | kept: as a style | <table><tr><td valign=bottom>x</td></tr></table> | <table><tbody><tr><td style="vertical-align:bottom">x</td></tr></tbody></table>
    bgcolor | kept: as the nearest colour of the page | <table><tr><td bgcolor=#f00>x</td></tr></table> | <table><tbody><tr><td class="tint-red">x</td></tr></tbody></table>
    type of a list | kept: as a style, or as the type of ol | <ul type=circle><li>x</li></ul> | <ul style="list-style-type:circle"><li>x</li></ul>
    cite | kept: absolute | <blockquote cite=/q>x</blockquote> | <blockquote cite="https://example.org/q">x</blockquote>
    datetime | kept: when it looks like one | <time datetime=2026-01-01>x</time><time datetime='<b>'>y</time> | <time datetime="2026-01-01">x</time><time>y</time>
    usemap | kept: the name gets a prefix, as its map's does | <img src=/i.png usemap=#m> | <img src="https://example.org/i.png" alt="" usemap="#c-m">
    ping | dropped: it would ask for something | <a href=/x ping=/p attributionsrc=/a>x</a> | <a href="https://example.org/x" rel="noreferrer noopener">x</a>
    target | dropped: links leave the frame they stand in | <a href=/x target=_self download=f>x</a> | <a href="https://example.org/x" rel="noreferrer noopener">x</a>
    srcset | kept: absolute | <img srcset='/i.png 2x, javascript:1 3x' alt=A> | <img srcset="https://example.org/i.png 2.0x" alt="A">
    sizes | dropped: one file is kept | <img src=/i.png sizes=100vw loading=lazy decoding=sync fetchpriority=high referrerpolicy=unsafe-url crossorigin longdesc=/l lowsrc=/m dynsrc=/n> | <img src="https://example.org/i.png" alt="">
    autoplay | dropped: a page is silent until asked | <video src=/v.mp4 autoplay loop muted controlslist=nodownload onloadstart=x></video> | <video src="https://example.org/v.mp4" controls=""></video>
    background | dropped: a page's design | <table background=/b.png><tr><td background=/b.png>x</td></tr></table> | <table><tbody><tr><td>x</td></tr></tbody></table>
    width of columns | kept: of a style | <table><colgroup><col style='width:20%'></colgroup><tr><td style='width:9em;height:9em'>x</td></tr></table> | <table><colgroup><col style="width:20%"></colgroup><tbody><tr><td style="width:9em">x</td></tr></tbody></table>
    width of cells | dropped: tables find their own widths | <table width=900><tr><td width=9 height=9>x</td></tr></table> | <table><tbody><tr><td>x</td></tr></tbody></table>
    text-align | kept | <p style="text-align:center">x</p> | <p style="text-align:center">x</p>
    direction | kept | <p style="direction:rtl;unicode-bidi:bidi-override">x</p> | <p style="direction:rtl;unicode-bidi:bidi-override">x</p>
    font-weight | kept | <p style="font-weight: 700 !important">x</p> | <p style="font-weight:700">x</p>
    font-style | kept | <p style="font-style:italic">x</p> | <p style="font-style:italic">x</p>
    font-variant | kept | <p style="font-variant:small-caps">x</p> | <p style="font-variant:small-caps">x</p>
    text-decoration | kept: its line | <p style="text-decoration:underline wavy red">x</p> | <p style="text-decoration:underline">x</p>
    text-transform | kept: it changes the letters that are read | <p style="text-transform:uppercase">x</p> | <p style="text-transform:uppercase">x</p>
    vertical-align | kept | <p style="vertical-align:sub">x</p> | <p style="vertical-align:sub">x</p>
    list-style-type | kept | <p style="list-style-type:lower-greek">x</p> | <p style="list-style-type:lower-greek">x</p>
    white-space | becomes: br and spaces that do not break | <p style="white-space:pre-wrap">x</p> | <p>x</p>
    color | becomes: the nearest of four colours that are readable in light and dark | <p style="color:#c00">x</p> | <p class="ink-red">x</p>
    grey | dropped: somebody's idea of black | <p style="color:#333">x</p> | <p>x</p>
    background-color | becomes: the nearest of four | <p style="background-color:#ffa">x</p> | <p class="tint-yellow">x</p>
    background of both | becomes: text on a background of ours has the page's colour | <p style="color:red;background:#cfc">x</p> | <p class="tint-green">x</p>
    background-image | kept: as a picture of the bundle | <p style="background:url(/b.png)">x</p> | <p style="background-image:url(https://example.org/b.png)">x</p>
    white | dropped: the page's own | <p style="background:#fff;background:transparent">x</p> | <p>x</p>
    font-size | dropped: a reader's choice | <p style="font-size:9px;font-family:f;line-height:9">x</p> | <p>x</p>
    position | dropped: it could lie over the page | <p style="position:fixed;inset:0;z-index:9;opacity:0;transform:scale(9)">x</p> | <p>x</p>
    display | dropped: words are not hidden | <p style="display:none;visibility:hidden;content:'x'">x</p> | <p>x</p>
    float | dropped: the page's own layout | <p style="float:left;margin:9px;padding:9px;border:1px solid;width:9px">x</p> | <p>x</p>
    custom properties | dropped | <p style="--x:url(/x);color:var(--x)">x</p> | <p>x</p>
    expression | dropped | <p style="width:expression(alert(1));behavior:url(/x.htc);-moz-binding:url(/x.xml)">x</p> | <p>x</p>
    image-set | dropped | <p style="background-image:image-set('/x.png' 1x)">x</p> | <p>x</p>
    other addresses | dropped | <p style="list-style-image:url(/x);cursor:url(/x),auto;filter:url(/x);mask:url(/x);border-image:url(/x);shape-outside:url(/x);content:url(/x);src:url(/x);offset-path:url(/x)">x</p> | <p>x</p>
    escapes | dropped: a property in disguise is none | <p style="\63olor:red;b\61ckground:url(/x);background:u\72l(/x)">x</p> | <p>x</p>
    ends | dropped: nothing leaves the attribute | <p style="}*{color:red;/*;color:red*/">x</p> | <p>x</p>
    """#
}
