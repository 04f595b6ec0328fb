// Reads what was typed: words, "phrases" and filters such as label:history or before:2024-05, and with a
// hyphen before them what must not be there.
"use strict";

/**
 * @typedef {object} Query
 * @property {{term: string, whole: boolean, prefix: boolean}[]} terms
 * @property {string[]} phrases
 * @property {Record<string, string[]>} filters
 * @property {Exclusions} without
 */

/**
 * @typedef {object} Exclusions
 * @property {{term: string, whole: boolean, prefix: boolean}[]} terms
 * @property {string[]} phrases of several terms each
 * @property {Record<string, string[]>} filters
 */

const archiverQuery = (() => {
  const names = ["label", "source", "site", "before", "after", "type", "year"];

  /** @param {string} text @returns {Query} */
  function parse(text) {
    /** @type {Query} */
    const query = { terms: [], phrases: [], filters: {}, without: { terms: [], phrases: [], filters: {} } };
    // Keyboards put their language's quotation marks in place of plain ones.
    const part = /(-?)(?:([a-z]+):(?:["“”„«»「」『』]([^"“”„«»「」『』]*).?|(\S+))|["“”„«»「」『』]([^"“”„«»「」『』]*).?|(\S+))/giu;
    let open = false;
    for (const match of text.matchAll(part)) {
      const isWithout = match[1] !== "";
      const name = match[2]?.toLowerCase();
      const value = match[3] ?? match[4];
      const phrase = match[5];
      open = false;
      if (name && names.includes(name) && value) {
        ((isWithout ? query.without : query).filters[name] ??= []).push(value);
      } else if (isWithout) {
        // Never the beginning of a word: what is being typed would hide more than is meant.
        const text = phrase ?? match[0];
        const terms = archiverTokens.terms(text);
        if (terms.length > 1) query.without.phrases.push(text);
        else for (const term of terms) query.without.terms.push({ ...term, prefix: !term.whole });
      } else if (phrase !== undefined) {
        const terms = archiverTokens.terms(phrase);
        for (const term of terms) query.terms.push({ ...term, prefix: false });
        if (terms.length > 0 && [...archiverTokens.pieces(phrase)].length > 1) query.phrases.push(phrase);
      } else {
        const terms = archiverTokens.terms(match[0]);
        for (const term of terms) query.terms.push({ ...term, prefix: !term.whole });
        open = terms.length > 0;
      }
    }
    const last = query.terms.at(-1);
    if (last && open && !/\s$/u.test(text)) last.prefix = true;
    return query;
  }

  /** Days since 1970 of the first day of 2024, 2024-05 or 2024-05-17; null for anything else. @param {string} text */
  function day(text) {
    const match = /^(\d{4})(?:-(\d{1,2}))?(?:-(\d{1,2}))?$/u.exec(text);
    if (!match) return null;
    // Date.UTC takes a year below 100 for one of the 20th century.
    return new Date(0).setUTCFullYear(Number(match[1]), Number(match[2] ?? 1) - 1, Number(match[3] ?? 1)) / 86400000;
  }

  /** Whether anything is to be left out. @param {Exclusions} without */
  const excludes = (without) => without.terms.length + without.phrases.length + Object.keys(without.filters).length > 0;

  /** Returns a test for each thing that filters ask for. @param {Facets} facets @param {Record<string, string[]>} filters */
  function tests(facets, filters) {
    const { fold } = archiverTokens;
    /** @type {((item: Item) => boolean)[]} */
    const found = [];
    /** @param {string[]} names @param {string} value */
    const indices = (names, value) => names.flatMap((name, index) => (fold(name) === fold(value) ? [index] : []));
    for (const [name, values] of Object.entries(filters)) {
      if (name === "before" || name === "after") {
        for (const value of values) {
          const limit = day(value);
          if (limit === null) continue;
          found.push((item) => (name === "before" ? item.saved / 1440 < limit : item.saved / 1440 >= limit));
        }
        continue;
      }
      if (name === "year") {
        found.push((item) => values.includes(String(new Date(item.saved * 60000).getUTCFullYear()).padStart(4, "0")));
        continue;
      }
      const wanted = new Set(values.flatMap((value) => {
        if (name === "label") return indices(facets.labels, value);
        if (name === "source") return indices(facets.sources, value);
        if (name === "type") return indices(facets.kinds, value);
        return facets.sites.flatMap(([site, host], index) =>
          (fold(site).includes(fold(value)) || fold(host).includes(fold(value)) ? [index] : []));
      }));
      if (name === "label") found.push((item) => item.labels.some((label) => wanted.has(label)));
      if (name === "source") found.push((item) => wanted.has(item.source));
      if (name === "type") found.push((item) => wanted.has(item.kind));
      if (name === "site") found.push((item) => wanted.has(item.site));
    }
    return found;
  }

  /**
   * Returns whether an item passes the filters; several of one name mean any, before and after all.
   * @param {Facets} facets @param {Record<string, string[]>} filters @returns {(item: Item) => boolean}
   */
  function matcher(facets, filters) {
    const all = tests(facets, filters);
    return (item) => all.every((test) => test(item));
  }

  /** Returns whether an item has nothing of what filters leave out. @param {Facets} facets @param {Record<string, string[]>} filters @returns {(item: Item) => boolean} */
  function remainder(facets, filters) {
    const all = tests(facets, filters);
    return (item) => !all.some((test) => test(item));
  }

  return { parse, excludes, matcher, remainder, names };
})();
