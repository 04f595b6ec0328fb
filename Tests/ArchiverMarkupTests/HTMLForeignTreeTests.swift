import Testing

@testable import ArchiverMarkup

/// The tree of SVG and MathML, and of fragments.
@Suite struct HTMLForeignTreeTests {
  @Test(
    arguments: sides(
      of: #"""
        <svg>a<p>b</svg>c => <svg:svg>a</svg:svg><p>bc</p>
        <svg><g>a<g>b</g>c</svg>d => <svg:svg><svg:g>a<svg:g>b</svg:g>c</svg:g></svg:svg>d
        <svg><a>b<a>c</a>d => <svg:svg><svg:a>b<svg:a>c</svg:a>d</svg:a></svg:svg>
        <svg><g></G>a</SVG>b => <svg:svg><svg:g></svg:g>a</svg:svg>b
        <svg><g></x>a</svg>b => <svg:svg><svg:g>a</svg:g></svg:svg>b
        <svg><g><desc>a</g>b</svg>c => <svg:svg><svg:g><svg:desc>a</svg:desc></svg:g>b</svg:svg>c
        <svg><foreignObject><p>a<svg><p>b</svg>c</p></foreignObject>d</svg>e => <svg:svg><svg:foreignobject><p>a<svg:svg></svg:svg></p><p>bc</p></svg:foreignobject>d</svg:svg>e
        <svg><foreignObject><div>a</foreignObject>b => <svg:svg><svg:foreignobject><div>ab</div></svg:foreignobject></svg:svg>
        <svg><title><b>a</title>b => <svg:svg><svg:title><b>ab</b></svg:title></svg:svg>
        <svg><desc>a</desc><path/>b<circle>c</svg>d => <svg:svg><svg:desc>a</svg:desc><svg:path></svg:path>b<svg:circle>c</svg:circle></svg:svg>d
        <svg/>a => <svg:svg></svg:svg>a
        <math/>a => <math:math></math:math>a
        <svg><g/>a</svg>b => <svg:svg><svg:g></svg:g>a</svg:svg>b
        <svg><font>a<font color=b>c => <svg:svg><svg:font>a</svg:font></svg:svg><font color=b>c</font>
        <svg><font face=a>b => <svg:svg></svg:svg><font face=a>b</font>
        <svg><font size=a>b => <svg:svg></svg:svg><font size=a>b</font>
        <svg><font id=a class=b>c</font>d => <svg:svg><svg:font id=a class=b>c</svg:font>d</svg:svg>
        <svg><g></p>a => <svg:svg><svg:g></svg:g></svg:svg><p></p>a
        <svg><g></br>a => <svg:svg><svg:g></svg:g></svg:svg><br></br>a
        <svg><desc></p>a => <svg:svg><svg:desc><p></p>a</svg:desc></svg:svg>
        <svg><b>a => <svg:svg></svg:svg><b>a</b>
        <svg><g><br>a => <svg:svg><svg:g></svg:g></svg:svg><br></br>a
        <svg><g><table>a => <svg:svg><svg:g></svg:g></svg:svg>a<table></table>
        <svg><g><li>a => <svg:svg><svg:g></svg:g></svg:svg><li>a</li>
        <svg><g><ul>a => <svg:svg><svg:g></svg:g></svg:svg><ul>a</ul>
        <svg><g><h1>a => <svg:svg><svg:g></svg:g></svg:svg><h1>a</h1>
        <svg><g><em>a => <svg:svg><svg:g></svg:g></svg:svg><em>a</em>
        <svg><g><body>a => <svg:svg><svg:g></svg:g></svg:svg>a
        <svg><g><head>a => <svg:svg><svg:g></svg:g></svg:svg>a
        <svg><g><meta>a => <svg:svg><svg:g></svg:g></svg:svg><meta></meta>a
        <svg><g><img>a => <svg:svg><svg:g></svg:g></svg:svg><img></img>a
        <svg><g><div>a => <svg:svg><svg:g></svg:g></svg:svg><div>a</div>
        <svg><g><span>a => <svg:svg><svg:g></svg:g></svg:svg><span>a</span>
        <svg><g><var>a => <svg:svg><svg:g></svg:g></svg:svg><var>a</var>
        <svg><g><big>a => <svg:svg><svg:g></svg:g></svg:svg><big>a</big>
        <svg><g><hr>a => <svg:svg><svg:g></svg:g></svg:svg><hr></hr>a
        <svg><g><dd>a<dt>b => <svg:svg><svg:g></svg:g></svg:svg><dd>a</dd><dt>b</dt>
        <svg><g><code>a => <svg:svg><svg:g></svg:g></svg:svg><code>a</code>
        <svg><g><menu>a => <svg:svg><svg:g></svg:g></svg:svg><menu>a</menu>
        <svg><g><ruby>a => <svg:svg><svg:g></svg:g></svg:svg><ruby>a</ruby>
        <svg><g><sub>a<sup>b => <svg:svg><svg:g></svg:g></svg:svg><sub>a<sup>b</sup></sub>
        <svg><g><embed>a<strike>b => <svg:svg><svg:g></svg:g></svg:svg><embed></embed>a<strike>b</strike>
        <svg><g><a>b<form>c<section>d<input>e<select>f</select>g => <svg:svg><svg:g><svg:a>b<svg:form>c<svg:section>d<svg:input>e<svg:select>f</svg:select>g</svg:input></svg:section></svg:form></svg:a></svg:g></svg:svg>
        <svg>␀a␀</svg>b => <svg:svg>�a�</svg:svg>b
        <svg>&amp;␀&lt;␀a => <svg:svg>&�<�a</svg:svg>
        <svg><desc>␀a => <svg:svg><svg:desc>a</svg:desc></svg:svg>
        <svg><!--a--><!DOCTYPE b>c => <svg:svg><!--a-->c</svg:svg>
        <svg><script>a<b</script>c</svg>d => <svg:svg><svg:script>a<svg:b< script=>c</svg:b<></svg:script></svg:svg>d
        <svg><style>a<b>c</style>d => <svg:svg><svg:style>a</svg:style></svg:svg><b>cd</b>
        <svg><![CDATA[a<b]]>c</svg><![CDATA[d]]> => <svg:svg>a<bc</svg:svg><!--[CDATA[d]]-->
        <svg><desc><![CDATA[a]]>b => <svg:svg><svg:desc>ab</svg:desc></svg:svg>
        <math>a<mi>b<p>c</mi>d => <math:math>a<math:mi>b<p>cd</p></math:mi></math:math>
        <math><mi>a<b>b</b>c</mi>d => <math:math><math:mi>a<b>b</b>c</math:mi>d</math:math>
        <math><mo><p>a</mo>b => <math:math><math:mo><p>ab</p></math:mo></math:math>
        <math><mn><p>a</mn>b => <math:math><math:mn><p>ab</p></math:mn></math:math>
        <math><ms><p>a</ms>b => <math:math><math:ms><p>ab</p></math:ms></math:math>
        <math><mtext><p>a</mtext>b => <math:math><math:mtext><p>ab</p></math:mtext></math:math>
        <math><mrow><p>a => <math:math><math:mrow></math:mrow></math:math><p>a</p>
        <math><mi><mglyph>a<p>b => <math:math><math:mi><math:mglyph>a</math:mglyph><p>b</p></math:mi></math:math>
        <math><mi><malignmark>a<p>b => <math:math><math:mi><math:malignmark>a</math:malignmark><p>b</p></math:mi></math:math>
        <math><mi><mrow>a</mrow>b</mi>c => <math:math><math:mi><mrow>a</mrow>b</math:mi>c</math:math>
        <math><mi><svg>a => <math:math><math:mi><svg:svg>a</svg:svg></math:mi></math:math>
        <math><mrow><svg>a<p>b => <math:math><math:mrow><math:svg>a</math:svg></math:mrow></math:math><p>b</p>
        <math><annotation-xml><svg><desc>a</desc>b</svg>c => <math:math><math:annotation-xml><svg:svg><svg:desc>a</svg:desc>b</svg:svg>c</math:annotation-xml></math:math>
        <math><annotation-xml><div>a => <math:math><math:annotation-xml></math:annotation-xml></math:math><div>a</div>
        <math><annotation-xml>a<mi>b => <math:math><math:annotation-xml>a<math:mi>b</math:mi></math:annotation-xml></math:math>
        <math><annotation-xml encoding=text/html><div>a</div>b</annotation-xml>c => <math:math><math:annotation-xml encoding=text/html><div>a</div>b</math:annotation-xml>c</math:math>
        <math><annotation-xml encoding=TEXT/Html><p>a => <math:math><math:annotation-xml encoding=TEXT/Html><p>a</p></math:annotation-xml></math:math>
        <math><annotation-xml encoding=Application/xhtml+xml><p>a => <math:math><math:annotation-xml encoding=Application/xhtml+xml><p>a</p></math:annotation-xml></math:math>
        <math><annotation-xml encoding=text/xml1><p>a => <math:math><math:annotation-xml encoding=text/xml1></math:annotation-xml></math:math><p>a</p>
        <math><annotation-xml encoding=text/xhtml><p>a => <math:math><math:annotation-xml encoding=text/xhtml></math:annotation-xml></math:math><p>a</p>
        <math><annotation-xml title=text/html><p>a => <math:math><math:annotation-xml title=text/html></math:annotation-xml></math:math><p>a</p>
        <math><annotation-xml encoding=text/html><math><mi>a => <math:math><math:annotation-xml encoding=text/html><math:math><math:mi>a</math:mi></math:math></math:annotation-xml></math:math>
        <math><annotation-xml encoding=text/html>␀a</annotation-xml>b => <math:math><math:annotation-xml encoding=text/html>a</math:annotation-xml>b</math:math>
        <math><mi>␀a</mi>␀b => <math:math><math:mi>a</math:mi>�b</math:math>
        <math><mi></br>a => <math:math><math:mi><br></br>a</math:mi></math:math>
        <math><mrow></p>a => <math:math><math:mrow></math:mrow></math:math><p></p>a
        <math><p>a</math>b => <math:math></math:math><p>ab</p>
        <math><desc><p>a => <math:math><math:desc></math:desc></math:math><p>a</p>
        <math><title>a<p>b => <math:math><math:title>a</math:title></math:math><p>b</p>
        <math><foreignObject><p>a => <math:math><math:foreignobject></math:foreignobject></math:math><p>a</p>
        <svg><mi><p>a => <svg:svg><svg:mi></svg:mi></svg:svg><p>a</p>
        <svg><mtext><x>a => <svg:svg><svg:mtext><svg:x>a</svg:x></svg:mtext></svg:svg>
        <svg><annotation-xml encoding=text/html><p>a => <svg:svg><svg:annotation-xml encoding=text/html></svg:annotation-xml></svg:svg><p>a</p>
        <p><svg></p>a => <p><svg:svg></svg:svg></p>a
        <p>a<svg><foreignObject></p>b => <p>a<svg:svg><svg:foreignobject><p></p>b</svg:foreignobject></svg:svg></p>
        <b><svg><foreignObject>a</b>b => <b><svg:svg><svg:foreignobject>ab</svg:foreignobject></svg:svg></b>
        <b><svg><g>a</b>b => <b><svg:svg><svg:g>a</svg:g></svg:svg></b>b
        <div><svg><g></div>a => <div><svg:svg><svg:g></svg:g></svg:svg></div>a
        <svg><g></svg></g>a => <svg:svg><svg:g></svg:g></svg:svg>a
        <svg viewBox="0 0 1 1" id=a><g fill=b/> => <svg:svg viewbox=0 0 1 1 id=a><svg:g fill=b/></svg:g></svg:svg>
        <svg xlink:href=a><math definitionURL=b> => <svg:svg xlink:href=a><svg:math definitionurl=b></svg:math></svg:svg>
        <ul><li><svg><li>a => <ul><li><svg:svg></svg:svg></li><li>a</li></ul>
        <button><svg><desc><button>a => <button><svg:svg><svg:desc><button>a</button></svg:desc></svg:svg></button>
        <p><math><mi><p>a => <p><math:math><math:mi><p>a</p></math:mi></math:math></p>
        <table><tr><td><svg><desc><td>a => <table><tbody><tr><td><svg:svg><svg:desc></svg:desc></svg:svg></td><td>a</td></tr></tbody></table>
        <table><svg><tr>a => <svg:svg><svg:tr>a</svg:tr></svg:svg><table></table>
        <select><svg><option>a => <select><svg:svg><svg:option>a</svg:option></svg:svg></select>
        <svg><select><option>a => <svg:svg><svg:select><svg:option>a</svg:option></svg:select></svg:svg>
        <svg><desc></svg>a</desc>b => <svg:svg><svg:desc></svg:desc></svg:svg>ab
        <math><mi></math>a => <math:math><math:mi></math:mi></math:math>a
        <svg><tr><td>a => <svg:svg><svg:tr><svg:td>a</svg:td></svg:tr></svg:svg>
        <svg><frameset>a => <svg:svg><svg:frameset>a</svg:frameset></svg:svg>
        <i><svg><foreignObject><i>a</i></svg>b => <i><svg:svg><svg:foreignobject><i>a</i></svg:foreignobject></svg:svg>b</i>
        """#))
  func `SVG and MathML end where HTML begins`(html: String, expected: String) throws {
    #expect(try HTMLTreeOutline.ofBody(html) == expected)
  }

  @Test(
    arguments: sides(
      of: #"""
        div|<td>a</td>b<p>c => ab<p>c</p>
        p|a</p>b => a<p></p>b
        span|<li>a<li>b => <li>a</li><li>b</li>
        td|<td>a</td><p>b</table>c<tr>d => a<p>bcd</p>
        th|<th>a<td>b => ab
        tr|<td>a</td><th>b</tr>c<td>d</table>e => <td>a</td><th>bc</th><td>de</td>
        tr|a<td>b => a<td>b</td>
        tr|<tr><td>a</tbody><td>b => <td>a</td><td>b</td>
        tbody|<tr><td>a</tbody><tr><td>b</table> => <tr><td>a</td></tr><tr><td>b</td></tr>
        tbody|<td>a<thead><td>b => <tr><td>a</td></tr><tr><td>b</td></tr>
        thead|<tr><td>a<tr><td>b => <tr><td>a</td></tr><tr><td>b</td></tr>
        tfoot|a<tr><td>b => a<tr><td>b</td></tr>
        caption|a<caption>b</caption>c<td>d</table>e => abcde
        caption|<td>a<col>b => ab
        colgroup|<col>a<col></colgroup><td>b => <col></col><col></col>
        colgroup|<template>a</template> <!--b--> => <template>{a}</template> <!--b-->
        table|a<tr>b<td>c</table>d => a<tbody><tr><td>cd</td></tr></tbody>b
        table|<caption>a</caption><col><td>b => <caption>a</caption><colgroup><col></col></colgroup><tbody><tr><td>b</td></tr></tbody>
        table|<table><td>a => <tbody><tr><td>a</td></tr></tbody>
        table|</table><td>a => <tbody><tr><td>a</td></tr></tbody>
        template|<td>a</td><tr> => <td>a</td>
        template|<tr><td>a</template>b => <tr><td>ab</td></tr>
        template|a<col>b => a<col></col>
        template|<col>a<p>b => <col></col>
        head|<title>a</title><p>b => <title>a</title><p>b</p>
        head|a</head>b => ab
        head|<link> <meta><noscript>a</noscript> => <link></link> <meta></meta><noscript>a</noscript>
        body|<p>a</body><p>b => <p>a</p><p>b</p>
        body|<body id=a>b<frameset> => b
        body|<html id=a>b => b
        html|<title>a</title><p>b => <head><title>a</title></head><body><p>b</p></body>
        html|<head><link></head><body>a => <head><link></link></head><body>a</body>
        html|a => <head></head><body>a</body>
        html|<frameset><frame></frameset>a => <head></head><frameset><frame></frame></frameset>
        html|<body>a</html><!--b--> => <head></head><body>a</body><!--b-->
        frameset|<frame>a<frameset><frame></frameset> b<frame> => <frame></frame><frameset><frame></frame></frameset> <frame></frame>
        frameset|</frameset><frame> => <frame></frame>
        select|<option>a<option>b<optgroup>c => <option>a</option><option>b</option><optgroup>c</optgroup>
        select|<input>a<select>b<p>c => ab<p>c</p>
        select|a<hr>b<option>c => a<hr></hr>b<option>c</option>
        option|<option>a => <option>a</option>
        title|a<b>&amp;</title>c => a<b>&</title>c
        textarea|a<b>&amp; => a<b>&
        style|a<b>&amp; => a<b>&amp;
        xmp|a<b>&amp; => a<b>&amp;
        iframe|a<b>&amp; => a<b>&amp;
        noembed|a<b>&amp; => a<b>&amp;
        noframes|a<b>&amp; => a<b>&amp;
        script|a<b>&amp;<!--<script> => a<b>&amp;<!--<script>
        plaintext|a<b></plaintext>&amp; => a<b></plaintext>&amp;
        noscript|a<b>c => a<b>c</b>
        form|<form>a</form>b<form>c => ab<form>c</form>
        pre|⏎a => ⏎a
        button|<button>a => <button>a</button>
        object|<p>a</object>b => <p>ab</p>
        a|<a>b<a>c => <a>b</a><a>c</a>
        svg svg|a<g>b</g><p>c => a<svg:g>b</svg:g><p>c</p>
        svg svg|<path/>a</svg>b<![CDATA[c]]> => <svg:path></svg:path>abc
        svg desc|a<p>b<svg>c => a<p>b<svg:svg>c</svg:svg></p>
        svg title|a<p>b<b>c => a<p>b<b>c</b></p>
        svg foreignObject|<p>a<g>b => <p>a<g>b</g></p>
        svg g|<p>a<div>b => <p>a</p><div>b</div>
        math math|<mi>a<p>b => <math:mi>a<p>b</p></math:mi>
        math mi|a<p>b<mglyph>c<malignmark>d => a<p>b<mglyph>c<malignmark>d</malignmark></mglyph></p>
        math mo|a<p>b => a<p>b</p>
        math mn|<b>c => <b>c</b>
        math ms|<b>c => <b>c</b>
        math mtext|<b>c</mtext>d => <b>cd</b>
        math annotation-xml|<svg>a<p>b => <svg:svg>a</svg:svg><p>b</p>
        math annotation-xml|<p>a => <p>a</p>
        svg mi|<p>a<b>c => <p>a<b>c</b></p>
        svg td|<td>a => <svg:td>a</svg:td>
        math tr|<tr>a => <math:tr>a</math:tr>
        math title|a<p>b => a<p>b</p>
        svg template|<td>a => <svg:td>a</svg:td>
        """#))
  func `a fragment has the rules of its context`(input: String, expected: String) throws {
    let parts = input.split(separator: "|", maxSplits: 1).map(String.init)
    let words = parts[0].split(separator: " ").map(String.init)
    let namespace: HTMLNamespace =
      words.count == 1 ? .html : words[0] == "svg" ? .svg : .mathML
    let name = try #require(words.last)
    let context = HTMLParser.Context(name: name, namespace: namespace)
    #expect(try HTMLTreeOutline.of(parts[1], in: context) == expected)
  }
}
