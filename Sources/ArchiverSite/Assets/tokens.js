// Cuts text into terms exactly as the index was built.
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

  /** @type {Map<string, string>} */
  const table = new Map();
  for (const group of archiverFolding.split("|")) {
    const colon = group.indexOf(":");
    for (const letter of group.slice(colon + 1)) table.set(letter, group.slice(0, colon));
  }

  /** Folds case, accents, ligatures and width. @param {string} text */
  function fold(text) {
    if (/^[a-z0-9]*$/.test(text)) return text;
    let folded = "";
    for (const letter of text) {
      const direct = table.get(letter);
      if (direct !== undefined) { folded += direct; continue; }
      for (const lower of letter.toLowerCase().replace(isMark, "")) folded += table.get(lower) ?? lower;
    }
    return folded;
  }

  /** Yields words and single characters of dense scripts. @param {string} text @returns {Generator<Token>} */
  function* pieces(text) {
    piece.lastIndex = 0;
    for (const match of text.matchAll(piece)) {
      const term = fold(match[0]);
      if (term) yield { term, start: match.index, end: match.index + match[0].length, dense: isDense.test(match[0]) };
    }
  }

  /** Returns what to look up for a text: words, and pairs of neighbours in dense scripts. @param {string} text */
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

  return { fold, pieces, terms };
})();
