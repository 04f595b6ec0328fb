import ArchiverCore
import Testing

@testable import NotionAdapter

struct IdentityTests {
  static let digits = "0123456789abcdef0123456789abcdef"

  @Test(arguments: [
    "0123456789abcdef0123456789abcdef", "01234567-89ab-cdef-0123-456789abcdef",
    "0123456789ABCDEF0123456789ABCDEF",
  ])
  func `reads ids with and without dashes`(text: String) {
    let id = NotionID(text)
    #expect(id?.hex == Self.digits)
    #expect(id?.dashed == "01234567-89ab-cdef-0123-456789abcdef")
  }

  @Test(arguments: [
    "", "0123", "0123456789abcdef01234567",
    "0123456789abcdef0123456789abcdeg", "0123456789abcdef0123456789abcdef0",
  ])
  func `refuses what is no id`(text: String) {
    #expect(NotionID(text) == nil)
  }

  @Test(arguments: [
    ("https://www.notion.so/Title-0123456789abcdef0123456789abcdef", nil),
    (
      "https://www.notion.so/0123456789abcdef0123456789abcdef?v=ffffffffffffffffffffffffffffffff",
      nil
    ),
    ("https://app.notion.com/p/My-Page-0123456789abcdef0123456789abcdef", nil),
    (
      "https://www.notion.so/Copy-of-ffffffffffffffffffffffffffffffff-"
        + "0123456789abcdef0123456789abcdef?p=eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee", nil
    ),
    ("https://team.notion.site/0123456789abcdef0123456789abcdef", nil),
    ("https://www.notion.so/ws/View?p=0123456789abcdef0123456789abcdef&pm=s", nil),
    ("/0123456789abcdef0123456789abcdef", nil),
    ("/01234567-89ab-cdef-0123-456789abcdef", nil),
    (
      "https://notion.so/A-0123456789abcdef0123456789abcdef#ffffffffffffffffffffffffffffffff",
      "ffffffffffffffffffffffffffffffff"
    ),
    (
      "/0123456789abcdef0123456789abcdef#block-ffffffffffffffffffffffffffffffff",
      "ffffffffffffffffffffffffffffffff"
    ),
  ])
  func `finds pages in every form of address`(text: String, block: String?) {
    let address = NotionAddress(text)
    #expect(address?.page?.hex == Self.digits)
    #expect(address?.block?.hex == block)
  }

  @Test(arguments: [
    ("https://acme.notion.site/Page-0123456789abcdef0123456789abcdef?pvs=4", ""),
    ("https://www.notion.so/ws/0123456789ABCDEF0123456789ABCDEF", ""),
    ("https://notion.so/0123456789abcdef0123456789abcdef", ""),
    (
      "https://app.notion.com/p/x-0123456789abcdef0123456789abcdef#block-"
        + "FFFFFFFFffffffffffffffffffffffff",
      "#ffffffffffffffffffffffffffffffff"
    ),
  ])
  func `normalises all URLs of a page to one form for links`(text: String, anchor: String) throws {
    let form = try #require(NotionAdapter.properties.linkForm)
    let url = try #require(WebURL(text))
    #expect(form(url)?.absoluteString == "https://www.notion.so/\(Self.digits)\(anchor)")
  }

  @Test(arguments: [
    "https://example.org/0123456789abcdef0123456789abcdef", "https://www.notion.so/help",
    "https://acme.notion.site/",
  ])
  func `leaves the form of other addresses alone`(text: String) throws {
    let form = try #require(NotionAdapter.properties.linkForm)
    #expect(form(try #require(WebURL(text))) == nil)
  }

  @Test(arguments: [
    "https://example.org/0123456789abcdef0123456789abcdef", "https://www.notion.so/help",
    "https://www.notion.so/login?v=0123456789abcdef0123456789abcdef",
    "https://notnotion.so/0123456789abcdef0123456789abcdef", "mailto:someone@notion.so", "",
    "https://api.notion.com/0123456789abcdef0123456789abcdef",
  ])
  func `leaves other addresses alone`(text: String) {
    #expect(NotionAddress(text) == nil)
  }

  @Test func `reads an anchor alone`() {
    let address = NotionAddress("#0123456789abcdef0123456789abcdef")
    #expect(address?.page == nil)
    #expect(address?.absolute == "#0123456789abcdef0123456789abcdef")
  }

  @Test(arguments: [
    ("2022-02-25", 1_645_747_200.0), ("2022-02-25T01:23:00.000+09:00", 1_645_719_780.0),
    ("2026-07-04T09:11:02.974+00:00", 1_783_156_262.974),
    ("2022-02-07T21:29:00.000Z", 1_644_269_340.0),
    ("1969-12-31T23:59:00.000Z", -60.0), ("2024-02-29", 1_709_164_800.0),
  ])
  func `reads every form of time`(text: String, seconds: Double) throws {
    let date = try #require(NotionTime.date(text))
    #expect(abs(date.timeIntervalSince1970 - seconds) < 0.01)
  }

  @Test(arguments: ["", "today", "2022-13-01", "2022-02", "22-2-2T"])
  func `refuses what is no time`(text: String) {
    #expect(NotionTime.date(text) == nil)
  }

  @Test func `counts days as the calendar does`() {
    #expect(CalendarDay("1970-01-01")?.number == 0)
    #expect(CalendarDay("2026-11-21")?.weekday == 5)
    #expect(CalendarDay("2026-11-21")?.startOfWeek.text == "2026-11-16")
  }

  @Test func `keeps no signature of an address`() {
    let file: JSONValue = [
      "file": [
        "url": "https://s3/a.png?X-Amz-Signature=1", "expiry_time": "2026-01-01T00:00:00.000Z",
      ],
      "external": ["url": "https://example.org/b.png?size=2"], "request_id": "r",
      "nested": [["url": "https://s3/c?X-Amz-Algorithm=A"]],
    ]
    let clean = SignedAddress.removed(from: file)
    #expect(clean["file"] == ["url": "https://s3/a.png"])
    #expect(clean["external"]?["url"] == "https://example.org/b.png?size=2")
    #expect(clean["nested"]?[0]?["url"] == "https://s3/c")
    #expect(clean["request_id"] == nil)
  }

  @Test func `writes JSON that reads back the same`() throws {
    let value: JSONValue = [
      "a\"\\": ["\n\t\u{1}\u{1F600}", 1, .number(2.5), true, .null, [:]], "b": [],
    ]
    let data = Data(JSONText.bytes(of: value))
    #expect(try JSONDecoder().decode(JSONValue.self, from: data) == value)
  }
}
