// Languages whose comments begin with a sign and end with the line, and those of other forms.
extension CodeGrammar {
  private static let triple = [
    Quote("\"\"\"", isLong: true), Quote("'''", isLong: true), Quote("\""), Quote("'"),
  ]
  private static let shellQuotes = [
    Quote("\"", isLong: true), Quote("'", isLong: true, hasEscapes: false),
  ]

  static let scripts: [CodeGrammar] = [
    script(
      ["python", "py"],
      "and as assert async await break case class continue def del elif else except finally for "
        + "from global if import in is lambda match nonlocal not or pass raise return try type while "
        + "with yield True False None self cls", quotes: triple, meta: "@"),
    script(
      ["ruby", "rb"],
      "BEGIN END alias and begin break case class def defined? do else elsif end ensure false for "
        + "if in module next nil not or redo rescue retry return self super then true undef unless "
        + "until when while yield require require_relative attr_accessor attr_reader attr_writer "
        + "private protected public", meta: "@:"),
    shell,
    power,
    sql,
    lua,
    script(
      ["r"],
      "if else repeat while function for next break TRUE FALSE NULL NA Inf NaN in library require "
        + "return", types: false),
    script(
      ["perl", "pl"],
      "and cmp continue do else elsif eq for foreach ge gt if last le local lt my ne next no not or "
        + "our package print redo require return say sub unless until use while xor"),
    haskell,
    elixir,
    script(
      ["docker", "dockerfile"],
      "FROM RUN CMD LABEL MAINTAINER EXPOSE ENV ADD COPY ENTRYPOINT VOLUME USER WORKDIR ARG ONBUILD "
        + "STOPSIGNAL HEALTHCHECK SHELL AS", types: false),
    script(
      ["makefile", "make"],
      "include ifeq ifneq ifdef ifndef else endif define endef export unexport override", meta: ".",
      types: false),
  ]

  static let others: [CodeGrammar] = [
    CodeGrammar(names: ["html", "xml", "markup", "svg", "vue", "svelte"], form: .markup),
    css,
    keyed(["yaml", "yml"]), keyed(["toml"]), keyed(["ini", "properties", "dotenv"], ";"),
    CodeGrammar(names: ["diff", "patch"], form: .difference),
  ]

  private static func keyed(_ names: [String], _ further: String? = nil) -> CodeGrammar {
    var grammar = CodeGrammar(names: names, form: .keys)
    grammar.lineComments = [Array("#".utf8)] + (further.map { [Array($0.utf8)] } ?? [])
    grammar.quotes = triple
    grammar.keywords = words("true false null yes no on off")
    return grammar
  }

  private static let shell: CodeGrammar = {
    var shell = script(
      ["bash", "shell", "sh", "zsh", "console"],
      "if then elif else fi for while until do done case esac in function select time return exit "
        + "break continue export local readonly declare typeset unset shift source alias set trap "
        + "eval exec echo printf read cd test true false", quotes: shellQuotes, types: false)
    shell.hasDollarNames = true
    shell.hasHyphens = true
    return shell
  }()

  private static let power: CodeGrammar = {
    var power = script(
      ["powershell", "ps1"],
      "begin break catch class continue data do dynamicparam else elseif end enum exit filter "
        + "finally for foreach from function hidden if in param process return static switch throw "
        + "trap try until using var while", quotes: shellQuotes)
    power.ignoresCase = true
    power.hasDollarNames = true
    power.hasHyphens = true
    power.blockComment = (Array("<#".utf8), Array("#>".utf8))
    return power
  }()

  private static let sql: CodeGrammar = {
    var sql = script(
      ["sql", "mysql", "postgresql", "sqlite", "plsql"],
      "add all alter and any as asc authorization backup begin between bigint boolean by cascade "
        + "case cast char check column commit constraint count create cross current_date "
        + "current_timestamp database date decimal declare default delete desc distinct double drop "
        + "else end escape except exec exists explain false fetch float for foreign from full "
        + "function grant group having if in index inner insert int integer intersect into is join "
        + "json key left like limit natural not null numeric offset on or order outer over "
        + "partition primary procedure real recursive references replace returning revoke right "
        + "rollback row rows select set smallint table temporary text then timestamp to top "
        + "transaction trigger true truncate union unique update using values varchar view when "
        + "where window with", comment: "--",
      quotes: [Quote("'", isLong: true, hasEscapes: false), Quote("\""), Quote("`")], types: false)
    sql.blockComment = (Array("/*".utf8), Array("*/".utf8))
    sql.ignoresCase = true
    return sql
  }()

  private static let lua: CodeGrammar = {
    var lua = script(
      ["lua"],
      "and break do else elseif end false for function goto if in local nil not or repeat return "
        + "then true until while self", comment: "--")
    lua.blockComment = (Array("--[[".utf8), Array("]]".utf8))
    return lua
  }()

  private static let haskell: CodeGrammar = {
    var haskell = script(
      ["haskell", "hs"],
      "as case class data default deriving do else family forall foreign hiding if import in infix "
        + "infixl infixr instance let module newtype of qualified then type where", comment: "--",
      quotes: [Quote("\"")])
    haskell.blockComment = (Array("{-".utf8), Array("-}".utf8))
    haskell.nestsComments = true
    return haskell
  }()

  private static let elixir: CodeGrammar = {
    let elixir = script(
      ["elixir", "ex"],
      "after alias and case catch cond def defmacro defmodule defp defstruct do else end false fn "
        + "for if import in nil not or quote raise receive require rescue true try unless unquote "
        + "use when with", quotes: triple, meta: "@:")
    return elixir
  }()

  private static let css: CodeGrammar = {
    var css = CodeGrammar(names: ["css", "scss", "sass", "less"], form: .styles)
    css.hasHyphens = true
    return css
  }()
}
