import ArchiverCore
import ArchiverTestKit
import Testing

@testable import ArchiverSite

extension InBrowser {
  /// The names in the drawing of the graph.
  @Suite(.serialized) struct GraphNamesTests {
    /// Points at each node and compares the names of it and its neighbours in pairs.
    private static let overlaps = """
      const svg = document.getElementById("graph");
      const found = [];
      let [texts, nodes] = [0, 0];
      for (const node of svg.querySelectorAll(".nodes > *")) {
        node.querySelector("title").textContent = "A name of medium length " + nodes;
        nodes += 1;
      }
      for (const node of svg.querySelectorAll(".nodes > *")) {
        node.dispatchEvent(new PointerEvent("pointerover", { bubbles: true }));
        const own = svg.querySelector(".label .own");
        if (own?.textContent !== node.querySelector("title").textContent) found.push("no own name");
        const all = [...svg.querySelectorAll(".label text")];
        texts += all.length;
        const boxes = all.map((one) => one.getBoundingClientRect());
        boxes.forEach((one, at) => boxes.slice(at + 1).forEach((other, more) => {
          const [x, y] = [Math.min(one.right, other.right) - Math.max(one.left, other.left),
            Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top)];
          if (x > 2 && y > 2) found.push(all[at].textContent + " / " + all[at + 1 + more].textContent);
        }));
      }
      return [nodes, texts, ...found];
      """

    @Test(arguments: [360, 1_280])
    func `the names of a node and its neighbours do not overlap`(width: Int) async throws {
      guard let browser = try await LibraryBrowser.start(.chromium) else { return }
      guard case .chromium(let driver) = browser else { return }
      try await TemporaryFolder.with("graph") { root in
        try BrowsedArchive.write(to: root)
        try await driver.devTools(
          "Emulation.setDeviceMetricsOverride",
          [
            "width": .integer(width), "height": 740, "deviceScaleFactor": 1, "mobile": false,
          ])
        try await browser.open("file://\(root)/library/graph.html")
        #expect(try await browser.becomes("document.querySelector('#graph-tools button')"))
        let found = try await browser.run(Self.overlaps)
        let (nodes, texts) = (found[0]?.integer ?? 0, found[1]?.integer ?? 0)
        #expect(nodes > 20 && texts > nodes * 3 / 2, "\(nodes) nodes, \(texts) names")
        #expect(found.array?.dropFirst(2).isEmpty == true, "\(found)")
      }
      await browser.quit()
    }
  }
}
