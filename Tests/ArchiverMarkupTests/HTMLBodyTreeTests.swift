import Testing

@testable import ArchiverMarkup

/// The tree of blocks, forms and formatting elements.
@Suite struct HTMLBodyTreeTests {
  @Test(
    arguments: sides(
      of: #"""
        <p>a<div>b</div>c</p>d => <p>a</p><div>b</div>c<p></p>d
        <p>a<hr>b => <p>a</p><hr></hr>b
        <p><b>a<table><tr><td>b</table>c => <p><b>a</b></p><table><tbody><tr><td>b</td></tr></tbody></table><b>c</b>
        <h1>a<h2>b</h3>c</h1>d => <h1>a</h1><h2>b</h2>cd
        <h1><p>a</h1>b => <h1><p>a</p></h1>b
        <h1><svg><desc><h2>a</h2></desc></svg> => <h1><svg:svg><svg:desc><h2>a</h2></svg:desc></svg:svg></h1>
        <h6>a<h1>b => <h6>a</h6><h1>b</h1>
        <svg><desc><h1>a<h2>b => <svg:svg><svg:desc><h1>a</h1><h2>b</h2></svg:desc></svg:svg>
        <pre>⏎a</pre>⏎b => <pre>a</pre>⏎b
        <pre>⏎⏎a</pre> => <pre>⏎a</pre>
        <listing>⏎a<b>⏎c => <listing>a<b>⏎c</b></listing>
        <textarea>⏎⏎a</textarea>⏎b => <textarea>⏎a</textarea>⏎b
        <pre><b>⏎a</b></pre> => <pre><b>⏎a</b></pre>
        <pre>&#10;a</pre> => <pre>a</pre>
        <p>a<pre>b<p>c => <p>a</p><pre>b<p>c</p></pre>
        <li>a<li>b => <li>a</li><li>b</li>
        <ul><li>a<ul><li>b</ul><li>c</ul> => <ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>
        <ul><li>a<div><li>b</ul> => <ul><li>a<div></div></li><li>b</li></ul>
        <ul><li>a<address><li>b</ul> => <ul><li>a<address></address></li><li>b</li></ul>
        <ul><li>a<p><li>b</ul> => <ul><li>a<p></p></li><li>b</li></ul>
        <ul><li>a<section><li>b</ul> => <ul><li>a<section><li>b</li></section></li></ul>
        <ul><li><b>a<li>b</ul>c => <ul><li><b>a</b></li><li><b>b</b></li></ul><b>c</b>
        <dl><dt>a<dd>b<dd>c<dt>d</dl> => <dl><dt>a</dt><dd>b</dd><dd>c</dd><dt>d</dt></dl>
        <dl><dt>a<div><dd>b</dl> => <dl><dt>a<div></div></dt><dd>b</dd></dl>
        <dl><dd>a<blockquote><dt>b</dl> => <dl><dd>a<blockquote><dt>b</dt></blockquote></dd></dl>
        <dl><dd><li>a<dd>b</dl> => <dl><dd><li>a<dd>b</dd></li></dd></dl>
        <li><dd>a<li>b => <li><dd>a<li>b</li></dd></li>
        <ul><li>a</ul></li>b => <ul><li>a</li></ul>b
        <li>a<ul></li>b</ul>c => <li>a<ul>b</ul>c</li>
        <li>a<ol></li>b => <li>a<ol>b</ol></li>
        <li>a<p>b</li>c => <li>a<p>b</p></li>c
        <dd>a<p>b</dd>c<dt>d</dt>e</dt> => <dd>a<p>b</p></dd>c<dt>d</dt>e
        <dd>a<object></dd>b => <dd>a<object>b</object></dd>
        <dt>a<p>b</dd>c => <dt>a<p>bc</p></dt>
        <div>a<p>b</div>c => <div>a<p>b</p></div>c
        <section>a<i>b</section>c => <section>a<i>b</i></section><i>c</i>
        <div>a<object></div>b => <div>a<object>b</object></div>
        </div>a => a
        <button>a<button>b => <button>a</button><button>b</button>
        <button>a<p>b<button>c => <button>a<p>b</p></button><button>c</button>
        <p>a<button><p>b</button>c</p>d => <p>a<button><p>b</p></button>c</p>d
        <button><p>a</button>b => <button><p>a</p></button>b
        <button>a<object><button>b => <button>a<object><button>b</button></object></button>
        <p>a<plaintext>b</p> => <p>a</p><plaintext>b</p></plaintext>
        <p>a<xmp>b<p>c</xmp>d => <p>a</p><xmp>b<p>c</xmp>d
        <b>a<xmp>b</b>c</xmp>d => <b>a<xmp>b</b>c</xmp>d</b>
        <p><b>a<iframe><p></b></iframe>b => <p><b>a<iframe><p></b></iframe>b</b></p>
        <noembed><p>a</noembed>b => <noembed><p>a</noembed>b
        a</p>b => a<p></p>b
        <p>a</p></p>b => <p>a</p><p></p>b
        <p>a<object></p>b</object>c => <p>a<object><p></p>b</object>c</p>
        <p>a<select></p>b</select>c => <p>a<select><p></p>b</select>c</p>
        <nobr>a<nobr>b => <nobr>a</nobr><nobr>b</nobr>
        <nobr>a<div>b<nobr>c => <nobr>a</nobr><div><nobr>b</nobr><nobr>c</nobr></div>
        <p>a<center>b<p>c</center>d => <p>a</p><center>b<p>c</p></center>d
        <a>b<marquee>c</a>d</marquee>e => <a>b<marquee>cd</marquee>e</a>
        <b>a<object>b</b>c</object>d => <b>a<object>bc</object>d</b>
        <b>a<applet>b</b>c<p>d</applet>e => <b>a<applet>bc<p>d</p></applet>e</b>
        <object>a<p>b</object>c => <object>a<p>b</p></object>c
        </object>a</marquee>b => ab
        <div><object>a</div>b</object>c => <div><object>ab</object>c</div>
        <details><summary>a<p>b</summary>c<p>d</details>e => <details><summary>a<p>b</p></summary>c<p>d</p></details>e
        <address>a<p>b<address>c</address>d</address>e => <address>a<p>b</p><address>c</address>d</address>e
        <dialog><p>a<search>b</search>c</dialog>d => <dialog><p>a</p><search>b</search>c</dialog>d
        <x-a>b<p>c</x-a>d => <x-a>b<p>cd</p></x-a>
        <x-a>b<x-c>d</x-a>e => <x-a>b<x-c>d</x-c></x-a>e
        <x-a><div></x-a>b => <x-a><div>b</div></x-a>
        <x-a><p><li></x-a>b => <x-a><p></p><li>b</li></x-a>
        <span>a<p>b</span>c => <span>a<p>bc</p></span>
        <span>a<b>b</span>c => <span>a<b>b</b></span><b>c</b>
        <x-a>b</x-c>d => <x-a>bd</x-a>
        <x-a>b<x-c>d</x-c>e</x-a>f => <x-a>b<x-c>d</x-c>e</x-a>f
        <ruby>a<rb>b<rtc>c<rt>d<rp>e</ruby>f => <ruby>a<rb>b</rb><rtc>c<rt>d</rt><rp>e</rp></rtc></ruby>f
        <ruby>a<rt>b<rtc>c<rt>d<rb>e</ruby> => <ruby>a<rt>b</rt><rtc>c<rt>d</rt></rtc><rb>e</rb></ruby>
        <ruby><p>a<rt>b</ruby> => <ruby><p>a</p><rt>b</rt></ruby>
        <rt>a<rp>b => <rt>a<rp>b</rp></rt>
        <rtc>a<rb>b => <rtc>a<rb>b</rb></rtc>
        <ruby>a<rtc>b<rp>c<rtc>d</ruby> => <ruby>a<rtc>b<rp>c</rp></rtc><rtc>d</rtc></ruby>
        <image src=x>a => <img src=x></img>a
        <param>a<source>b<track>c => <param></param>a<source></source>b<track></track>c
        <p>a<img>b<area>c<wbr>d<embed>e<keygen>f => <p>a<img></img>b<area></area>c<wbr></wbr>d<embed></embed>e<keygen></keygen>f</p>
        <b><p>a</b><br>b => <b></b><p><b>a</b><br></br>b</p>
        </br id=x>a => <br></br>a
        <tr>a<td>b<tbody>c<caption>d<col>e<colgroup>f<frame>g<head>h<thead>i<tfoot>j<th>k => abcdefghijk
        <template><body id=a></template>b => <template>{}</template>b
        <p>a<title>b<c</title>d => <p>a<title>b<c</title>d</p>
        <p>a<style>b<c</style>d<script>e<f</script>g => <p>a<style>b<c</style>d<script>e<f</script>g</p>
        <p>a<link><meta><base><bgsound><basefont>b => <p>a<link></link><meta></meta><base></base><bgsound></bgsound><basefont></basefont>b</p>
        <p>a<noframes>b<p></noframes>c => <p>a<noframes>b<p></noframes>c</p>
        <noscript>a<p>b</noscript>c => <noscript>a<p>bc</p></noscript>
        a␀b<p>␀</p> => ab<p></p>
        <!DOCTYPE x>a => a
        a<!--b-->c<p><!--d--> => a<!--b-->c<p><!--d--></p>
        """#))
  func `a tag in a body closes and opens what the standard says`(html: String, expected: String)
    throws
  {
    #expect(try HTMLTreeOutline.ofBody(html) == expected)
  }

  @Test(
    arguments: sides(
      of: #"""
        <form>a<form>b</form>c</form>d => <form>ab</form>cd
        <form>a<div></form>b</div>c<form>d => <form>a<div>b</div></form>c<form>d</form>
        <form><p>a</form>b => <form><p>a</p></form>b
        <form>a<object></form>b</object>c</form>d => <form>a<object>b</object>cd</form>
        </form>a<form>b => a<form>b</form>
        <form>a</form><form>b</form>c => <form>a</form><form>b</form>c
        <template><form>a<form>b</template>c => <template>{<form>a<form>b</form></form>}</template>c
        <template><form><p>a</form>b</template><form>c => <template>{<form><p>a</p></form>b}</template><form>c</form>
        <form><template></form>a</template>b => <form><template>{a}</template>b</form>
        <p><form>a => <p></p><form>a</form>
        <select>a<option>b<option>c<optgroup>d<option>e<optgroup>f</select>g => <select>a<option>b</option><option>c</option><optgroup>d<option>e</option></optgroup><optgroup>f</optgroup></select>g
        <select><option>a<p>b</option>c</select>d => <select><option>a<p>bc</p></option></select>d
        <select><optgroup><option>a<hr>b</select> => <select><optgroup><option>a</option></optgroup><hr></hr>b</select>
        <select><option>a<hr><option>b</select> => <select><option>a</option><hr></hr><option>b</option></select>
        <select><p>a<hr>b</select>c => <select><p>a</p><hr></hr>b</select>c
        <option>a<option>b<optgroup>c<option>d => <option>a</option><option>b</option><optgroup>c<option>d</option></optgroup>
        <option>a<p>b<option>c => <option>a<p>b<option>c</option></p></option>
        <optgroup>a<optgroup>b => <optgroup>a<optgroup>b</optgroup></optgroup>
        <select>a<select>b => <select>a</select>b
        <select>a<div>b<select>c => <select>a<div>b</div></select>c
        <select>a<input>b => <select>a</select><input></input>b
        <select><option>a<input>b => <select><option>a</option></select><input></input>b
        <select>a<button>b</button>c<textarea>d</textarea>e</select>f => <select>a<button>b</button>c<textarea>d</textarea>e</select>f
        <select><table><tr><td>a</select>b</table>c => <select><table><tbody><tr><td>ab</td></tr></tbody></table>c</select>
        <b>a<select>b</b>c</select>d => <b>a<select>bc</select>d</b>
        <p>a<select>b<p>c</select>d => <p>a<select>b<p>c</p></select>d</p>
        <p>a<input type=hidden>b => <p>a<input type=hidden></input>b</p>
        <div><select><option>a</div>b</select>c => <div><select><option>ab</option></select>c</div>
        <select><option>a</select></option>b => <select><option>a</option></select>b
        <select><datalist><option>a<option>b</datalist></select> => <select><datalist><option>a</option><option>b</option></datalist></select>
        <label>a<input>b</label>c => <label>a<input></input>b</label>c
        <fieldset><legend>a<p>b</legend>c</fieldset>d => <fieldset><legend>a<p>bc</p></legend></fieldset>d
        """#))
  func `a form, a select or an option closes where the standard says`(
    html: String, expected: String
  ) throws {
    #expect(try HTMLTreeOutline.ofBody(html) == expected)
  }

  @Test(
    arguments: sides(
      of: #"""
        <b>a<i>b</b>c</i>d => <b>a<i>b</i></b><i>c</i>d
        <b>a<p>b</b>c</p>d => <b>a</b><p><b>b</b>c</p>d
        <b>a<div>b<i>c</b>d</i>e => <b>a</b><div><b>b<i>c</i></b><i>d</i>e</div>
        <b id=1>a<p>b</b>c => <b id=1>a</b><p><b id=1>b</b>c</p>
        <b>a<i>b<p>c</b>d</i>e => <b>a<i>b</i></b><i></i><p><i><b>c</b>d</i>e</p>
        <a>b<i>c<u>d<s>e<div>f</a>g => <a>b<i>c<u>d<s>e</s></u></i></a><i><u><s><div><a>f</a>g</div></s></u></i>
        <a>b<i>c<u>d<s>e<tt>f<div>g</a>h => <a>b<i>c<u>d<s>e<tt>f</tt></s></u></i></a><u><s><tt><div><a>g</a>h</div></tt></s></u>
        <a>b<i>c<u>d<s>e<tt>f<code>g<div>h</a>i</i>j => <a>b<i>c<u>d<s>e<tt>f<code>g</code></tt></s></u></i></a><s><tt><code><div><a>h</a>ij</div></code></tt></s>
        <a href=1>b<a href=2>c => <a href=1>b</a><a href=2>c</a>
        <a>b<div>c<a>d => <a>b</a><div><a>c</a><a>d</a></div>
        <a>b<p>c<div>d<a>e => <a>b<p>c</p></a><div><a>d</a><a>e</a></div>
        <a>b<table><tr><td>c<a>d</table>e => <a>b<table><tbody><tr><td>c<a>d</a></td></tr></tbody></table>e</a>
        <a><b>c<div>d<a>e => <a><b>c</b></a><b><div><a>d</a><a>e</a></div></b>
        <b><b><b><b>a<p>b => <b><b><b><b>a<p>b</p></b></b></b></b>
        <p><b><b><b><b>a<p>b => <p><b><b><b><b>a</b></b></b></b></p><p><b><b><b>b</b></b></b></p>
        <p><b><b><b><b><b>a<p>b</b></b></b></b>c => <p><b><b><b><b><b>a</b></b></b></b></b></p><p><b><b><b>b</b></b></b>c</p>
        <p><b id=1><b id=1><b id=1><b id=1>a<p>b => <p><b id=1><b id=1><b id=1><b id=1>a</b></b></b></b></p><p><b id=1><b id=1><b id=1>b</b></b></b></p>
        <p><b id=1><b id=2><b id=1><b id=1><b id=1>a<p>b => <p><b id=1><b id=2><b id=1><b id=1><b id=1>a</b></b></b></b></b></p><p><b id=2><b id=1><b id=1><b id=1>b</b></b></b></b></p>
        <p><b id=1 class=2><b class=2 id=1><b id=1 class=2><b class=2 id=1>a<p>b => <p><b id=1 class=2><b class=2 id=1><b id=1 class=2><b class=2 id=1>a</b></b></b></b></p><p><b class=2 id=1><b id=1 class=2><b class=2 id=1>b</b></b></b></p>
        <p><b id=1><b class=1><b id=1><b title=1>a<p>b => <p><b id=1><b class=1><b id=1><b title=1>a</b></b></b></b></p><p><b id=1><b class=1><b id=1><b title=1>b</b></b></b></b></p>
        <p><b id=12><b id=13><b id=22><b id=1>a<p>b => <p><b id=12><b id=13><b id=22><b id=1>a</b></b></b></b></p><p><b id=12><b id=13><b id=22><b id=1>b</b></b></b></b></p>
        <p><b id=1 class=2><b id=2 class=1><b id=1 class=2><b id=2 class=1>a<p>b => <p><b id=1 class=2><b id=2 class=1><b id=1 class=2><b id=2 class=1>a</b></b></b></b></p><p><b id=1 class=2><b id=2 class=1><b id=1 class=2><b id=2 class=1>b</b></b></b></b></p>
        <p><b><i><b><i><b><i><b>a<p>b => <p><b><i><b><i><b><i><b>a</b></i></b></i></b></i></b></p><p><i><b><i><b><i><b>b</b></i></b></i></b></i></p>
        <p><b>a<object><b><b><b>b<p>c</object>d<p>e => <p><b>a<object><b><b><b>b<p>c</p></b></b></b></object>d</b></p><p><b>e</b></p>
        <p><b>a<i>b<p>c</b>d<p>e => <p><b>a<i>b</i></b></p><p><b><i>c</i></b><i>d</i></p><p><i>e</i></p>
        <p><b>a</p>b</b>c<p>d => <p><b>a</b></p><b>b</b>c<p>d</p>
        <p><b><i><u>a</p>b</u>c</i>d</b>e => <p><b><i><u>a</u></i></b></p><b><i><u>b</u>c</i>d</b>e
        <p><i>a<b>b</p><object><p>c</object>d => <p><i>a<b>b</b></i></p><i><b><object><p>c</p></object>d</b></i>
        <div><b>a</div><b>b<p>c => <div><b>a</b></div><b><b>b<p>c</p></b></b>
        <b>a</b></b>b => <b>a</b>b
        </b>a => a
        <b>a<object></b>b</object>c => <b>a<object>b</object>c</b>
        <p><b>a<object></p>b</object>c => <p><b>a<object><p></p>b</object>c</b></p>
        <font color=1>a<p>b</font>c<font size=2>d<p>e => <font color=1>a</font><p><font color=1>b</font>c<font size=2>d</font></p><p><font size=2>e</font></p>
        <em>a<strong>b<p>c</em>d</strong>e => <em>a<strong>b</strong></em><strong></strong><p><strong><em>c</em>d</strong>e</p>
        <b>a<p>b<p>c</b>d<p>e => <b>a<p>b</p></b><p><b>c</b>d</p><p>e</p>
        <b>a<ul><li>b</b>c<li>d => <b>a</b><ul><b></b><li><b>b</b>c</li><li>d</li></ul>
        <b>a<div>b<div>c<div>d</b>e => <b>a</b><div><b>b</b><div><b>c</b><div><b>d</b>e</div></div></div>
        <b>a<div><i>b<div>c</b>d</i>e => <b>a</b><div><b><i>b</i></b><i></i><div><i><b>c</b>d</i>e</div></div>
        <i>a<div>b<b>c<div>d</i>e</b>f => <i>a</i><div><i>b<b>c</b></i><b></b><div><b><i>d</i>e</b>f</div></div>
        <i>a<b>b<div>c<b>d<div>e</i>f => <i>a<b>b</b></i><b><div><i>c<b>d</b></i><b><div><i>e</i>f</div></b></div></b>
        <b><i>a<b><i>b<div>c</b>d => <b><i>a<b><i>b</i></b><i><div><b>c</b>d</div></i></i></b>
        <b>a<i>b<u>c<p>d</b>e<p>f => <b>a<i>b<u>c</u></i></b><i><u><p><b>d</b>e</p><p>f</p></u></i>
        <b><em>a<x-y>b<p>c</b>d => <b><em>a<x-y>b</x-y></em></b><em><p><b>c</b>d</p></em>
        <b>1<x-y>2<x-y>3<p>4</b>5 => <b>1<x-y>2<x-y>3</x-y></x-y></b><p><b>4</b>5</p>
        <b>a<nobr>b<p>c</nobr>d</b>e => <b>a<nobr>b</nobr></b><p><b><nobr>c</nobr>d</b>e</p>
        <b><p><b><p><b><p>a</b></b></b>b => <b><p><b></b></p><p><b><b></b></b></p></b><p><b><b><b>a</b></b></b>b</p>
        <b><div><div><div><div><div><div><div><div><div><div>a</b>b => <b></b><div><b></b><div><b></b><div><b></b><div><b></b><div><b></b><div><b></b><div><b></b><div><b><div><div>ab</div></div></b></div></div></div></div></div></div></div></div>
        <u><b><div><div><div><div><div><div><div><div><div>a</b>b</u>c => <u><b></b></u><div><u><b></b></u><div><u><b></b></u><div><u><b></b></u><div><u><b></b></u><div><u><b></b></u><div><u><b></b></u><div><u><b></b></u><div><u><b><div>abc</div></b></u></div></div></div></div></div></div></div></div>
        <s>a<p>b<u>c</s>d<p>e</u>f<p>g => <s>a</s><p><s>b<u>c</u></s><u>d</u></p><p><u>e</u>f</p><p>g</p>
        <b>a<table>b<tr>c<td>d</b>e</table>f => <b>abc<table><tbody><tr><td>de</td></tr></tbody></table>f</b>
        <table><b>a<tr><i>b<td>c</table>d => <b>a</b><b><i>b</i></b><table><tbody><tr><td>c</td></tr></tbody></table><b><i>d</i></b>
        <table><a>b<a>c<td>d</table>e => <a>b</a><a>c</a><table><tbody><tr><td>d</td></tr></tbody></table><a>e</a>
        <b>a<p>b<table>c</b>d</table>e => <b>a<p>b</p>cd<table></table>e</b>
        <small>a<big>b<p>c</small>d</big>e => <small>a<big>b</big></small><big></big><p><big><small>c</small>d</big>e</p>
        <tt>a<code>b<p>c</tt>d</code>e<strike>f<p>g</strike>h => <tt>a<code>b</code></tt><code></code><p><code><tt>c</tt>d</code>e<strike>f</strike></p><p><strike>g</strike>h</p>
        <b><a>x<p>y</a>z</b>w => <b><a>x</a></b><p><b><a>y</a>z</b>w</p>
        <b>a<button>b</b>c</button>d => <b>a</b><button><b>b</b>c</button>d
        <p><a href=x>1<p>2</a>3 => <p><a href=x>1</a></p><p><a href=x>2</a>3</p>
        <div><a><b>1<div>2</a>3</b>4 => <div><a><b>1</b></a><b></b><div><b><a>2</a>3</b>4</div></div>
        <a><svg><desc><a>x => <a><svg:svg><svg:desc><a>x</a></svg:desc></svg:svg></a>
        <b><svg><b>x => <b><svg:svg></svg:svg><b>x</b></b>
        """#))
  func `misnested formatting elements are reconstructed as the standard says`(
    html: String, expected: String
  ) throws {
    #expect(try HTMLTreeOutline.ofBody(html) == expected)
  }
}
