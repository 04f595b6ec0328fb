import Testing

@testable import ArchiverMarkup

/// The tree of tables and templates.
@Suite struct HTMLTableTreeTests {
  @Test(
    arguments: sides(
      of: #"""
        <table>a => a<table></table>
        <table> a =>  a<table></table>
        <table>⏎<tr> <td>a => <table>⏎<tbody><tr> <td>a</td></tr></tbody></table>
        <table>a<tr>b<td>c</td>d</tr>e</table>f => abde<table><tbody><tr><td>c</td></tr></tbody></table>f
        <table><b>a => <b>a</b><table></table>
        <table>a&amp;b<b>c</b> d => a&b<b>c</b> d<table></table>
        <table> <!--a--> b =>  b<table> <!--a--></table>
        <table><!--a--><tbody><!--b--><tr><!--c--><td><!--d--></table> => <table><!--a--><tbody><!--b--><tr><!--c--><td><!--d--></td></tr></tbody></table>
        <table>␀a<td>b => a<table><tbody><tr><td>b</td></tr></tbody></table>
        <table><tr>␀<td>b => <table><tbody><tr><td>b</td></tr></tbody></table>
        <table><td>␀a<table>b => <table><tbody><tr><td>ab<table></table></td></tr></tbody></table>
        <p>a<table><p>b</table>c => <p>a</p><p>b</p><table></table>c
        <table><caption>a<p>b<td>c => <table><caption>a<p>b</p></caption><tbody><tr><td>c</td></tr></tbody></table>
        <table><caption>a<b>b</caption>c<td>d => c<table><caption>a<b>b</b></caption><tbody><tr><td>d</td></tr></tbody></table>
        <table><caption>a</table>b => <table><caption>a</caption></table>b
        <table><caption>a<caption>b => <table><caption>a</caption><caption>b</caption></table>
        <table><caption>a</td></tr></body>b</caption></table> => <table><caption>ab</caption></table>
        <table><caption>a<col> => <table><caption>a</caption><colgroup><col></col></colgroup></table>
        <table><caption>a<tbody>b => b<table><caption>a</caption><tbody></tbody></table>
        <table><caption><table><caption>a</table>b</caption></table>c => <table><caption><table><caption>a</caption></table>b</caption></table>c
        <table><colgroup> a<col>b<td>c => ab<table><colgroup> </colgroup><colgroup><col></col></colgroup><tbody><tr><td>c</td></tr></tbody></table>
        <table><colgroup><col></colgroup></col>a => a<table><colgroup><col></col></colgroup></table>
        <table><colgroup></col><col></table>a => <table><colgroup><col></col></colgroup></table>a
        <table><colgroup><!--a--><template>b</template><col id=c> </table> => <table><colgroup><!--a--><template>{b}</template><col id=c></col> </colgroup></table>
        <table><col><col><tr><td>a<col>b => b<table><colgroup><col></col><col></col></colgroup><tbody><tr><td>a</td></tr></tbody><colgroup><col></col></colgroup></table>
        <table><col></colgroup><colgroup span=2><td> => <table><colgroup><col></col></colgroup><colgroup span=2></colgroup><tbody><tr><td></td></tr></tbody></table>
        <table><colgroup>␀<col> => <table><colgroup></colgroup><colgroup><col></col></colgroup></table>
        <table><thead><tr><td>a<tfoot><td>b<tbody><th>c => <table><thead><tr><td>a</td></tr></thead><tfoot><tr><td>b</td></tr></tfoot><tbody><tr><th>c</th></tr></tbody></table>
        <table><tbody><td>a<tr><td>b</tbody>c<tr><td>d => c<table><tbody><tr><td>a</td></tr><tr><td>b</td></tr></tbody><tbody><tr><td>d</td></tr></tbody></table>
        <table><tbody></thead><tr></tfoot><td>a</tbody></table> => <table><tbody><tr><td>a</td></tr></tbody></table>
        <table><thead><caption>a => <table><thead></thead><caption>a</caption></table>
        <table><tbody><colgroup><td> => <table><tbody></tbody><colgroup></colgroup><tbody><tr><td></td></tr></tbody></table>
        <table><thead><tbody><tfoot> => <table><thead></thead><tbody></tbody><tfoot></tfoot></table>
        <table><tr></tbody><td>a => <table><tbody><tr></tr></tbody><tbody><tr><td>a</td></tr></tbody></table>
        <table><tr></table>a => <table><tbody><tr></tr></tbody></table>a
        <table><tr></td></th></caption></html>a<td>b => a<table><tbody><tr><td>b</td></tr></tbody></table>
        <table><tr><td>a<td>b<th>c<td>d => <table><tbody><tr><td>a</td><td>b</td><th>c</th><td>d</td></tr></tbody></table>
        <table><tr><td><p>a</td>b</th>c<td>d</table> => bc<table><tbody><tr><td><p>a</p></td><td>d</td></tr></tbody></table>
        <table><td><b>a</td><td>b</table>c => <table><tbody><tr><td><b>a</b></td><td>b</td></tr></tbody></table>c
        <table><th><b>a<tr><td>b</table>c => <table><tbody><tr><th><b>a</b></th></tr><tr><td>b</td></tr></tbody></table>c
        <table><td>a</tr>b<td>c</table> => b<table><tbody><tr><td>a</td></tr><tr><td>c</td></tr></tbody></table>
        <table><td>a</tbody>b</table> => b<table><tbody><tr><td>a</td></tr></tbody></table>
        <table><td>a</thead>b</table> => <table><tbody><tr><td>ab</td></tr></tbody></table>
        <table><td>a</tfoot></body></caption></col></colgroup></html>b</table> => <table><tbody><tr><td>ab</td></tr></tbody></table>
        <table><td>a<caption>b</table> => <table><tbody><tr><td>a</td></tr></tbody><caption>b</caption></table>
        <table><td>a<col>b</table> => b<table><tbody><tr><td>a</td></tr></tbody><colgroup><col></col></colgroup></table>
        <table><td>a<thead><th>b</table>c => <table><tbody><tr><td>a</td></tr></tbody><thead><tr><th>b</th></tr></thead></table>c
        <table><td><table><td>a</td></tr></tbody></table>b</td><td>c</table>d => <table><tbody><tr><td><table><tbody><tr><td>a</td></tr></tbody></table>b</td><td>c</td></tr></tbody></table>d
        <table><td><table>a</table>b</table>c => <table><tbody><tr><td>a<table></table>b</td></tr></tbody></table>c
        <table><tr><table><tr>a => <table><tbody><tr></tr></tbody></table>a<table><tbody><tr></tr></tbody></table>
        <table>a<table>b => a<table></table>b<table></table>
        <table><table><td>a => <table></table><table><tbody><tr><td>a</td></tr></tbody></table>
        <table><tr><table>a</table>b => <table><tbody><tr></tr></tbody></table>a<table></table>b
        </table>a</td>b</tr></tbody>c => abc
        <table><input type=hidden><input>a => <input></input>a<table><input type=hidden></input></table>
        <table><tr><input type=HIDDEN><input type=hiddem>a => <input type=hiddem></input>a<table><tbody><tr><input type=HIDDEN></input></tr></tbody></table>
        <table><form>a<input type=hidden></form>b<form>c => abc<table><form></form><input type=hidden></input><form></form></table>
        <table><form><tr><td><form>a</form>b => <table><form></form><tbody><tr><td>ab</td></tr></tbody></table>
        <form><table><form>a => <form>a<table></table></form>
        <table><form><td></form><form>a => <table><form></form><tbody><tr><td><form>a</form></td></tr></tbody></table>
        <table><template><form></template><form>a => a<table><template>{<form></form>}</template><form></form></table>
        <table><style>a</style><script>b</script>c<template>d</template> => c<table><style>a</style><script>b</script><template>{d}</template></table>
        <table><select><option>a<tr><td>b => <select><option>a</option></select><table><tbody><tr><td>b</td></tr></tbody></table>
        <table><tr><select>a<td>b => <select>a</select><table><tbody><tr><td>b</td></tr></tbody></table>
        <table><td><select>a<td>b</table>c => <table><tbody><tr><td><select>a</select></td><td>b</td></tr></tbody></table>c
        <table><td><select><table>a => <table><tbody><tr><td><select>a<table></table></select></td></tr></tbody></table>
        <table><div>a<tr><td>b</div>c</table>d => <div>a</div><table><tbody><tr><td>bc</td></tr></tbody></table>d
        <table><tr><p>a<td>b</table> => <p>a</p><table><tbody><tr><td>b</td></tr></tbody></table>
        <table><ul><li>a<tr><td>b</table> => <ul><li>a</li></ul><table><tbody><tr><td>b</td></tr></tbody></table>
        <table><svg><g>a</g></svg><td>b => <svg:svg><svg:g>a</svg:g></svg:svg><table><tbody><tr><td>b</td></tr></tbody></table>
        <table><math><mi>a<td>b => <math:math><math:mi>a</math:mi></math:math><table><tbody><tr><td>b</td></tr></tbody></table>
        <table><br><hr><img>a => <br></br><hr></hr><img></img>a<table></table>
        <table></p>a => <p></p>a<table></table>
        <table></br>a => <br></br>a<table></table>
        <table><tr><td><object>a</td>b</object>c</table> => bc<table><tbody><tr><td><object>a</object></td></tr></tbody></table>
        <table><td><caption><td>a => <table><tbody><tr><td></td></tr></tbody><caption></caption><tbody><tr><td>a</td></tr></tbody></table>
        <table><tr><td></td></tr><td>a => <table><tbody><tr><td></td></tr><tr><td>a</td></tr></tbody></table>
        <table></tbody></tr></td>a => a<table></table>
        <table><tbody><tr></tr></tbody><tr> => <table><tbody><tr></tr></tbody><tbody><tr></tr></tbody></table>
        <div><table>a</div>b</table>c => <div>ab<table></table>c</div>
        <table><tbody>a</table> => a<table><tbody></tbody></table>
        <table><a>b</a><tr><td>c => <a>b</a><table><tbody><tr><td>c</td></tr></tbody></table>
        <table><td><p>a</table>b => <table><tbody><tr><td><p>a</p></td></tr></tbody></table>b
        <table><td>a<tr><td>b<tbody><tr><td>c</table>d => <table><tbody><tr><td>a</td></tr><tr><td>b</td></tr></tbody><tbody><tr><td>c</td></tr></tbody></table>d
        <table><frameset>a => a<table></table>
        <table><li>a<li>b</table> => <li>a</li><li>b</li><table></table>
        """#))
  func `a part of a table is completed, and other content goes before the table`(
    html: String, expected: String
  ) throws {
    #expect(try HTMLTreeOutline.ofBody(html) == expected)
  }

  @Test(
    arguments: sides(
      of: #"""
        <template>a</template>b => <template>{a}</template>b
        <template><p>a<template>b</template>c</template>d => <template>{<p>a<template>{b}</template>c</p>}</template>d
        <template><td>a</td><td>b</template>c => <template>{<td>a</td><td>b</td>}</template>c
        <template><tr><td>a<tr><td>b</template>c => <template>{<tr><td>a</td></tr><tr><td>b</td></tr>}</template>c
        <template><tbody><tr><td>a</tbody><tfoot></template>c => <template>{<tbody><tr><td>a</td></tr></tbody><tfoot></tfoot>}</template>c
        <template><caption>a</caption><tr><td>b</template>c => <template>{<caption>a</caption><tbody><tr><td>b</td></tr></tbody>}</template>c
        <template><col><col>a</template>b => <template>{<col></col><col></col>}</template>b
        <template><colgroup><col></colgroup><col></template>b => <template>{<colgroup><col></col></colgroup><colgroup><col></col></colgroup>}</template>b
        <template><th>a<p>b</template>c => <template>{<th>a<p>b</p></th>}</template>c
        <template><td>a</td>b<p>c</template>d => <template>{<td>a</td>b<p>c</p>}</template>d
        <template><div>a<td>b</template>c => <template>{<div>ab</div>}</template>c
        <template>a<tr>b</template> => <template>{a<tr></tr>b}</template>
        <template><tr></tr>a<b>b</template> => <template>{<tr></tr>a<b>b</b>}</template>
        <template><tr><p>a</template>b => <template>{<tr></tr><p>a</p>}</template>b
        <template><tbody>a</template>b => <template>{<tbody></tbody>a}</template>b
        <template><thead><tr><td>a<tbody></template> => <template>{<thead><tr><td>a</td></tr></thead><tbody></tbody>}</template>
        <template><td></td></tr><td>a</template> => <template>{<td></td><td>a</td>}</template>
        <template></div></td></table>a</template>b => <template>{a}</template>b
        <template><title>a</title><style>b</style><script>c</script><link>d</template> => <template>{<title>a</title><style>b</style><script>c</script><link></link>d}</template>
        <template><html id=a><body id=b><head><frameset>c</template>d => <template>{c}</template>d
        <template><b>a</template>b => <template>{<b>a</b>}</template>b
        <b>a<template>b</b>c</template>d</b>e => <b>a<template>{bc}</template>d</b>e
        <p>a<template></p>b</template>c => <p>a<template>{b}</template>c</p>
        <template><b><p>a</b>b</template>c => <template>{<b></b><p><b>a</b>b</p>}</template>c
        <template><table><tr><td>a</template>b => <template>{<table><tbody><tr><td>a</td></tr></tbody></table>}</template>b
        <template><table>a<tr><td>b</table></template>c => <template>{a<table><tbody><tr><td>b</td></tr></tbody></table>}</template>c
        <table><template><tr><td>a</template><tr><td>b => <table><template>{<tr><td>a</td></tr>}</template><tbody><tr><td>b</td></tr></tbody></table>
        <table><tbody><template><tr><td>a</template><td>b => <table><tbody><template>{<tr><td>a</td></tr>}</template><tr><td>b</td></tr></tbody></table>
        <table><tr><template><td>a</template><td>b => <table><tbody><tr><template>{<td>a</td>}</template><td>b</td></tr></tbody></table>
        <table><td><template>a</template>b => <table><tbody><tr><td><template>{a}</template>b</td></tr></tbody></table>
        <table><template>a</template>b => b<table><template>{a}</template></table>
        <table><template><b>a</template>b<tr> => b<table><template>{<b>a</b>}</template><tbody><tr></tr></tbody></table>
        <template><table><b>a</table></template> => <template>{<b>a</b><table></table>}</template>
        <table><colgroup><template><col></template><col> => <table><colgroup><template>{<col></col>}</template><col></col></colgroup></table>
        <table><colgroup></template><col> => <table><colgroup><col></col></colgroup></table>
        <table></template><tr></template><td>a</template>b => <table><tbody><tr><td>ab</td></tr></tbody></table>
        </template>a => a
        <div><template></div>a</template>b</div>c => <div><template>{a}</template>b</div>c
        <template>a<!--b--><!DOCTYPE c></template> => <template>{a<!--b-->}</template>
        <template> => <template>{}</template>
        <template>a => <template>{a}</template>
        <template><b>a => <template>{<b>a</b>}</template>
        <template><tr><td>a => <template>{<tr><td>a</td></tr>}</template>
        <template><template><td>a => <template>{<template>{<td>a</td>}</template>}</template>
        <table><template><td>a => <table><template>{<td>a</td>}</template></table>
        <template><template><tr></template><td>a</template>b => <template>{<template>{<tr></tr>}</template><td>a</td>}</template>b
        <template><template><tr></template>a</template>b => <template>{<template>{<tr></tr>}</template>a}</template>b
        <template><select><option>a</template>b => <template>{<select><option>a</option></select>}</template>b
        <template><li>a<ul><li>b</template><li>c => <template>{<li>a<ul><li>b</li></ul></li>}</template><li>c</li>
        <template><ol><template></ol></template></ol>a</template>b => <template>{<ol><template>{}</template></ol>a}</template>b
        <svg><template><p>a</template>b => <svg:svg><svg:template></svg:template></svg:svg><p>ab</p>
        <template><svg><template>a</template>b</svg></template>c => <template>{<svg:svg><svg:template>a</svg:template>b</svg:svg>}</template>c
        <template>a<frameset></template> => <template>{a}</template>
        <select><template><option>a</template><option>b</select>c => <select><template>{<option>a</option>}</template><option>b</option></select>c
        <template><dd>a<p>b</template>c => <template>{<dd>a<p>b</p></dd>}</template>c
        <template><caption>a<td>b</template>c => <template>{<caption>a</caption><tbody><tr><td>b</td></tr></tbody>}</template>c
        """#))
  func `a template has the rules of its first content`(html: String, expected: String) throws {
    #expect(try HTMLTreeOutline.ofBody(html) == expected)
  }
}
