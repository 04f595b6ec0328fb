// Divides text into terms, with the same rules as the index.
"use strict";

/**
 * @typedef {object} Token
 * @property {string} term folded
 * @property {number} start in UTF-16 units
 * @property {number} end
 * @property {boolean} dense one character of a script without spaces
 */

const archiverTokens = (() => {
  const dense = "\\u{E00}-\\u{EFF}\\u{1000}-\\u{109F}\\u{1780}-\\u{17FF}\\u{3041}-\\u{30FF}\\u{3400}-\\u{4DBF}\\u{4E00}-\\u{9FFF}\\u{AC00}-\\u{D7A3}\\u{F900}-\\u{FAFF}\\u{20000}-\\u{3134F}";
  const marks = "\\u{AD}\\u{300}-\\u{36F}\\u{483}-\\u{489}\\u{591}-\\u{5C7}\\u{610}-\\u{61A}\\u{61C}\\u{640}\\u{64B}-\\u{65F}\\u{670}\\u{6D6}-\\u{6DC}\\u{6DF}-\\u{6E4}\\u{6E7}-\\u{6E8}\\u{6EA}-\\u{6ED}\\u{730}-\\u{74A}\\u{8D3}-\\u{8E1}\\u{8E3}-\\u{8FF}\\u{180B}-\\u{180F}\\u{1AB0}-\\u{1AFF}\\u{1DC0}-\\u{1DFF}\\u{200C}-\\u{200F}\\u{202A}-\\u{202E}\\u{2060}-\\u{206F}\\u{20D0}-\\u{20FF}\\u{302A}-\\u{302F}\\u{FE00}-\\u{FE0F}\\u{FE20}-\\u{FE2F}\\u{FEFF}\\u{E0001}\\u{E0020}-\\u{E007F}\\u{E0100}-\\u{E01EF}";
  const piece = new RegExp(`[${dense}][${marks}]*|(?:(?![${dense}])[\\p{L}\\p{N}\\p{M}${marks}])+`, "gu");
  const isDense = new RegExp(`^[${dense}]`, "u");
  const isMark = new RegExp(`[${marks}]`, "gu");

  // Units that normalise independently: a letter with its marks, a Hangul syllable.
  const segment = /[\p{L}\p{N}\p{M}][\p{M}\u1160-\u11FF\u3131-\u318E\uFF9E-\uFFDC]*/gu;

  /** @type {Map<string, string>} */
  const table = new Map();
  for (const group of archiverFolding.split("|")) {
    const colon = group.indexOf(":");
    for (const letter of group.slice(colon + 1)) table.set(letter, group.slice(0, colon));
  }

  /**
   * Returns a text in the composed compatibility form, and for each changed part its range there and in the
   * original. Signs such as "™" stay unchanged and end a word.
   * @param {string} text
   * @returns {{text: string, changes: [number, number, number, number][]}}
   */
  function normal(text) {
    if (/^[\x00-\x7F]*$/.test(text) || text.normalize("NFKC") === text) return { text, changes: [] };
    /** @type {[number, number, number, number][]} */
    const changes = [];
    let made = "";
    let done = 0;
    for (const { 0: part, index } of text.matchAll(segment)) {
      const one = part.normalize("NFKC");
      if (one === part) continue;
      made += text.slice(done, index);
      done = index + part.length;
      changes.push([made.length, made.length + one.length, index, done]);
      made += one;
    }
    return { text: made + text.slice(done), changes };
  }

  /** Returns the offset in the original text for an offset in its normal form. @param {[number, number, number, number][]} changes @param {number} place @param {boolean} isEnd */
  function source(changes, place, isEnd) {
    const change = changes.findLast(([start]) => (isEnd ? start < place : start <= place));
    if (!change) return place;
    const [, end, first, last] = change;
    return place >= end ? place - end + last : isEnd ? last : first;
  }

  /** Folds case, accents, ligatures and width. @param {string} text */
  const fold = (text) => folded(normal(text).text);

  /** Truncates a term to the maximum of the index: 60 bytes. @param {string} term */
  function cut(term) {
    if (term.length <= 20) return term;
    let size = 0;
    let length = 0;
    for (const letter of term) {
      const code = letter.codePointAt(0) ?? 0;
      size += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
      if (size > 60) return term.slice(0, length);
      length += letter.length;
    }
    return term;
  }

  /** Folds a text in the normal form. @param {string} text */
  function folded(text) {
    if (/^[a-z0-9]*$/.test(text)) return text;
    let result = "";
    for (const letter of text) {
      const direct = table.get(letter);
      if (direct !== undefined) { result += direct; continue; }
      for (const lower of letter.toLowerCase().replace(isMark, "")) result += table.get(lower) ?? lower;
    }
    return result;
  }

  /** Yields words and single characters of dense scripts. @param {string} text @returns {Generator<Token>} */
  function* pieces(text) {
    const { text: plain, changes } = normal(text);
    let last = 0;
    for (const { 0: match, index } of plain.matchAll(piece)) {
      const term = cut(folded(match));
      if (!term) continue;
      // If one character became several words, only the first has a range.
      const start = Math.max(last, source(changes, index, false));
      const end = Math.max(start, source(changes, index + match.length, true));
      last = end;
      yield { term, start, end, dense: isDense.test(match) };
    }
  }

  /** Returns the terms of a text: words, and pairs of adjacent characters of dense scripts. @param {string} text */
  function terms(text) {
    const result = /** @type {{term: string, whole: boolean}[]} */ ([]);
    /** @type {Token|null} */
    let last = null;
    let run = 0;
    for (const token of pieces(text)) {
      if (!token.dense) {
        result.push({ term: token.term, whole: true });
      } else if (last && last.dense && last.end === token.start) {
        if (run === 1) result.pop();
        run += 1;
        result.push({ term: last.term + token.term, whole: true });
      } else {
        run = 1;
        result.push({ term: token.term, whole: false });
      }
      last = token;
    }
    return result;
  }

  return { normal, cut, fold, pieces, terms };
})();
