// Parses a query: words with their other forms, "phrases", and filters such as label:history or
// before:2024-05; a hyphen before any of them excludes it.
"use strict";

/** @typedef {{term: string, whole: boolean, prefix: boolean, forms: string[], inflected?: boolean}} Term a word; `forms` are its other forms, which have a lower weight; `inflected` if the index may add some */

/**
 * @typedef {object} Query
 * @property {Term[]} terms
 * @property {string[]} phrases
 * @property {Record<string, string[]>} filters
 * @property {Exclusions} without
 * @property {string|null} title the term of the titles that equal its words and phrases
 * @property {string[]} unknown unknown names of filters
 * @property {Query[]} alternatives the alternatives if the query contains "OR"; empty otherwise
 */

/** @typedef {{match: RegExpMatchArray, last: boolean}} QueryPiece a word, phrase or filter; nothing follows the last one, not even white space */

/**
 * @typedef {object} Exclusions
 * @property {Term[]} terms
 * @property {string[]} phrases of several terms each
 * @property {Record<string, string[]>} filters
 */

const archiverQuery = (() => {
  const names = ["label", "source", "site", "before", "after", "type", "year", "author", "lang", "is", "has"];
  /** The values of "is:" and "has:". @type {Record<string, string[]>} */
  const values = { is: ["unlabelled", "unread", "begun", "read", "favourite", "failed"], has: ["note", "highlight", "file"] };
  /** The maximum number of alternatives of a query with "OR". */
  const mostAlternatives = 64;
  const endings = archiverEndings.split("|").map((rule) => rule.split(":"));
  /** @type {Record<string, string>} */
  const umlauts = { ä: "ae", ö: "oe", ü: "ue", Ä: "ae", Ö: "oe", Ü: "ue" };

  /** Returns other forms that a folded word may have. @param {string} term */
  function variants(term) {
    if (!/^[a-z]{3,}$/.test(term)) return [];
    /** @type {string[]} */
    const found = [];
    for (const [from, to] of endings) {
      if (!term.endsWith(from)) continue;
      const stem = term.slice(0, term.length - from.length);
      if (stem.length < 3) continue;
      found.push(stem + to);
      // As in "running" and "stopped".
      if (!/^(?:ing|ed)$/.test(from + to) || /[aeiou]$/.test(stem)) continue;
      if (to === "" && stem.length > 3 && stem.at(-1) === stem.at(-2)) found.push(stem.slice(0, -1));
      else if (from === "") found.push(stem + stem.at(-1) + to);
    }
    return found;
  }

  /** Whether a sign joins two words of a text: "Wi-Fi", "2,500". @param {string} text @param {Token} one @param {Token} other */
  function isJoined(text, one, other) {
    if (one.dense || other.dense) return false;
    const sign = text.slice(one.end, other.start);
    const isNumber = /^[0-9]+$/.test(one.term) && /^[0-9]{3}$/.test(other.term);
    return /^['’\u2010\u2011-]$/u.test(sign) || (/^[,.]$/.test(sign) && isNumber);
  }

  /**
   * Returns the groups of joined words in a text: the number of the first, the count, and the term without
   * the signs.
   * @param {string} text @param {Token[]} pieces @returns {{first: number, count: number, term: string}[]}
   */
  function groups(text, pieces) {
    const found = [];
    for (let first = 0; first < pieces.length;) {
      let end = first + 1;
      while (end < pieces.length && isJoined(text, pieces[end - 1], pieces[end])) end += 1;
      if (end - first > 1) found.push({ first, count: end - first, term: archiverTokens.cut(pieces.slice(first, end).map((one) => one.term).join("")) });
      first = end;
    }
    return found;
  }

  /** Returns a word without the signs between its parts, "wifi" for "Wi-Fi"; null if not all are joined. @param {string} word */
  function joined(word) {
    const text = archiverTokens.normal(word).text;
    const pieces = [...archiverTokens.pieces(text)];
    const [group] = groups(text, pieces);
    return group?.count === pieces.length ? group.term : null;
  }

  /** Returns the term of a name that includes a sign, as in "C++" and ".NET"; null for anything else. @param {string} word */
  function signed(word) {
    const dotted = /^\.([a-z][a-z0-9]+)[.,;:!?)]*$/i.exec(word);
    if (dotted) return archiverTokens.cut("dot" + dotted[1].toLowerCase());
    const match = /^([a-z])(\+\+|#)[.,;:!?)]*$/i.exec(word);
    return match ? match[1].toLowerCase() + (match[2] === "#" ? "sharp" : "plusplus") : null;
  }

  /** Returns the terms of a word, with its other forms. @param {string} word @returns {Term[]} */
  function terms(word) {
    const sign = signed(word);
    if (sign) return [{ term: sign, whole: true, prefix: false, forms: [] }];
    const found = archiverTokens.terms(word);
    // Umlauts as two letters, as on keyboards without them, and two letters as an umlaut.
    const spelt = archiverTokens.terms([...archiverTokens.normal(word).text].map((letter) => umlauts[letter] ?? letter).join(""));
    const whole = joined(word);
    return found.map((one, at) => {
      const forms = new Set(whole === null ? [] : [whole]);
      if (spelt.length === found.length) forms.add(spelt[at].term);
      forms.add(one.term.replace(/([ao]|(?<!q)u)e/g, "$1"));
      for (const form of variants(one.term)) forms.add(form);
      forms.delete(one.term);
      return { ...one, prefix: !one.whole, forms: one.whole ? [...forms] : [], inflected: one.whole };
    });
  }

  /** Returns the term of a whole title or of a query's words and phrases, ignoring separators. @param {string[]} texts */
  function whole(texts) {
    const words = texts.flatMap((text) => text.split(/\s+/u)).map((word) => signed(word) ?? [...archiverTokens.pieces(word)].map((one) => one.term).join(""));
    const all = words.join("");
    return all ? "¤t" + archiverTokens.cut(all) : null;
  }

  /** Returns the terms of a phrase. @param {string} phrase @returns {Term[]} */
  const phraseTerms = (phrase) => [
    ...archiverTokens.terms(phrase).map((one) => ({ ...one, prefix: !one.whole, forms: [] })), ...pairs([...archiverTokens.pieces(phrase)]),
  ];

  /** Returns the terms for pairs of adjacent words in a phrase; see WordPair.swift. @param {Token[]} words @returns {Term[]} */
  const pairs = (words) => words.slice(1).flatMap((other, at) => {
    if (words[at].dense || other.dense) return [];
    let hash = 2_166_136_261;
    for (const byte of new TextEncoder().encode(`${words[at].term} ${other.term}`)) hash = Math.imul(hash ^ byte, 16_777_619);
    const bucket = ((hash ^ (hash >>> 15)) >>> 0) % 12_960;
    return [{ term: "¤" + bucket.toString(36).padStart(3, "0"), whole: true, prefix: false, forms: [] }];
  });

  /** The folded letters of the scripts for whose words the spelling is corrected. */
  const alphabets = ["abcdefghijklmnopqrstuvwxyz", "абвгдежзиклмнопрстуфхцчшщъыьэюяіє", "αβγδεζηθικλμνξοπρστυφχψω", "אבגדהוזחטיכךלמםנןסעפףצץקרשת", "ابتثجحخدذرزسشصضطظعغفقكلمنهويةىء"];

  /** Returns the alphabet that has all letters of a word. @param {string} term */
  const alphabetOf = (term) => alphabets.find((letters) => [...term].every((letter) => letters.includes(letter)));

  /** Returns the words at edit distance one from a word of at least four letters of one alphabet, in three sets by the first edited letter: from the fifth on, the fourth, and the second or third. @param {string} term @returns {Set<string>[]} */
  function near(term) {
    const alphabet = alphabetOf(term);
    if (term.length < 4 || !alphabet) return [];
    return [edits(term, alphabet, 4, term.length), edits(term, alphabet, 3, 3), edits(term, alphabet, 1, 2)];
  }

  /** Returns the words that differ from a word by one edit at an index of a range. @param {string} term @param {string} alphabet @param {number} first @param {number} last */
  function edits(term, alphabet, first, last) {
    /** @type {Set<string>} */
    const words = new Set();
    for (let at = first; at <= last; at += 1) {
      const [before, letter, after] = [term.slice(0, at), term.slice(at, at + 1), term.slice(at + 1)];
      for (const one of alphabet) {
        words.add(before + one + letter + after);
        if (letter) words.add(before + one + after);
      }
      if (letter) words.add(before + after);
      if (after) words.add(before + after[0] + letter + after.slice(1));
    }
    words.delete(term);
    return words;
  }

  /** Whether two words of one alphabet have an edit distance of two; for long words only. @param {string} one @param {string} other */
  function isNear(one, other) {
    if (Math.abs(one.length - other.length) > 2 || !alphabetOf(other)) return false;
    const rows = [Array.from({ length: other.length + 1 }, (_, at) => at)];
    for (let row = 1; row <= one.length; row += 1) {
      rows.push([row]);
      for (let at = 1; at <= other.length; at += 1) {
        let least = Math.min(rows[row - 1][at] + 1, rows[row][at - 1] + 1, rows[row - 1][at - 1] + (one[row - 1] === other[at - 1] ? 0 : 1));
        if (row > 1 && at > 1 && one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1]) least = Math.min(least, rows[row - 2][at - 2] + 1);
        rows[row].push(least);
      }
    }
    return rows[one.length][other.length] === 2;
  }

  /** Returns the letters with which words at edit distance two from a word must begin; null if the word is too short. @param {string} term */
  const startForTwo = (term) => (term.length >= 8 && alphabetOf(term) ? term.slice(0, 3) : null);

  /** Returns the term for the primary part of a language tag; null for an invalid tag. @param {string} tag */
  function languageTerm(tag) {
    const primary = archiverTokens.fold(tag).split(/[-_]/)[0];
    return /^[a-z]{2,8}$/.test(primary) ? "¤l" + primary : null;
  }

  /**
   * Returns the lookups for authors, languages and features: for each filter, lists of terms; all terms of any
   * one list must match.
   * @param {Record<string, string[]>} filters @returns {Term[][][]}
   */
  function lookups(filters) {
    const authors = (filters.author ?? []).map((name) =>
      [archiverTokens.terms(name).map((one) => ({ ...one, term: "¤a" + one.term, prefix: !one.whole, forms: [] }))]);
    for (const value of filters.has ?? []) authors.push([[{ term: "¤h" + value.toLowerCase(), whole: true, prefix: false, forms: [] }]]);
    if (!filters.lang) return authors;
    const tags = filters.lang.flatMap((value) => value.split(",")).map(languageTerm).filter((term) => term !== null);
    return [...authors, tags.map((term) => [{ term, whole: true, prefix: false, forms: [] }])];
  }

  /** Parses a query. @param {string} text @returns {Query} */
  function parse(text) {
    // Keyboards may type the quotation marks of their language.
    const part = /(-?)(?:([a-z]+):(?:["“”„«»「」『』]([^"“”„«»「」『』]*).?|(\S+))|["“”„«»「」『』]([^"“”„«»「」『』]*).?|(\S+))/giu;
    /** @type {QueryPiece[][]} */
    const groups = [];
    let isEither = false;
    for (const match of text.matchAll(part)) {
      if (match[0] === "OR" && groups.length > 0) {
        isEither = true;
        continue;
      }
      const piece = { match, last: match.index + match[0].length === text.length };
      if (isEither) groups[groups.length - 1].push(piece);
      else groups.push([piece]);
      isEither = false;
    }
    const query = combine(groups.flat());
    if (groups.every((group) => group.length === 1)) return query;
    /** @type {QueryPiece[][]} */
    let lists = [[]];
    for (const group of groups) {
      const choices = lists.length * group.length > mostAlternatives ? [group] : group.map((piece) => [piece]);
      lists = lists.flatMap((list) => choices.map((choice) => [...list, ...choice]));
    }
    query.alternatives = lists.map(combine).filter((one) => one.terms.length > 0 || Object.keys(one.filters).length > 0 || excludes(one.without));
    return query;
  }

  /** Makes a query of its pieces. @param {QueryPiece[]} pieces @returns {Query} */
  function combine(pieces) {
    /** @type {Query} */
    const query = { terms: [], phrases: [], filters: {}, without: { terms: [], phrases: [], filters: {} }, unknown: [], title: null, alternatives: [] };
    /** @type {string[]} */
    const texts = [];
    for (const { match, last } of pieces) {
      const isWithout = match[1] !== "";
      const name = match[2]?.toLowerCase();
      const value = match[3] ?? match[4];
      const phrase = match[5];
      if (name && values[name] && value && !values[name].includes(value.toLowerCase())) {
        query.unknown.push(`${match[2]}:${value}`);
      } else if (name && !names.includes(name) && !match[4]?.startsWith("//")) {
        query.unknown.push(match[2]);
      } else if (name && names.includes(name) && value) {
        ((isWithout ? query.without : query).filters[name] ??= []).push(value);
      } else if (isWithout) {
        // An excluded word is never a prefix: while it is being typed, it would exclude too much.
        const text = phrase ?? match[0].slice(1);
        const sign = signed(text);
        const terms = sign ? [{ term: sign, whole: true }] : archiverTokens.terms(text);
        if (terms.length > 1) query.without.phrases.push(text);
        else for (const term of terms) query.without.terms.push({ ...term, prefix: !term.whole, forms: [] });
      } else if (phrase !== undefined) {
        texts.push(phrase);
        if ([...archiverTokens.pieces(phrase)].length > 1) query.phrases.push(phrase);
        query.terms.push(...phraseTerms(phrase));
      } else {
        texts.push(match[0]);
        const found = terms(match[0]);
        query.terms.push(...found);
        const end = found.at(-1);
        if (last && end && signed(match[0]) === null) end.prefix = true;
      }
    }
    query.title = whole(texts);
    return query;
  }

  /** Days since 1970 of the first day of 2024, 2024-05 or 2024-05-17; null for anything else. @param {string} text */
  function day(text) {
    const match = /^(\d{4})(?:-(\d{1,2}))?(?:-(\d{1,2}))?$/u.exec(text);
    if (!match) return null;
    // Date.UTC takes a year below 100 for one of the 20th century.
    return new Date(0).setUTCFullYear(Number(match[1]), Number(match[2] ?? 1) - 1, Number(match[3] ?? 1)) / 86400000;
  }

  /** Whether anything is excluded. @param {Exclusions} without */
  const excludes = (without) => without.terms.length + without.phrases.length + Object.keys(without.filters).length > 0;

  /** The tests of "is:" and of the choice of states. @type {Record<string, (item: Item) => boolean>} */
  const standing = {
    unlabelled: (item) => item.unlabelled,
    unread: (item) => (item.flags & (2 | 8)) === 0,
    read: (item) => (item.flags & (2 | 8)) !== 0,
    begun: (item) => (item.flags & 16) !== 0 && (item.flags & 2) === 0,
    favourite: (item) => (item.flags & 1) !== 0,
    failed: (item) => item.status === "failed",
    outdated: (item) => item.status === "outdated",
    done: (item) => (item.flags & 2) !== 0,
    gone: (item) => (item.flags & 4) !== 0,
    highlighted: (item) => (item.flags & 32) !== 0,
    withheld: (item) => (item.flags & 64) !== 0,
  };

  /** Returns a test that is computed once for each value. @template Value @param {(value: Value) => boolean} test */
  function once(test) {
    /** @type {Map<Value, boolean>} */
    const known = new Map();
    return /** @param {Value} value */ (value) => {
      const found = known.get(value) ?? test(value);
      known.set(value, found);
      return found;
    };
  }

  /** Returns the labels that a filter asks for. @param {string} value */
  const alternatives = (value) => [value, ...value.split(",")].filter((one) => one);
  /** Whether a filter asks for items without labels. @param {string} value */
  const asksNone = (value) => alternatives(value).some((one) => archiverTokens.fold(one) === "none");

  /**
   * Returns the tests that an item must pass. Several filters of one name mean any, except for labels, states, before and after: all.
   * Authors, languages and features are handled by `lookups`; "exactly" is one label, even with a comma in its name, "exactSite" a site by its whole name, or its host if it has no name.
   * @param {Record<string, string[]>} filters
   */
  function tests(filters) {
    const { fold } = archiverTokens;
    /** @type {((item: Item) => boolean)[]} */
    const found = [];
    /** Whether a name is one of several. @param {string[]} values */
    const oneOf = (values) => {
      const folded = new Set(values.map(fold));
      return once(/** @param {string} name */ (name) => folded.has(fold(name)));
    };
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
      if (name === "is") found.push(...values.map((value) => value.toLowerCase()).filter((value) => Object.hasOwn(standing, value)).map((value) => standing[value]));
      if (name === "label") {
        // All labels must match; of labels separated by commas, one.
        for (const value of values) {
          const isAsked = oneOf(alternatives(value));
          const none = asksNone(value);
          found.push((item) => (none && item.unlabelled) || item.labels.some(isAsked));
        }
        continue;
      }
      const isNamed = oneOf(values);
      const isIn = once(/** @param {[string, string]} site */ (site) => values.some((value) => site.some((name) => fold(name).includes(fold(value)))));
      if (name === "exactly") found.push((item) => item.labels.some(isNamed));
      if (name === "source") found.push((item) => isNamed(item.source));
      if (name === "type") found.push((item) => isNamed(item.kind));
      if (name === "site") found.push((item) => isIn(item.site));
      if (name === "exactSite") found.push((item) => values.includes(item.site[0] || item.site[1]));
    }
    return found;
  }

  /** Returns tests that reject the items that match an excluded filter. @param {Record<string, string[]>} filters */
  const remainder = (filters) => tests(filters).map((test) => (/** @type {Item} */ item) => !test(item));

  /** The kinds of values that the filters read. @type {Record<string, string>} */
  const valuesOf = { before: "saved", after: "saved", year: "saved", source: "origins", type: "origins" };

  /**
   * Returns the kinds of values that the tests of filters read, for labels and sites with their names.
   * Filters without a kind are handled by `lookups`.
   * @param {Record<string, string[]>} filters
   */
  const kinds = (filters) => Object.entries(filters).flatMap(([name, values]) => {
    if (name === "is") return values.map((value) => (value.toLowerCase() === "unlabelled" ? "unlabelled" : "states"));
    if (name === "label") return values.flatMap((value) => [...alternatives(value).map((one) => "label:" + one), ...asksNone(value) ? ["unlabelled"] : []]);
    if (name === "exactly") return values.map((value) => "label:" + value);
    if (name === "site" || name === "exactSite") return values.map((value) => `${name}:${value}`);
    return valuesOf[name] ?? [];
  });

  return { parse, phraseTerms, excludes, tests, kinds, remainder, lookups, near, isNear, startForTwo, groups, names };
})();
