import Testing

@testable import ArchiverMarkup

/// The notation of `mhchem` as LaTeX.
struct ChemistryTests {
  @Test(
    arguments: sides(
      of: #"""
        SO4^2- => \mathrm{SO}_{4}^{2-}
        ^{227}_{90}Th+ => {}^{227}_{90}\mathrm{Th}^{+}
        ^2H => {}^{2}\mathrm{H}
        A^nB => \mathrm{A}^{\mathrm{n}}\mathrm{B}
        A^{\alpha} => \mathrm{A}^{\alpha}
        A^ => \mathrm{A}^{}
        A=_2 => \mathrm{A}{=}_{2}
        (OH)2 => (\mathrm{OH})_{2}
        [X]3 => [\mathrm{X}]_{3}
        A2.5B => \mathrm{A}_{2.5}\mathrm{B}
        {a{b}c}2 => {\mathrm{a}{\mathrm{b}}\mathrm{c}}_{2}
        {a => {\mathrm{a}}
        """#))
  func `a number after a symbol is its index, and marks raise and lower`(
    source: String, latex: String
  ) {
    #expect(Chemistry.latex(source) == latex)
  }

  @Test(
    arguments: sides(
      of: #"""
        2H2 + O2 => 2\,\mathrm{H}_{2} + \mathrm{O}_{2}
        2(A) => 2\,(\mathrm{A})
        2 A => 2 \mathrm{A}
        A  2B => \mathrm{A} 2\,\mathrm{B}
        0.5A => 0.5\,\mathrm{A}
        1/2H2 => \tfrac{1}{2}\,\mathrm{H}_{2}
        1/2/3 => 1/2/3
        1/ => 1/
        """#))
  func `a number before a symbol counts it, and two with a stroke are a fraction`(
    source: String, latex: String
  ) {
    #expect(Chemistry.latex(source) == latex)
  }

  @Test(
    arguments: sides(
      of: #"""
        A+ B => \mathrm{A}^{+} \mathrm{B}
        A- => \mathrm{A}^{-}
        A– => \mathrm{A}^{-}
        (A+)2 => (\mathrm{A}^{+})_{2}
        A+] => \mathrm{A}^{+}]
        A+, => \mathrm{A}^{+},
        A+. => \mathrm{A}^{+}.
        A+; => \mathrm{A}^{+};
        A+: => \mathrm{A}{+}:
        A-B => \mathrm{A}{-}\mathrm{B}
        A−B => \mathrm{A}{-}\mathrm{B}
        A+2B => \mathrm{A}{+}2\,\mathrm{B}
        + A => + \mathrm{A}
        - A => - \mathrm{A}
        A=B => \mathrm{A}{=}\mathrm{B}
        =A => =\mathrm{A}
        A#B => \mathrm{A}{\equiv}\mathrm{B}
        """#))
  func `a sign is a charge at the end of a word, a bond inside, an operator alone`(
    source: String, latex: String
  ) {
    #expect(Chemistry.latex(source) == latex)
  }

  @Test(
    arguments: sides(
      of: #"""
        A->B => \mathrm{A} \longrightarrow \mathrm{B}
        A<-B => \mathrm{A} \longleftarrow \mathrm{B}
        A<->B => \mathrm{A} \longleftrightarrow \mathrm{B}
        A<=>B => \mathrm{A} \rightleftharpoons \mathrm{B}
        A<-->B => \mathrm{A} \rightleftarrows \mathrm{B}
        A->2B => \mathrm{A} \longrightarrow 2\,\mathrm{B}
        A->[x]B => \mathrm{A} \xrightarrow{\mathrm{x}} \mathrm{B}
        A<-[x]B => \mathrm{A} \xleftarrow{\mathrm{x}} \mathrm{B}
        A<->[x]B => \mathrm{A} \xleftrightarrow{\mathrm{x}} \mathrm{B}
        A<=>[x]B => \mathrm{A} \xrightleftharpoons{\mathrm{x}} \mathrm{B}
        A<-->[x]B => \mathrm{A} \xrightleftarrows{\mathrm{x}} \mathrm{B}
        A<=>>[x]B => \mathrm{A} \xrightequilibrium{\mathrm{x}} \mathrm{B}
        A<<=>[x]B => \mathrm{A} \xleftequilibrium{\mathrm{x}} \mathrm{B}
        A->[x][y]B => \mathrm{A} \xrightarrow[{\mathrm{y}}]{\mathrm{x}} \mathrm{B}
        A->[x][y][z]B => \mathrm{A} \xrightarrow[{\mathrm{y}}]{\mathrm{x}} [\mathrm{z}]\mathrm{B}
        A->[a[b]c]B => \mathrm{A} \xrightarrow{\mathrm{a}[\mathrm{b}]\mathrm{c}} \mathrm{B}
        """#))
  func `an arrow has up to two labels`(source: String, latex: String) {
    #expect(Chemistry.latex(source) == latex)
  }

  @Test(
    arguments: sides(
      of: #"""
        A v B => \mathrm{A} \downarrow  \mathrm{B}
        (v) => (\downarrow )
        A vB => \mathrm{A} \mathrm{vB}
        {A}v => {\mathrm{A}}\mathrm{v}
        A ^ B => \mathrm{A} \uparrow  \mathrm{B}
        A*B => \mathrm{A}\cdot \mathrm{B}
        A.B => \mathrm{A}\cdot \mathrm{B}
        A2.B => \mathrm{A}_{2}\cdot \mathrm{B}
        A. => \mathrm{A}.
        .A => .\mathrm{A}
        A<B => \mathrm{A}\lt \mathrm{B}
        A>B => \mathrm{A}\gt \mathrm{B}
        5% => 5\%
        A&B => \mathrm{A}\&\mathrm{B}
        A/B => \mathrm{A}/\mathrm{B}
        """#))
  func `gas, precipitate, addition and other signs are drawn`(source: String, latex: String) {
    #expect(Chemistry.latex(source) == latex)
  }

  @Test(
    arguments: sides(
      of: #"""
        $x$2 => {x}_{2}
        $x$A => {x}\mathrm{A}
        $x => {x}
        \alpha 2 => \alpha _{2}
        \frac{a}{b}c => \frac {a}{b}\mathrm{c}
        \,A => \, \mathrm{A}
        A\bond{=}B => \mathrm{A}{=}\mathrm{B}
        A\bond{2}B => \mathrm{A}{=}\mathrm{B}
        A\bond{#}B => \mathrm{A}{\equiv}\mathrm{B}
        A\bond{3}B => \mathrm{A}{\equiv}\mathrm{B}
        A\bond{-}2B => \mathrm{A}{-}2\,\mathrm{B}
        A\bond B => \mathrm{A}{-}\mathrm{B}
        """#))
  func `formulas, commands and bonds stand among the symbols`(source: String, latex: String) {
    #expect(Chemistry.latex(source) == latex)
  }
}
