import Testing

@testable import ArchiverMarkup

/// The tree outside a body.
@Suite struct HTMLDocumentTreeTests {
  @Test(
    arguments: sides(
      of: #"""
         a => <html><head></head><body>a</body></html>
        ⏎ <!--a-->⏎ <html> <!--b--> <head> <!--c--> </head> <!--d--> <body> <!--e--> </body> <!--f--> </html> <!--g-->  => <!--a--><html><!--b--><head> <!--c--> </head> <!--d--> <body> <!--e-->     </body><!--f--></html><!--g-->
        <!DOCTYPE html> <!--a--><html> => <!DOCTYPE html><!--a--><html><head></head><body></body></html>
        <!DOCTYPE html><!DOCTYPE html>a => <!DOCTYPE html><html><head></head><body>a</body></html>
        <!DOCTYPE html PUBLIC "a" "b"> => <!DOCTYPE html><html><head></head><body></body></html>
        <!DOCTYPE html SYSTEM "about:legacy-compat"><p><table> => <!DOCTYPE html><html><head></head><body><p></p><table></table></body></html>
        <!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd"><p><table> => <!DOCTYPE html><html><head></head><body><p></p><table></table></body></html>
        <!DOCTYPE html PUBLIC "-//W3C//DTD HTML 3.2 Final//EN"><p><table> => <!DOCTYPE html><html><head></head><body><p><table></table></p></body></html>
        <!DOCTYPE x><p><table> => <!DOCTYPE x><html><head></head><body><p><table></table></p></body></html>
        <!DOCTYPE><p><table> => <!DOCTYPE><html><head></head><body><p><table></table></p></body></html>
        <p><table> => <html><head></head><body><p><table></table></p></body></html>
        <!--a--><p><table> => <!--a--><html><head></head><body><p><table></table></p></body></html>
        <!DOCTYPE html><p>a<table> => <!DOCTYPE html><html><head></head><body><p>a</p><table></table></body></html>
        </p>a => <html><head></head><body>a</body></html>
        </head>a => <html><head></head><body>a</body></html>
        </body>a => <html><head></head><body>a</body></html>
        </html>a => <html><head></head><body>a</body></html>
        </br>a => <html><head></head><body><br></br>a</body></html>
        </div><p>a => <html><head></head><body><p>a</p></body></html>
        <!--a--></div></x>b => <!--a--><html><head></head><body>b</body></html>
        <html></div></p>a => <html><head></head><body>a</body></html>
        <html id=a><html class=b id=c>d => <html id=a class=b><head></head><body>d</body></html>
        <html><html id=a><head></html>b => <html id=a><head></head><body>b</body></html>
        <head id=a><head id=b>c => <html><head id=a></head><body>c</body></html>
        <head></head></head>a => <html><head></head><body>a</body></html>
        <head></p></div>a => <html><head></head><body>a</body></html>
        <head></br>a => <html><head></head><body><br></br>a</body></html>
        <head></body>a => <html><head></head><body>a</body></html>
        <head></html>a => <html><head></head><body>a</body></html>
        <html></head>a => <html><head></head><body>a</body></html>
        <html></body>a => <html><head></head><body>a</body></html>
        <html></html>a => <html><head></head><body>a</body></html>
        <html></br>a => <html><head></head><body><br></br>a</body></html>
        <title>a</title>b => <html><head><title>a</title></head><body>b</body></html>
        <title>a => <html><head><title>a</title></head><body></body></html>
        <title>a<b></titl></title >c => <html><head><title>a<b></titl></title></head><body>c</body></html>
        <title>␀a</title> => <html><head><title>�a</title></head><body></body></html>
        <style>a<b</style><script>c<d</script>e => <html><head><style>a<b</style><script>c<d</script></head><body>e</body></html>
        <base><basefont><bgsound><link><meta>a => <html><head><base></base><basefont></basefont><bgsound></bgsound><link></link><meta></meta></head><body>a</body></html>
        <link>⏎ <meta>⏎a => <html><head><link></link>⏎ <meta></meta>⏎</head><body>a</body></html>
        <head>  a => <html><head>  </head><body>a</body></html>
        <head>⏎<title>a</title>⏎</head>⏎<body>⏎b => <html><head>⏎<title>a</title>⏎</head>⏎<body>⏎b</body></html>
        <head><!--a--><!DOCTYPE b></head> => <html><head><!--a--></head><body></body></html>
        <head><noscript><link><style>a</style> <!--b--></noscript><meta>c => <html><head><noscript><link></link><style>a</style> <!--b--></noscript><meta></meta></head><body>c</body></html>
        <head><noscript>a</noscript>b => <html><head><noscript></noscript></head><body>ab</body></html>
        <head><noscript><p>a</noscript>b => <html><head><noscript></noscript></head><body><p>ab</p></body></html>
        <head><noscript> <meta> </noscript> a => <html><head><noscript> <meta></meta> </noscript> </head><body>a</body></html>
        <head><noscript><basefont><bgsound><noframes>a</noframes></noscript>b => <html><head><noscript><basefont></basefont><bgsound></bgsound><noframes>a</noframes></noscript></head><body>b</body></html>
        <head><noscript><head><noscript></p></noscript>a => <html><head><noscript></noscript></head><body>a</body></html>
        <head><noscript></br>a => <html><head><noscript></noscript></head><body><br></br>a</body></html>
        <head><noscript><html id=a></noscript>b => <html id=a><head><noscript></noscript></head><body>b</body></html>
        <head><noscript><!DOCTYPE a></head>b => <html><head><noscript></noscript></head><body>b</body></html>
        <head><noscript><title>a</title></noscript>b => <html><head><noscript></noscript><title>a</title></head><body>b</body></html>
        <head></head><title>a</title><link><p>b => <html><head><title>a</title><link></link></head><body><p>b</p></body></html>
        <head></head><style>a</style><script>b</script><noframes>c</noframes><meta><base>d => <html><head><style>a</style><script>b</script><noframes>c</noframes><meta></meta><base></base></head><body>d</body></html>
        <head></head><template>a</template><title>b</title><body>c => <html><head><template>{a}</template><title>b</title></head><body>c</body></html>
        <head></head> <!--a--> <p>b => <html><head></head> <!--a--> <body><p>b</p></body></html>
        <head></head></template></div></p>a => <html><head></head><body>a</body></html>
        <head></head></br>a => <html><head></head><body><br></br>a</body></html>
        <head></head></body>a => <html><head></head><body>a</body></html>
        <head></head></html>a => <html><head></head><body>a</body></html>
        <head></head><html id=a><head><body id=b>c => <html id=a><head></head><body id=b>c</body></html>
        <head></head><!DOCTYPE a><p>b => <html><head></head><body><p>b</p></body></html>
        <head></head><link><!--a--><p>b => <html><head><link></link></head><!--a--><body><p>b</p></body></html>
        <head><template>a</template><title>b</title></head>c => <html><head><template>{a}</template><title>b</title></head><body>c</body></html>
        <head><template></head>a</template>b => <html><head><template>{a}</template></head><body>b</body></html>
        <head></template><title>a</title> => <html><head><title>a</title></head><body></body></html>
        <template><tr><td>a</template><p>b => <html><head><template>{<tr><td>a</td></tr>}</template></head><body><p>b</p></body></html>
        <template></template> <head>a => <html><head><template>{}</template> </head><body>a</body></html>
        <script>a</script> <p>b => <html><head><script>a</script> </head><body><p>b</p></body></html>
        <script>a => <html><head><script>a</script></head><body></body></html>
        <script><!--<script></script>-->a</script>b => <html><head><script><!--<script></script>-->a</script></head><body>b</body></html>
        <style>a => <html><head><style>a</style></head><body></body></html>
        <noframes>a<p></noframes>b => <html><head><noframes>a<p></noframes></head><body>b</body></html>
        <textarea>a => <html><head></head><body><textarea>a</textarea></body></html>
        <textarea>&amp;<b></textarea>c => <html><head></head><body><textarea>&<b></textarea>c</body></html>
        <iframe>&amp; => <html><head></head><body><iframe>&amp;</iframe></body></html>
        <xmp>a => <html><head></head><body><xmp>a</xmp></body></html>
        <body id=a>b</body><body id=c class=d>e => <html><head></head><body id=a class=d>be</body></html>
        <body></body>a => <html><head></head><body>a</body></html>
        <body></body> a => <html><head></head><body> a</body></html>
        <body></body> <p>b => <html><head></head><body> <p>b</p></body></html>
        <body></body></p>b => <html><head></head><body><p></p>b</body></html>
        <body></body><!--a--><!--b--> => <html><head></head><body></body><!--a--><!--b--></html>
        <body></body><!DOCTYPE a><html id=b></html></html><html class=c> => <html id=b class=c><head></head><body></body></html>
        <body></body></html>a => <html><head></head><body>a</body></html>
        <body></body></html> a => <html><head></head><body> a</body></html>
        <body></body></html> <!--a--> <!--b--> => <html><head></head><body>  </body></html><!--a--><!--b-->
        <body></body></html></p>b => <html><head></head><body><p></p>b</body></html>
        <body></body></html><p>b => <html><head></head><body><p>b</p></body></html>
        <body></body></html><!DOCTYPE a><html id=b> => <html id=b><head></head><body></body></html>
        <body></html><!--a--> => <html><head></head><body></body></html><!--a-->
        <body><p>a</body>b => <html><head></head><body><p>ab</p></body></html>
        <body><p>a</html>b => <html><head></head><body><p>ab</p></body></html>
        <body><div></body>a</div>b => <html><head></head><body><div>a</div>b</body></html>
        <body><object></body>a</object></body><!--b--> => <html><head></head><body><object>a</object></body><!--b--></html>
        <p>a</body></div></html><div>b => <html><head></head><body><p>a</p><div>b</div></body></html>
        <svg></body>a => <html><head></head><body><svg:svg>a</svg:svg></body></html>
        <svg><desc></html>a<!--b--> => <html><head></head><body><svg:svg><svg:desc>a<!--b--></svg:desc></svg:svg></body></html>
        <body>␀</body>␀</html>␀a => <html><head></head><body>a</body></html>
        """#))
  func `html, head and body are supplied, and content is in the right one`(
    html: String, expected: String
  ) throws {
    #expect(try HTMLTreeOutline.of(html) == expected)
  }

  @Test(
    arguments: sides(
      of: #"""
        <frameset> => <html><head></head><frameset></frameset></html>
        <frameset><frame><frame></frameset> => <html><head></head><frameset><frame></frame><frame></frame></frameset></html>
        <frameset> a b⏎<frame>c </frameset> d </html> e  => <html><head></head><frameset>  ⏎<frame></frame> </frameset>    </html>
        <frameset><!--a--></frameset><!--b--></html><!--c--> => <html><head></head><frameset><!--a--></frameset><!--b--></html><!--c-->
        <frameset><frameset><frame></frameset><frame></frameset> => <html><head></head><frameset><frameset><frame></frame></frameset><frame></frame></frameset></html>
        <frameset><frameset></frameset></frameset></frameset><frame> => <html><head></head><frameset><frameset></frameset></frameset></html>
        <frameset><html id=a></frameset><html class=b></html><html lang=c> => <html id=a class=b lang=c><head></head><frameset></frameset></html>
        <frameset><noframes>a<p></noframes></frameset><noframes>b</noframes></html><noframes>c</noframes> => <html><head></head><frameset><noframes>a<p></noframes></frameset><noframes>b</noframes><noframes>c</noframes></html>
        <frameset></p></html></body><p><div><body>a => <html><head></head><frameset></frameset></html>
        <frameset></frameset><frame><frameset><p>a</p></frameset> => <html><head></head><frameset></frameset></html>
        <frameset></frameset></html><frame></frameset><p>a => <html><head></head><frameset></frameset></html>
        <frameset><!DOCTYPE a></frameset><!DOCTYPE b></html><!DOCTYPE c> => <html><head></head><frameset></frameset></html>
        <frameset cols=1 rows=2><frame src=a id=b> => <html><head></head><frameset cols=1 rows=2><frame src=a id=b></frame></frameset></html>
        <head></head> <frameset> <frame> => <html><head></head> <frameset> <frame></frame></frameset></html>
        <head><title>a</title></head><frameset> => <html><head><title>a</title></head><frameset></frameset></html>
        <html><frameset></frameset></html> => <html><head></head><frameset></frameset></html>
        <body><frameset><frame> => <html><head></head><body></body></html>
        <p><frameset><frame></frameset> => <html><head></head><frameset><frame></frame></frameset></html>
        <p> <frameset> => <html><head></head><frameset></frameset></html>
        <p>a<frameset> => <html><head></head><body><p>a</p></body></html>
        <!--a--><p><!--b--><frameset> => <!--a--><html><head></head><frameset></frameset></html>
        <svg><frameset> => <html><head></head><body><svg:svg><svg:frameset></svg:frameset></svg:svg></body></html>
        <svg></svg><frameset><frame> => <html><head></head><frameset><frame></frame></frameset></html>
        <svg> </svg><frameset> => <html><head></head><frameset></frameset></html>
        <svg>a</svg><frameset> => <html><head></head><body><svg:svg>a</svg:svg></body></html>
        <svg>␀</svg><frameset> => <html><head></head><frameset></frameset></html>
        <p>␀<frameset> => <html><head></head><frameset></frameset></html>
        <input type=hidden><frameset> => <html><head></head><frameset></frameset></html>
        <input type=Hidden id=a><frameset> => <html><head></head><frameset></frameset></html>
        <input name=abcdef type=hidden><frameset> => <html><head></head><frameset></frameset></html>
        <input><frameset> => <html><head></head><body><input></input></body></html>
        <input type=text name=hidden><frameset> => <html><head></head><body><input type=text name=hidden></input></body></html>
        <input type=hiddem><frameset> => <html><head></head><body><input type=hiddem></input></body></html>
        <input type=hidde><frameset> => <html><head></head><body><input type=hidde></input></body></html>
        <input type=hiddenx><frameset> => <html><head></head><body><input type=hiddenx></input></body></html>
        <input type=h><frameset> => <html><head></head><body><input type=h></input></body></html>
        <input type=''><frameset> => <html><head></head><body><input type=></input></body></html>
        <input value=hidden><frameset> => <html><head></head><body><input value=hidden></input></body></html>
        <form></form><frameset> => <html><head></head><frameset></frameset></html>
        <p><template></template><frameset> => <html><head></head><body><p><template>{}</template></p></body></html>
        <p><body><frameset> => <html><head></head><body><p></p></body></html>
        <frame><p>a => <html><head></head><body><p>a</p></body></html>
        <frameset></br>a => <html><head></head><frameset></frameset></html>
        </frameset>a => <html><head></head><body>a</body></html>
        <p></frameset>a => <html><head></head><body><p>a</p></body></html>
        <frameset><template><frame></template></frameset> => <html><head></head><frameset><frame></frame></frameset></html>
        <frameset><script>a</script><style>b</style><frame> => <html><head></head><frameset><frame></frame></frameset></html>
        """#))
  func `a frameset replaces a body without visible content`(html: String, expected: String) throws {
    #expect(try HTMLTreeOutline.of(html) == expected)
  }

  @Test(
    arguments: sides(
      of: #"""
        <!DOCTYPE html><body><body id=a><body id=b class=c>x => <!DOCTYPE html><html><head></head><body id=a class=c>x</body></html>
        <!DOCTYPE html><body><html id=a>x<html id=b lang=c> => <!DOCTYPE html><html id=a lang=c><head></head><body>x</body></html>
        <!DOCTYPE html><body>a<html lang=b title=c> => <!DOCTYPE html><html lang=b title=c><head></head><body>a</body></html>
        <!DOCTYPE html><body><template><html id=a></template><html id=b> => <!DOCTYPE html><html id=b><head></head><body><template>{}</template></body></html>
        <!DOCTYPE html><body><table><colgroup><html id=x><td>a => <!DOCTYPE html><html id=x><head></head><body><table><colgroup></colgroup><tbody><tr><td>a</td></tr></tbody></table></body></html>
        <!DOCTYPE html><body><table><html id=x><body class=y>a => <!DOCTYPE html><html id=x><head></head><body class=y>a<table></table></body></html>
        """#))
  func `a repeated html or body tag adds its new attributes`(html: String, expected: String) throws
  {
    #expect(try HTMLTreeOutline.of(html) == expected)
  }
}
