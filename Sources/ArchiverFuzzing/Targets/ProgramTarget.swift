import ArchiverCore
import ArchiverMarkup
import ArchiverTestKit
import CommandAdapter

extension FuzzTarget {
  /// Lines of JSON printed by a source program: descriptions, listings, items.
  static let program = FuzzTarget(
    name: "program", dictionary: Words.json + Words.program + Words.html,
    seeds: ProgramSample.lines.map { Array($0.utf8) }
  ) { input in
    let program = SourceProgram(name: "feed", path: "/programs/archiver-source-feed")
    do throws(AdapterError) {
      switch try ProgramReply.read(input, of: program) {
      case .description(let description):
        let properties = try description.properties(of: program)
        return properties.contentStyle.lowercased().contains("url(")
          ? ["style with an address"] : []
      case .page(let page): return problems(of: page)
      case .item(let item): return try problems(of: item)
      case .error(let error):
        return error.code == .cancelled ? ["a program that cancels"] : []
      case .ready, .done, .log, .progress, .unknown: return []
      }
    } catch {
      return error.message.isEmpty ? ["a refusal without words"] : []
    }
  }

  private static func problems(of page: ListingPage) -> [String] {
    page.references.flatMap { reference -> [String] in
      let isPlain = (1...1_024).contains(reference.id.utf8.count)
      return isPlain ? [] : ["an id of \(reference.id.utf8.count) bytes"]
    }
  }

  private static func problems(of item: ProgramItem) throws(AdapterError) -> [String] {
    let folder = HandoverFolder(path: "/nowhere", limit: 1_000)
    let reference = ItemReference(id: "1", revision: "1", title: "t")
    let delivered = try item.sourceItem(reference, folder)
    var problems: [String] = []
    for attachment in delivered.attachments {
      if case .inline = attachment.location { problems.append("a file from outside the folder") }
    }
    if let progress = delivered.metadata.readProgress, !(0...100).contains(progress) {
      problems.append("\(progress) per cent read")
    }
    guard case .html(let bytes, let base) = delivered.body else { return problems }
    do throws(MarkupError) {
      let clean = try HTMLSanitizer().sanitize(bytes, baseURL: base)
      return problems + CanonicalGrammar(clean.bytes).violations
    } catch {
      return problems
    }
  }
}

private enum ProgramSample {
  static let lines = [
    """
    {"type":"description","protocol":1,"kind":"feed","title":"Feed","summary":"Reads feeds",\
    "settings":[{"key":"url","type":"url","required":true,"help":"Where it is"},{"key":"count",\
    "type":"integer","minimum":1,"maximum":9,"default":3,"help":"How many"},{"key":"order","type":\
    "choice","choices":["new","old"],"help":"Which first"}],"processes":2,"contentClasses":["a"],\
    "contentStyle":".a{color:red}"}
    """,
    "{\"type\":\"ready\"}", "{\"type\":\"done\"}",
    """
    {"type":"page","references":[{"id":"1","revision":"a","title":"One","date":"2026-11-21",\
    "payload":"x"},{"id":"2","revision":"b","date":"2026-11-21T10:00:00.5+02:00"}],"deleted":["3"],\
    "checkpoint":"c","total":2,"complete":true}
    """,
    """
    {"type":"item","revision":"b","metadata":{"kind":"article","title":"One","url":\
    "https://example.org/1","authors":["A"],"summary":"s","language":"en","direction":"rtl",\
    "published":"2026-11-21","labels":["l"],"favourite":true,"readProgress":50,"properties":[{"name":\
    "n","value":"v"}]},"html":"<p>words <img src=a.png></p>","baseURL":"https://example.org/1",\
    "attachments":[{"role":"cover","url":"https://example.org/c.png","width":1},{"role":"file","file":\
    "a.pdf"}],"annotations":[{"id":"h","text":"words","created":"2026-11-21"}],"links":[{"kind":"link",\
    "target":"2"}],"addresses":["https://example.org/x"],"record":{"a":[1,null]},"notes":["n"]}
    """,
    "{\"type\":\"log\",\"level\":\"warning\",\"message\":\"m\"}",
    "{\"type\":\"progress\",\"count\":1,\"total\":2}",
    "{\"type\":\"error\",\"code\":\"rateLimited\",\"message\":\"m\",\"retryAfter\":5}",
  ]
}
