// Formulas, each written once in whatever forms the page has it.
extension SanitizingSession {
  func beginMath(_ attributes: HTMLAttributes) -> Ending {
    noteAnchor(attributes)
    math = MathWriter()
    math?.start("math", attributes)
    return .nothing
  }

  func finishMath() {
    guard let formula = math else { return }
    math = nil
    leave()
    write(formula)
  }

  /// Begins a script, which is dropped unless it is a formula.
  func beginScript(_ attributes: HTMLAttributes) -> Ending {
    guard let script = FormulaScript(type: attributes["type"]) else {
      if let page = attributes["src"].flatMap(PlayerElement.page) { writeEmbed(page) }
      dropped.scripts += 1
      countLoss(.script)
      return skip()
    }
    let isWritten = formulas.mayHaveSource && followsFormula
    formulas.mayHaveSource = false
    _ = skip()
    guard !isWritten else { return .nothing }
    formulas.script = script
    return .formula
  }

  func finishFormulaScript() throws(MarkupError) {
    guard let script = formulas.script else { return }
    formulas.script = nil
    if let formula = try script.formula(limits: options.limits) {
      write(formula)
    } else {
      writeSource(script.words)
    }
    formulas.mayHaveSource = false
  }

  /// Begins MathJax's rendering of a formula; `nil` if the element is not one.
  func beginDrawnFormula(
    _ name: String, _ attributes: HTMLAttributes
  ) throws(MarkupError) -> Ending? {
    guard DrawnFormula.isBegun(by: name, attributes) else { return nil }
    if let source = attributes["data-mathml"],
      let formula = try FormulaReader.read(Array(source.utf8), limits: options.limits)
    {
      write(formula)
      return skip()
    }
    formulas.drawing = DrawnFormula(name, attributes)
    return .nothing
  }

  /// Begins an element in MathJax's rendering; returns its ending if it is the formula's markup.
  func beginInsideDrawnFormula(_ name: String, _ attributes: HTMLAttributes) -> Ending? {
    guard name == "math" else {
      formulas.drawing?.depth += 1
      formulas.drawing?.note(attributes)
      return nil
    }
    formulas.drawing?.hasFormula = true
    return beginMath(attributes)
  }

  /// Ends MathJax's rendering or an element in it.
  func endInsideDrawnFormula() throws(MarkupError) {
    guard let drawing = formulas.drawing else { return }
    guard drawing.depth == 0 else {
      formulas.drawing?.depth -= 1
      return
    }
    formulas.drawing = nil
    leave()
    guard !drawing.hasFormula else { return }
    if let script = drawing.script {
      if let formula = try script.formula(limits: options.limits) {
        write(formula)
      } else {
        writeSource(script.words)
      }
      return
    }
    var bytes = [UInt8]()
    let words = drawing.substitute
    guard !words.isEmpty else { return countLoss(.formula) }
    for byte in words.utf8 where byte >= 0x20 && byte != 0x7F { bytes.appendEscapedText(byte) }
    formulas.written = place(bytes, words)
  }

  /// Whether only tags were written since the last formula.
  var followsFormula: Bool { formulas.end > 0 && formulas.end == writer.text.count }

  func write(_ formula: MathWriter) {
    guard formula.hasContent else { return }
    _ = place(formula.bytes, formula.text)
    formulas.end = writer.text.count
    formulas.mayHaveSource = true
  }

  /// Writes the source of a formula in an unsupported notation.
  func writeSource(_ source: String) {
    guard !source.isEmpty else { return }
    countLoss(.formula)
    var bytes = Array("<code class=\"latex\">".utf8)
    for byte in source.utf8 where byte >= 0x20 && byte != 0x7F { bytes.appendEscapedText(byte) }
    bytes += "</code>".utf8
    _ = place(bytes, source)
    formulas.end = writer.text.count
  }

  /// Writes a formula at its position, or in place of its rendered text.
  private func place(_ bytes: [UInt8], _ text: String) -> FormulaTracker.Written? {
    // The text is that of the bytes, without control characters.
    let words = String(
      decoding: text.utf8.filter { $0 >= 0x20 && $0 != 0x7F || TextByte.isSpace($0) },
      as: UTF8.self)
    let last = formulas.written
    formulas.written = nil
    if let last, last.textEnd == writer.text.count, last.pictures == pictureCount,
      last.headings == writer.headings.count, !writer.text.hasReadings,
      writer.top.kind != .heading || writer.top.textStart < last.textEnd
    {
      let range = writer.replaceAtom(last.range, with: bytes)
      writer.text.replace(from: last.textStart, with: words)
      return written(range, last.textStart)
    }
    let start = writer.text.count
    let range = writer.writeAtom(bytes)
    writer.addPlain(words)
    return written(range, start)
  }

  private func written(_ range: Range<Int>, _ textStart: Int) -> FormulaTracker.Written {
    FormulaTracker.Written(
      range: range, textStart: textStart, textEnd: writer.text.count, pictures: pictureCount,
      headings: writer.headings.count)
  }
}
