/// The characters of LaTeX's commands without arguments, by name.
enum LaTeXSigns {
  /// Letters, which are italic if single.
  static let letters = table(lettersInOrder)
  private static let lettersInOrder = pairs(
    #"""
    alpha α beta β gamma γ delta δ epsilon ϵ varepsilon ε zeta ζ eta η theta θ vartheta ϑ iota ι kappa κ \#
    lambda λ mu μ nu ν xi ξ omicron ο pi π varpi ϖ rho ρ varrho ϱ sigma σ varsigma ς tau τ upsilon υ \#
    phi ϕ varphi φ chi χ psi ψ omega ω ell ℓ imath ı jmath ȷ hbar ℏ hslash ℏ wp ℘ partial ∂ digamma ϝ \#
    varGamma 𝛤 varDelta 𝛥 varTheta 𝛩 varLambda 𝛬 varXi 𝛯 varPi 𝛱 varSigma 𝛴 varUpsilon 𝛶 varPhi 𝛷 \#
    varPsi 𝛹 varOmega 𝛺 varkappa ϰ thetasym ϑ
    """#)

  /// Upright letters and signs.
  static let uprights = table(uprightsInOrder)
  private static let uprightsInOrder = pairs(
    #"""
    Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Upsilon Υ Phi Φ Psi Ψ Omega Ω infty ∞ emptyset ∅ \#
    varnothing ∅ nabla ∇ Re ℜ Im ℑ aleph ℵ beth ℶ angle ∠ top ⊤ bot ⊥ forall ∀ exists ∃ nexists ∄ \#
    degree ° dagger † ddagger ‡ checkmark ✓ square □ Box □ triangle △ blacksquare ■ clubsuit ♣ \#
    diamondsuit ♢ heartsuit ♡ spadesuit ♠ ldots … dots … dotsc … cdots ⋯ dotsb ⋯ vdots ⋮ ddots ⋱ prime ′ \#
    $ $ % % # # _ _ & & copyright © pounds £ R ℝ N ℕ Z ℤ Q ℚ reals ℝ Reals ℝ natnums ℕ S § P ¶ euro € \#
    yen ¥ complement ∁ measuredangle ∡ flat ♭ natural ♮ sharp ♯ dag † ddag ‡ triangledown ▽ lozenge ◊ \#
    circledS Ⓢ circledR ® mho ℧ Finv Ⅎ Game ⅁ backprime ‵ blacktriangle ▲ blacktriangledown ▼ \#
    blacklozenge ⧫ bigstar ★ sphericalangle ∢ eth ð diagup ╱ diagdown ╲ Diamond ◊ daleth ℸ gimel ℷ \#
    surd √ varvdots ⋮ mathsterling £ maltese ✠ Bbbk 𝕜 infin ∞ empty ∅ exist ∃ alef ℵ alefsym ℵ real ℜ \#
    image ℑ cnums ℂ Complex ℂ clubs ♣ diamonds ♢ hearts ♡ spades ♠ weierp ℘ Dagger ‡ sect § Alpha Α \#
    Beta Β Epsilon Ε Zeta Ζ Eta Η Iota Ι Kappa Κ Mu Μ Nu Ν Omicron Ο Rho Ρ Tau Τ Chi Χ AA Å aa å ae æ \#
    AE Æ oe œ OE Œ o ø O Ø ss ß i ı j ȷ lq ‘ rq ’ textcopyright © textregistered ® textdollar $ \#
    textsterling £ textdegree ° textdagger † textdaggerdbl ‡ textbackslash \ textasciitilde ~ \#
    textasciicircum ^ textunderscore _ textbraceleft { textbraceright } textbar | textbardbl ‖ \#
    textless < textgreater > textendash – textemdash — textquoteleft ‘ textquoteright ’ \#
    textquotedblleft “ textquotedblright ” textellipsis … dotso … dotsm ⋯ dotsi ⋯ dotsx … mathdollar $ \#
    TeX TeX LaTeX LaTeX KaTeX KaTeX MathJax MathJax iddots ⋰ adots ⋰
    """#)

  /// Operators, relations and arrows.
  static let operators = table(operatorsInOrder)
  private static let operatorsInOrder = pairs(
    #"""
    pm ± mp ∓ times × div ÷ cdot ⋅ ast ∗ star ⋆ circ ∘ bullet ∙ oplus ⊕ ominus ⊖ otimes ⊗ oslash ⊘ \#
    odot ⊙ cap ∩ cup ∪ sqcap ⊓ sqcup ⊔ wedge ∧ land ∧ vee ∨ lor ∨ setminus ∖ neg ¬ lnot ¬ le ≤ leq ≤ \#
    ge ≥ geq ≥ leqslant ⩽ geqslant ⩾ ll ≪ gg ≫ ne ≠ neq ≠ equiv ≡ sim ∼ simeq ≃ approx ≈ cong ≅ propto ∝ \#
    doteq ≐ prec ≺ succ ≻ preceq ⪯ succeq ⪰ subset ⊂ supset ⊃ subseteq ⊆ supseteq ⊇ subsetneq ⊊ \#
    supsetneq ⊋ sqsubseteq ⊑ sqsupseteq ⊒ in ∈ ni ∋ notin ∉ mid ∣ nmid ∤ parallel ∥ nparallel ∦ perp ⟂ \#
    vdash ⊢ dashv ⊣ models ⊨ vDash ⊨ therefore ∴ because ∵ colon : coloneqq ≔ triangleq ≜ asymp ≍ \#
    bowtie ⋈ ltimes ⋉ rtimes ⋊ to → rightarrow → leftarrow ← gets ← leftrightarrow ↔ Rightarrow ⇒ \#
    Leftarrow ⇐ Leftrightarrow ⇔ implies ⟹ impliedby ⟸ iff ⟺ longrightarrow ⟶ longleftarrow ⟵ \#
    Longrightarrow ⟹ Longleftarrow ⟸ longleftrightarrow ⟷ Longleftrightarrow ⟺ mapsto ↦ longmapsto ⟼ \#
    uparrow ↑ downarrow ↓ updownarrow ↕ Uparrow ⇑ Downarrow ⇓ nearrow ↗ searrow ↘ swarrow ↙ nwarrow ↖ \#
    hookrightarrow ↪ hookleftarrow ↩ rightharpoonup ⇀ rightleftharpoons ⇌ leftharpoonup ↼ \#
    rightsquigarrow ⇝ leadsto ⇝ twoheadrightarrow ↠ uplus ⊎ amalg ⨿ diamond ⋄ triangleleft ◁ \#
    triangleright ▷ lesssim ≲ gtrsim ≳ nleq ≰ ngeq ≱ nsubseteq ⊈ nsupseteq ⊉ vartriangle △ smile ⌣ \#
    frown ⌢ wr ≀ bmod mod owns ∋ ldotp . cdotp ⋅ bigcirc ◯ And & leftharpoondown ↽ rightharpoondown ⇁ \#
    nless ≮ lneq ⪇ lneqq ≨ lnsim ⋦ lnapprox ⪉ nprec ⊀ npreceq ⋠ precnsim ⋨ precnapprox ⪹ nsim ≁ nvdash ⊬ \#
    nvDash ⊭ ntriangleleft ⋪ ntrianglelefteq ⋬ subsetneqq ⫋ ngtr ≯ gneq ⪈ gneqq ≩ gnsim ⋧ gnapprox ⪊ \#
    nsucc ⊁ nsucceq ⋡ succnsim ⋩ succnapprox ⪺ ncong ≆ nVDash ⊯ ntriangleright ⋫ ntrianglerighteq ⋭ \#
    supsetneqq ⫌ nVdash ⊮ precneqq ⪵ succneqq ⪶ unlhd ⊴ unrhd ⊵ nleftarrow ↚ nrightarrow ↛ nLeftarrow ⇍ \#
    nRightarrow ⇏ nleftrightarrow ↮ nLeftrightarrow ⇎ leqq ≦ eqslantless ⪕ lessapprox ⪅ approxeq ≊ \#
    lessdot ⋖ lll ⋘ lessgtr ≶ lesseqgtr ⋚ lesseqqgtr ⪋ doteqdot ≑ risingdotseq ≓ fallingdotseq ≒ \#
    backsim ∽ backsimeq ⋍ subseteqq ⫅ Subset ⋐ sqsubset ⊏ preccurlyeq ≼ curlyeqprec ⋞ precsim ≾ \#
    precapprox ⪷ vartriangleleft ⊲ trianglelefteq ⊴ Vvdash ⊪ smallsmile ⌣ smallfrown ⌢ bumpeq ≏ Bumpeq ≎ \#
    geqq ≧ eqslantgtr ⪖ gtrapprox ⪆ gtrdot ⋗ ggg ⋙ gtrless ≷ gtreqless ⋛ gtreqqless ⪌ eqcirc ≖ circeq ≗ \#
    thicksim ∼ thickapprox ≈ supseteqq ⫆ Supset ⋑ sqsupset ⊐ succcurlyeq ≽ curlyeqsucc ⋟ succsim ≿ \#
    succapprox ⪸ vartriangleright ⊳ trianglerighteq ⊵ Vdash ⊩ shortmid ∣ shortparallel ∥ between ≬ \#
    pitchfork ⋔ varpropto ∝ blacktriangleleft ◀ backepsilon ∍ blacktriangleright ▶ llless ⋘ gggtr ⋙ \#
    lhd ⊲ rhd ⊳ eqsim ≂ Join ⋈ Doteq ≑ dotplus ∔ smallsetminus ∖ Cap ⋒ Cup ⋓ doublebarwedge ⩞ boxminus ⊟ \#
    boxplus ⊞ divideontimes ⋇ leftthreetimes ⋋ rightthreetimes ⋌ curlywedge ⋏ curlyvee ⋎ circleddash ⊝ \#
    circledast ⊛ centerdot ⋅ intercal ⊺ doublecap ⋒ doublecup ⋓ boxtimes ⊠ dashrightarrow ⇢ \#
    dashleftarrow ⇠ leftleftarrows ⇇ leftrightarrows ⇆ Lleftarrow ⇚ twoheadleftarrow ↞ leftarrowtail ↢ \#
    looparrowleft ↫ leftrightharpoons ⇋ curvearrowleft ↶ circlearrowleft ↺ Lsh ↰ upuparrows ⇈ \#
    upharpoonleft ↿ downharpoonleft ⇃ origof ⊶ imageof ⊷ multimap ⊸ leftrightsquigarrow ↭ \#
    rightrightarrows ⇉ rightleftarrows ⇄ rightarrowtail ↣ looparrowright ↬ curvearrowright ↷ \#
    circlearrowright ↻ Rsh ↱ downdownarrows ⇊ upharpoonright ↾ downharpoonright ⇂ Rrightarrow ⇛ \#
    restriction ↾ gt > lt < barwedge ⊼ veebar ⊻ circledcirc ⊚ boxdot ⊡ bigtriangleup △ bigtriangledown ▽ \#
    Updownarrow ⇕ mathellipsis … bull ∙ plusmn ± sdot ⋅ isin ∈ sub ⊂ sube ⊆ supe ⊇ rarr → larr ← harr ↔ \#
    lrarr ↔ uarr ↑ darr ↓ rArr ⇒ lArr ⇐ hArr ⇔ lrArr ⇔ uArr ⇑ dArr ⇓ Rarr ⇒ Larr ⇐ Harr ⇔ Lrarr ⇔ Uarr ⇑ \#
    Darr ⇓ vcentcolon : ratio ∶ dblcolon ∷ coloncolon ∷ colonequals ≔ Coloneqq ⩴ coloncolonequals ⩴ \#
    eqqcolon ≕ equalscolon ≕ Eqqcolon =∷ equalscoloncolon =∷ coloneq :− colonminus :− Coloneq ∷− \#
    coloncolonminus ∷− eqcolon ∹ minuscolon −: minuscoloncolon −∷ Eqcolon −∷ colonapprox :≈ \#
    Colonapprox ∷≈ coloncolonapprox ∷≈ colonsim :∼ Colonsim ∷∼ coloncolonsim ∷∼ simcolon ∼: \#
    simcoloncolon ∼∷ approxcolon ≈: approxcoloncolon ≈∷ notni ∌ gvertneqq ≩ lvertneqq ≨ ngeqq ≱ \#
    ngeqslant ≱ nleqq ≰ nleqslant ≰ nshortmid ∤ nshortparallel ∦ nsubseteqq ⊈ nsupseteqq ⊉ \#
    varsubsetneq ⊊ varsubsetneqq ⫋ varsupsetneq ⊋ varsupsetneqq ⫌ minuso ⦵ standardstate ⦵ \#
    longmapsfrom ⟻ mapsfrom ↤ ordinarycolon : tofrom ⇄ Perp ⫫ upmodels ⊨ leftmapsto ↤
    """#)

  /// Large operators, which take limits.
  static let large = table(largeInOrder)
  private static let largeInOrder = pairs(
    #"""
    sum ∑ prod ∏ coprod ∐ bigcup ⋃ bigcap ⋂ bigoplus ⨁ bigotimes ⨂ bigodot ⨀ bigvee ⋁ bigwedge ⋀ \#
    biguplus ⨄ bigsqcup ⨆ bigsqcap ⨅
    """#)

  /// Integrals, whose limits are beside them.
  static let integrals = table(integralsInOrder)
  private static let integralsInOrder = pairs(
    #"""
    int ∫ iint ∬ iiint ∭ oint ∮ oiint ∯ intop ∫ smallint ∫ oiiint ∰
    """#)

  /// Brackets that may follow `\left`, `\right` and `\big`.
  static let delimiters = table(delimitersInOrder)
  private static let delimitersInOrder = pairs(
    #"""
    { { } } lbrace { rbrace } langle ⟨ rangle ⟩ lfloor ⌊ rfloor ⌋ lceil ⌈ rceil ⌉ vert | lvert | rvert | \#
    | ‖ Vert ‖ lVert ‖ rVert ‖ lbrack [ rbrack ] backslash \ uparrow ↑ downarrow ↓ updownarrow ↕ \#
    lgroup ⟮ rgroup ⟯ lparen ( rparen ) rmoustache ⎱ lmoustache ⎰ lang ⟨ rang ⟩ llbracket ⟦ rrbracket ⟧ \#
    lBrace ⦃ rBrace ⦄ ulcorner ⌜ urcorner ⌝ llcorner ⌞ lrcorner ⌟ Uparrow ⇑ Downarrow ⇓ Updownarrow ⇕ \#
    uarr ↑ darr ↓ bracevert ⎪ arrowvert | Arrowvert ‖
    """#)

  /// Returns the name of a sign without its backslash; of several names the usual one.
  static func name(of sign: String) -> String? { names[sign] }

  private static let names: [String: String] = {
    let all =
      largeInOrder + integralsInOrder + lettersInOrder + operatorsInOrder + uprightsInOrder
      + delimitersInOrder
    // ASCII characters need no command.
    return table(all.filter { !$0.sign.utf8.allSatisfy { $0 < 0x80 } }.map { ($0.sign, $0.name) })
  }()

  private static func table(_ pairs: [(name: String, sign: String)]) -> [String: String] {
    Dictionary(pairs.map { ($0.name, $0.sign) }, uniquingKeysWith: { first, _ in first })
  }

  private static func pairs(_ text: String) -> [(name: String, sign: String)] {
    let words = text.split(separator: " ").map(String.init)
    return stride(from: 0, to: words.count - 1, by: 2).map { (words[$0], words[$0 + 1]) }
  }
}
