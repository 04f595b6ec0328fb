import ArchiverCore
import ArchiverStorage
import Testing

@testable import ArchiverPipeline

/// What a request for a file says of it.
struct AssetRequestTests {
  private func request(
    _ text: String, _ content: AssetRequest.Content = .image, limits: Limits = Limits()
  ) throws -> AssetRequest {
    AssetRequest(url: try #require(WebURL(text)), content: content, limits: limits)
  }

  @Test func `a request is neither for a book nor for the item itself unless it says so`() throws {
    let plain = try request("https://a.test/b.png")
    #expect(!plain.isMain && !plain.isBook && !plain.revalidates)
    #expect(plain.referrer == nil && plain.item == nil)
    #expect(plain.cacheKey == "https://a.test/b.png")
    let url = plain.url
    let main = AssetRequest(url: url, content: .image, limits: Limits(), isMain: true)
    #expect(main.isMain && main.revalidates && !main.isBook)
    let changed = AssetRequest(url: url, content: .image, limits: Limits(), revalidates: true)
    #expect(changed.revalidates && !changed.isMain)
  }

  @Test func `a URL without a query is not presigned`() throws {
    let plain = try request("https://a.test/b.png")
    #expect(!plain.isSigned && plain.formerKey == nil)
  }

  @Test(arguments: [
    "X-Amz-Signature", "x-goog-signature", "Signature", "sig", "token", "Expires",
  ])
  func `a field that is a signature makes a URL presigned`(field: String) throws {
    #expect(try request("https://a.test/b?\(field)=1").isSigned)
    #expect(try request("https://a.test/b?w=3&\(field)=1").isSigned)
    #expect(try !request("https://a.test/b?my\(field)=1").isSigned)
    #expect(try !request("https://a.test/b?\(field)s=1").isSigned)
    #expect(try !request("https://a.test/b?w=\(field)").isSigned)
  }

  @Test(arguments: [
    "signature", "sig", "token", "expires", "policy", "key-pair-id", "awsaccesskeyid",
    "googleaccessid", "access_token", "auth_token", "api_key", "apikey", "sv", "st", "se", "sr",
    "sp", "spr", "skoid", "sktid", "skt", "ske", "sks", "skv",
  ])
  func `a field that signs the others is not recorded`(field: String) throws {
    for name in [field, field.uppercased()] {
      let signed = try request("https://a.test/b?id=1&\(name)=x&w=3&sig=y#f")
      #expect(signed.cacheKey == "https://a.test/b?id=1&w=3", "\(name)")
      #expect(signed.formerKey == "https://a.test/b")
    }
  }

  @Test(arguments: ["X-Amz-Signature", "x-goog-signature"])
  func `a presigned URL of object storage is recorded by its path`(field: String) throws {
    #expect(try request("https://a.test/b?id=1&\(field)=x").cacheKey == "https://a.test/b")
  }

  @Test func `an image has a limit of time and one of size, a file only one of size`() throws {
    var limits = Limits()
    limits[.imageTime] = 5
    let image = try request("https://a.test/b", limits: limits)
    let file = try request("https://a.test/b", .file(mediaType: nil), limits: limits)
    #expect(!image.isFile && file.isFile)
    #expect(image.timeouts.total == .seconds(5) && file.timeouts.total == nil)
    #expect(image.byteLimit == 64_000_000 && file.byteLimit == 8_000_000_000)
    let note = " (limits.imageTime is 5s)"
    #expect(image.passedLimit(.timeout, after: .seconds(5)) == note)
    #expect(image.passedLimit(.timeout, after: .milliseconds(4_999)).isEmpty)
    #expect(file.passedLimit(.timeout, after: .seconds(5)).isEmpty)
    #expect(image.passedLimit(.tooLarge, after: .zero) == " (limits.imageSize is 64M)")
    #expect(file.passedLimit(.tooLarge, after: .zero) == " (limits.fileSize is 8G)")
    #expect(image.passedLimit(.connect, after: .seconds(5)).isEmpty)
  }
}

/// Why a file is missing.
struct AssetFailureTests {
  @Test func `a failure is of a file alone unless it says otherwise`() {
    let failure = AssetFailure("no", isTransient: false)
    #expect(!failure.isExpired && failure.storage == nil && failure.received == nil)
    #expect(failure.cause == .other)
  }

  @Test func `a failure of the archive is not the file's`() {
    let failure = AssetFailure(StorageError(.full, "the disk is full"))
    #expect(failure.reason == "the disk is full" && failure.isTransient)
    #expect(failure.storage?.code == .full && !failure.isExpired)
  }

  @Test(arguments: [true, false])
  func `a failure to get a file again says that the earlier one is kept`(isTransient: Bool) {
    let failure = AssetFailure("no", isTransient: isTransient, cause: .gone).withEarlierFile
    #expect(failure.reason == "no; the earlier one is kept")
    #expect(failure.isTransient == isTransient && failure.cause == .gone)
  }

  @Test func `a placeholder beside an image that is gone for good makes no retry`() {
    var choice = PictureChoice()
    choice.add(.failed(.placeholder), url: nil)
    choice.add(.failed(AssetFailure("404", isTransient: false, cause: .gone)), url: nil)
    #expect(choice.failure.reason == "404" && !choice.failure.isTransient)
    #expect(!AssetFailure.placeholder.isTransient)
  }

  @Test(
    arguments: [
      (400, "Bad Request"), (401, "Unauthorized"), (402, "Payment Required"), (403, "Forbidden"),
      (404, "Not Found"), (405, "Method Not Allowed"), (406, "Not Acceptable"),
      (408, "Request Timeout"), (410, "Gone"), (415, "Unsupported Media Type"),
      (416, "Range Not Satisfiable"), (421, "Misdirected Request"), (429, "Too Many Requests"),
      (451, "Unavailable For Legal Reasons"), (500, "Internal Server Error"),
      (501, "Not Implemented"), (502, "Bad Gateway"), (503, "Service Unavailable"),
      (504, "Gateway Timeout"), (520, "Web Server Error"), (529, "Overloaded"),
    ] as [(Int, String)])
  func `a status is given with its name`(status: Int, name: String) {
    let failure = HTTPStatus.failure(status)
    #expect(failure.reason == "the server answered \(status) \(name)")
    #expect(!failure.isExpired)
  }

  @Test(
    arguments: [
      ("image/gif", true), ("image/png", true), ("image/heic", false), ("text/csv", false),
      ("image/x-new", false),
    ])
  func `only images of the usual formats are shown by every browser`(type: String, isShown: Bool) {
    let object = StoredObject(sha256: "a", byteCount: 1)
    #expect(CachedAsset(url: "", object: object, mediaType: type).isShownEverywhere == isShown)
  }
}
