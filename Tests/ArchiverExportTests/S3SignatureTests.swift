import ArchiverCore
import ArchiverStorage
import Testing

@testable import ArchiverExport

/// Signature version 4, against the examples of Amazon's documentation ("Signature Calculations for the
/// Authorization Header", API reference of S3).
@Suite struct S3SignatureTests {
  private static let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
  private static let time = Date(timeIntervalSince1970: 1_369_353_600)

  private func signature(
    _ method: String, _ path: String, query: [(name: String, value: String)] = [],
    headers: HTTPHeaders = [:], payload: String = empty, token: String? = nil
  ) -> String? {
    let signature = S3Signature(
      credentials: S3Credentials(
        accessKey: "AKIAIOSFODNN7EXAMPLE",
        secretKey: Secret("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
        sessionToken: token.map { Secret($0) }),
      region: "us-east-1")
    let signed = signature.sign(
      method, path: path, query: query, host: "examplebucket.s3.amazonaws.com", headers: headers,
      payload: payload, date: S3SignatureTests.time)
    return signed["Authorization"]?.split(separator: "Signature=").last.map(String.init)
  }

  @Test func `a part of an object is asked for`() {
    #expect(
      signature("GET", "/test.txt", headers: ["Range": "bytes=0-9"])
        == "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41")
  }

  @Test func `an object is put under a name with unusual characters`() {
    #expect(
      signature(
        "PUT", "/test%24file.text",
        headers: [
          "Date": "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY",
        ], payload: Digest.sha256Hex("Welcome to Amazon S3."))
        == "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd")
  }

  @Test func `a field of the query has no value`() {
    #expect(
      signature("GET", "/", query: [(name: "lifecycle", value: "")])
        == "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543")
  }

  @Test func `objects are listed`() {
    let query = [(name: "prefix", value: "J"), (name: "max-keys", value: "2")]
    #expect(
      signature("GET", "/", query: query)
        == "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7")
  }

  @Test func `a token of temporary keys is signed`() {
    let one = signature("GET", "/", token: "one")
    #expect(one != signature("GET", "/", token: "two") && one != signature("GET", "/"))
  }

  @Test func `keys and queries are escaped strictly`() throws {
    let location = try #require(
      S3Location(
        endpoint: WebURL("http://127.0.0.1:9000/base/"), bucket: "b.u-c", prefix: "/a b//c/",
        region: "x"))
    #expect(location.prefix == "a b/c/" && location.name == "s3://b.u-c/a b/c")
    #expect(location.path("ä+(1)/~x*.html") == "/base/b.u-c/a%20b/c/%C3%A4%2B%281%29/~x%2A.html")
    #expect(location.path(nil) == "/base/b.u-c")
    #expect(
      S3Signature.query([
        (name: "b", value: "/+ "), (name: "a", value: ""), (name: "B", value: "é"),
      ])
        == "B=%C3%A9&a=&b=%2F%2B%20")
  }

  @Test(arguments: [
    "s3://", "s3://ab", "s3://a b", "S3://bucket", "s3:/bucket", "https://bucket", "s3://../x",
    "s3://.hidden",
  ])
  func `what is no bucket is refused`(text: String) {
    #expect(S3Location.parts(text) == nil)
  }
}
