import ArchiverCore
import ArchiverTestKit
import Testing

/// The examples of the documentation: the servers deliver an archive, and nothing of `.archiver/`.
@Suite struct WebServerTests {
  @Test func `nginx as documented delivers the archive without what begins with a dot`()
    async throws
  {
    guard let nginx = ChildProcess.find("nginx") else {
      print("skipped: nginx is not installed")
      return
    }
    try await deliver("nginx") { example, archive, folder, port in
      let server = example.replacing("/srv/archive", with: archive)
        .replacing("listen 8080", with: "listen 127.0.0.1:\(port)")
      let paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map {
        "\($0)_temp_path \(folder)/\($0);"
      }
      let text = """
        daemon off; pid \(folder)/pid; events {}
        \(getuid() == 0 ? "user root;" : "")
        http { access_log off; \(paths.joined(separator: " ")) \(server) }
        """
      try Data(text.utf8).write(to: URL(filePath: folder + "/nginx.conf"))
      return try ChildProcess(
        nginx, ["-p", folder, "-c", folder + "/nginx.conf", "-e", folder + "/error.log"],
        environment: ["PATH": "/usr/bin:/bin"])
    }
  }

  @Test func `Caddy as documented delivers the archive without what begins with a dot`()
    async throws
  {
    guard let caddy = ChildProcess.find("caddy") else {
      print("skipped: caddy is not installed")
      return
    }
    try await deliver("caddyfile") { example, archive, folder, port in
      let server = example.replacing("/srv/archive", with: archive)
        .replacing(":8080", with: "http://127.0.0.1:\(port)")
      let text = "{\n  admin off\n  auto_https off\n}\n" + server
      try Data(text.utf8).write(to: URL(filePath: folder + "/Caddyfile"))
      return try ChildProcess(
        caddy, ["run", "--config", folder + "/Caddyfile", "--adapter", "caddyfile"],
        environment: ["PATH": "/usr/bin:/bin", "HOME": folder])
    }
  }

  /// Checks what a server delivers that is started with an example of the documentation.
  private func deliver(
    _ language: String,
    _ start: (_ example: String, _ archive: String, _ folder: String, _ port: Int) throws ->
      ChildProcess
  ) async throws {
    guard ChildProcess.find("curl") != nil else {
      print("skipped: curl is not installed")
      return
    }
    try await Stage.with(articles: 1) { stage in
      #expect(try await stage.run().code == 0)
      // Workers of another user read the files of a folder that only root may enter.
      chmod(stage.home, 0o755)
      let folder = stage.home + "/server"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let port = try freePort()
      let process = try start(
        try #require(try example(language)), stage.archive, folder, port)
      defer { process.end() }
      let base = "http://127.0.0.1:\(port)"
      for _ in 0..<100 where try await status(base + "/") == "000" {
        try await Task.sleep(for: .milliseconds(50))
      }
      #expect(try await status(base + "/") == "200", "\(process.errorOutput)")
      #expect(try await status(base + "/library/status.js") == "200")
      for path in [
        "/.archiver/catalog.sqlite", "/%2earchiver/catalog.sqlite", "//.archiver/catalog.sqlite",
        "/readeck/../.archiver/catalog.sqlite", "/.archiver%2fcatalog.sqlite", "/.archiver/",
      ] {
        #expect(try await status(base + path) == "404", "\(path)")
      }
    }
  }

  private func status(_ address: String) async throws -> String {
    try await Program.tool(
      "curl", ["-s", "-o", "/dev/null", "--path-as-is", "-w", "%{http_code}", address]
    ).output
  }

  private func freePort() throws -> Int {
    let server = try LoopbackServer(handler: { _ in .text("") })
    defer { server.stop() }
    return Int(server.port)
  }

  /// The block of code of the page about web servers that is in this language.
  private func example(_ language: String) throws -> String? {
    let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let page = "\(root)/Sources/ArchiverCLI/ArchiverCLI.docc/WebServer.md"
    let text = String(decoding: try Data(contentsOf: URL(filePath: page)), as: UTF8.self)
    return text.split(separator: "```\(language)\n").dropFirst().first?
      .split(separator: "```").first.map(String.init)
  }
}
