// Languages that write comments as C does.
extension CodeGrammar {
  private static let ecma =
    "async await break case catch class const continue debugger default delete do else export "
    + "extends finally for from function get if import in instanceof let new of return set static "
    + "super switch this throw try typeof var void while with yield true false null undefined"

  private static let template = [Quote("\""), Quote("'"), Quote("`", isLong: true)]
  private static let long = [Quote("\"\"\"", isLong: true), Quote("\""), Quote("'")]

  static let braces: [CodeGrammar] = [
    brace(["javascript", "js", "jsx", "mjs", "node"], ecma, quotes: template, meta: "@"),
    brace(
      ["typescript", "ts", "tsx"],
      ecma + " abstract any as boolean declare enum implements infer interface is keyof namespace "
        + "never number private protected public readonly satisfies string symbol type unknown",
      quotes: template, meta: "@"),
    brace(
      ["java"],
      "abstract assert boolean break byte case catch char class const continue default do double "
        + "else enum extends final finally float for goto if implements import instanceof int "
        + "interface long native new package permits private protected public record return sealed "
        + "short static strictfp super switch synchronized this throw throws transient try var void "
        + "volatile while yield true false null", quotes: long, meta: "@"),
    brace(
      ["c", "objective-c", "objc", "arduino"],
      "auto break case char const continue default do double else enum extern float for goto if "
        + "inline int long register restrict return short signed sizeof static struct switch "
        + "typedef union unsigned void volatile while bool true false NULL nil self super id "
        + "size_t uint8_t uint16_t uint32_t uint64_t int8_t int16_t int32_t int64_t", meta: "#@"),
    brace(
      ["c++", "cpp", "cxx", "cc"],
      "alignas alignof auto bool break case catch char class concept const consteval constexpr "
        + "constinit const_cast continue co_await co_return co_yield decltype default delete do "
        + "double dynamic_cast else enum explicit export extern final float for friend goto if "
        + "inline int long mutable namespace new noexcept nullptr operator override private "
        + "protected public register reinterpret_cast requires return short signed sizeof static "
        + "static_assert static_cast struct switch template this throw true false try typedef "
        + "typeid typename union unsigned using virtual void volatile while", meta: "#"),
    brace(
      ["c#", "csharp", "cs"],
      "abstract as async await base bool break byte case catch char checked class const continue "
        + "decimal default delegate do double dynamic else enum event explicit extern false finally "
        + "fixed float for foreach get goto if implicit in init int interface internal is lock long "
        + "namespace new null object operator out override params private protected public readonly "
        + "record ref required return sbyte sealed set short sizeof static string struct switch this "
        + "throw true try typeof uint ulong unchecked unsafe ushort using value var virtual void "
        + "volatile when where while with yield", quotes: long, meta: "#"),
    brace(
      ["go", "golang"],
      "break case chan const continue default defer else fallthrough for func go goto if import "
        + "interface map package range return select struct switch type var true false nil iota any "
        + "bool byte error float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16 "
        + "uint32 uint64 uintptr",
      quotes: [Quote("\""), Quote("'"), Quote("`", isLong: true, hasEscapes: false)]),
    brace(
      ["rust", "rs"],
      "as async await break const continue crate dyn else enum extern false fn for if impl in let "
        + "loop match mod move mut pub ref return self Self static struct super trait true type "
        + "union unsafe use where while bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 "
        + "u64 u128 usize", quotes: [Quote("\"", isLong: true)], meta: "#", nests: true),
    brace(
      ["swift"],
      "actor any as associatedtype async await borrowing break case catch class consuming continue "
        + "default defer deinit do else enum extension fallthrough false fileprivate final for func "
        + "get guard if import in indirect init inout internal is isolated lazy let mutating nil "
        + "nonisolated open operator override package precedencegroup private protocol public "
        + "repeat required rethrows return self Self sending set some static struct subscript super "
        + "switch throw throws true try typealias unowned var weak where while willSet didSet",
      quotes: [Quote("\"\"\"", isLong: true), Quote("\"")], meta: "@#", nests: true),
    brace(
      ["kotlin", "kt"],
      "abstract actual annotation as break by catch class companion const constructor continue "
        + "data do else enum expect external false final finally for fun get if import in infix init "
        + "inline inner interface internal is lateinit noinline null object open operator out "
        + "override package private protected public reified return sealed set super suspend "
        + "tailrec this throw true try typealias val var vararg when where while",
      quotes: long, meta: "@", nests: true),
    brace(
      ["scala"],
      "abstract case catch class def do else enum export extends extension false final finally for "
        + "given if implicit import lazy match new null object override package private protected "
        + "return sealed super then this throw trait true try type using val var while with yield",
      quotes: long, meta: "@", nests: true),
    brace(
      ["dart", "flutter"],
      "abstract as assert async await base break case catch class const continue covariant default "
        + "deferred do dynamic else enum export extends extension external factory false final "
        + "finally for get if implements import in interface is late library mixin new null on "
        + "operator part required rethrow return sealed set static super switch sync this throw "
        + "true try typedef var void when while with yield int double bool num", quotes: long,
      meta: "@"),
    php,
    brace(
      ["groovy", "gradle"],
      "abstract as assert boolean break case catch class const continue def default do double else "
        + "enum extends false final finally float for if implements import in instanceof int "
        + "interface long new null package private protected public return short static super "
        + "switch this throw throws trait true try void while", quotes: long, meta: "@"),
    brace(["json", "json5", "jsonc"], "true false null", types: false),
  ]

  private static let php: CodeGrammar = {
    var php = brace(
      ["php"],
      "abstract and array as break callable case catch class clone const continue declare default "
        + "do echo else elseif empty enum extends final finally fn for foreach function global "
        + "goto if implements include include_once instanceof insteadof interface isset list match "
        + "namespace new null or print private protected public readonly require require_once "
        + "return static switch throw trait try true false unset use var while xor yield self "
        + "parent int float string bool void mixed",
      quotes: [Quote("\"", isLong: true), Quote("'", isLong: true)], meta: "")
    php.lineComments.append(Array("#".utf8))
    php.hasDollarNames = true
    return php
  }()
}
