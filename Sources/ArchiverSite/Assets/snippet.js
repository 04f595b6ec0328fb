// Finds a query's words and phrases in a text.
"use strict";

const archiverSnippet = (() => {
  const before = 8;
  const length = 34;

  /** Whether a word, or a pair of a dense script, matches a term. @param {Term} wanted @param {string} text */
  const isHit = ({ term, prefix, forms }, text) => (prefix ? text.startsWith(term) : text === term) || forms.includes(text);

  /** The mark in the index after the stem of a part of German compounds. */
  const partMark = "¤";

  /** Whether a word begins with the part of a term, or ends with it, ignoring an ending of at most three letters. @param {string} term @param {string} word */
  function isPart(term, word) {
    if (!term.endsWith(partMark) || !/^[a-z]{7,}$/.test(word)) return false;
    const stem = term.slice(0, -1);
    if (word.length < stem.length + 3) return false;
    const rest = word.lastIndexOf(stem);
    return word.startsWith(stem) || (rest >= 3 && word.length - stem.length - rest <= 3);
  }

  /** Returns the number of tokens from this one that match a query: two for a pair of a dense script. @param {Token} token @param {Query} query @param {Token|undefined} next */
  function hits(token, query, next) {
    return Math.max(0, ...query.terms.map((wanted) => {
      if (token.dense) {
        if (token.term === wanted.term) return 1;
        const pair = token.term + (next && next.dense && next.start === token.end ? next.term : "");
        return isHit(wanted, pair) ? 2 : 0;
      }
      return isHit(wanted, token.term) ? 1 : 0;
    }));
  }

  /** Whether one of several texts contains a phrase. @param {string[]} texts @param {string} phrase */
  function hasPhrase(texts, phrase) {
    const wanted = [...archiverTokens.pieces(phrase)].map((token) => token.term);
    return texts.some((text) => {
      const words = [...archiverTokens.pieces(text)].map((token) => token.term);
      for (let at = 0; at + wanted.length <= words.length; at += 1) {
        if (wanted.every((word, offset) => words[at + offset] === word)) return true;
      }
      return false;
    });
  }

  /** Returns the part of a text with the most distinct hits, each in a mark element, and the offset of the first hit. @param {string} text @param {Query} query */
  function make(text, query) {
    const tokens = [...archiverTokens.pieces(text)];
    const counts = tokens.map((token, at) => hits(token, query, tokens[at + 1]));
    let marked = counts.map((count, at) => count > 0 || counts[at - 1] > 1);
    for (const { first, count, term } of archiverQuery.groups(text, tokens)) {
      if (query.terms.some((wanted) => isHit(wanted, term))) marked.fill(true, first, first + count);
    }
    // The item may have compounds of a word only.
    if (!marked.includes(true)) marked = tokens.map(({ term }) => query.terms.some(({ forms }) => forms.some((form) => isPart(form, term))));
    let best = 0;
    let bestScore = -1;
    marked.forEach((isHit, at) => {
      if (!isHit) return;
      const window = new Set();
      let count = 0;
      for (let next = at; next < Math.min(tokens.length, at + length - before); next += 1) {
        if (marked[next]) { window.add(tokens[next].term); count += 1; }
      }
      const score = window.size * 10 + Math.min(count, 9);
      if (score > bestScore) { bestScore = score; best = at; }
    });
    const first = Math.max(0, best - before);
    const last = Math.min(tokens.length, first + length) - 1;
    /** @type {(string|Node)[]} */
    const parts = [];
    if (tokens.length === 0) return { parts, at: 0 };
    let at = first === 0 ? 0 : tokens[first].start;
    if (first > 0) parts.push("… ");
    for (let number = first; number <= last; number += 1) {
      if (!marked[number]) continue;
      let end = number;
      while (end < last && marked[end + 1] && text.slice(tokens[end].end, tokens[end + 1].start).trim() === "") end += 1;
      parts.push(text.slice(at, tokens[number].start), archiverUI.el("mark", {}, text.slice(tokens[number].start, tokens[end].end)));
      at = tokens[end].end;
      number = end;
    }
    parts.push(text.slice(at, last === tokens.length - 1 ? text.length : tokens[last].end));
    if (last < tokens.length - 1) parts.push(" …");
    return { parts, at: tokens[best].start };
  }

  /**
   * Returns the words to search for in the page, extended to word boundaries: text fragments match whole words
   * only, by the browser's segmentation, for example in Chinese text and at apostrophes.
   * @param {(string|Node)[]} parts of a snippet
   */
  function target(parts) {
    const texts = parts.map((part) => (typeof part === "string" ? part : part.textContent ?? ""));
    const first = parts.findIndex((part) => typeof part !== "string");
    if (first < 0) return "";
    const text = texts.join("");
    let start = texts.slice(0, first).join("").length;
    let end = start + texts[first].length;
    for (const { segment, index } of new Intl.Segmenter(undefined, { granularity: "word" }).segment(text)) {
      if (index >= end || index + segment.length <= start) continue;
      start = Math.min(start, index);
      end = Math.max(end, index + segment.length);
    }
    return text.slice(start, end);
  }

  return { make, hasPhrase, target, partMark };
})();
