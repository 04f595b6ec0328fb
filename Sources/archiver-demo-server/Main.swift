import ArchiverCore

@main
struct Main {
  static func main() async throws {
    for (name, picture) in Album.pictures {
      try picture.data(.full).write(
        to: URL(fileURLWithPath: "/tmp/demo-pics/\(name).\(picture.fileExtension)"))
    }
  }
}
