import ArchiverCore
import ArchiverMarkup
import ArchiverSite

extension FuzzTarget {
  /// The relations in an item's record, exported for other programs.
  static let graph = FuzzTarget(
    name: "graph", dictionary: Words.json + Words.graph, seeds: [Array(graphSample.utf8)]
  ) { input in
    guard let record = GraphRecord(source: input) else { return [] }
    var graph = LibraryGraph()
    graph.add(record, folder: "notion/a-page")
    graph.addSharedFiles()
    var problems: [String] = []
    let json = GraphFiles.json(graph)
    if json.count > 1_000_000 + 100 * input.count {
      problems.append("it grows to \(json.count) bytes")
    }
    do {
      let value = try JSONDecoder().decode(JSONValue.self, from: Data(json))
      let ids = Set((value["nodes"]?.array ?? []).compactMap { $0["id"]?.string })
      let ends = (value["edges"]?.array ?? []).flatMap {
        [$0["source"]?.string, $0["target"]?.string]
      }
      if !ends.allSatisfy({ $0.map(ids.contains) == true }) {
        problems.append("an edge to nowhere")
      }
    } catch {
      problems.append("no JSON: \(error)")
    }
    if String(decoding: json, as: UTF8.self).contains("</") { problems.append("a tag in a script") }
    do throws(MarkupError) {
      _ = try XMLDocument(GraphFiles.graphML(graph))
    } catch {
      problems.append("no XML: \(error.message)")
    }
    return problems
  }

  private static let graphSample = """
    {"graph":{"node":{"id":"a","kind":"page","title":"A","url":"https://notion.so/a","icon":"x",\
    "parent":"b","created":"2026-01-01T00:00:00Z","edited":"2026-01-01T00:00:00Z","in_trash":false,\
    "shared":true},"others":[{"id":"b","kind":"database","title":"<B>"},{"id":"tag:t","kind":"tag",\
    "title":"t"},{"id":"s","kind":"data_source","parent":"a"}],"edges":[{"source":"a","target":"b",\
    "kind":"parent"},{"source":"a","target":"c","kind":"relation","count":2,"blocks":["k"],"names":\
    ["Next"],"reverse":"Before"},{"source":"a","target":"tag:t","kind":"tag"}],"files":[{"hash":"00",\
    "name":"f.png"}]}}
    """
}
