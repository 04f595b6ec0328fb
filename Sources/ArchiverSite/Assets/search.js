// Finds items: looks up terms in the index and ranks by BM25.
"use strict";

/** @typedef {{id: number, score: number, passage: number, isTitle: boolean}} Hit */
/** @typedef {{phrase: string, items: Map<number, number[]>}} Places the passages of items that have all words of a phrase */
/**
 * @typedef {object} Passage
 * @property {string} text
 * @property {string} also authors, labels, highlights and notes, one per line; in an item's first passage only
 * @property {[start: number, path: string][]} places the starts of a book's chapters and pages, with their URLs in the bundle
 */

const archiverSearch = (() => {
  /** The weight of a word with the term as a prefix. */
  const prefixWeight = 0.7;
  /** The weight of another form of the word. */
  const formWeight = 0.55;
  /** The maximum number of words that a query takes from the index for one of its own. */
  const mostWords = 64;
  /** @type {Map<string, Passage>} */
  const texts = new Map();

  /** Returns the stems of a word: the word itself, and one for each language in which it occurs. @param {string} word */
  async function stemsOf(word) {
    const shards = await archiverShards.having(word, false);
    return new Set([word, ...shards.flatMap(({ stems }) => stems.get(word) ?? [])]);
  }

  /** Returns the words that have a stem in common with a word, and its stems. @param {string} word @param {string[]} parts receives the stems by which words were looked up */
  async function like(word, parts) {
    /** @type {Set<string>} */
    const words = new Set();
    for (const stem of await stemsOf(word)) {
      let shared = 0;
      while (shared < stem.length && stem[shared] === word[shared]) shared += 1;
      // As in "history" and "histories", the last letter of a stem may differ.
      if (shared > 4 && shared === stem.length) shared -= 1;
      // Too many words begin with a short prefix.
      if (shared < (word.charCodeAt(0) < 128 ? 4 : 3)) continue;
      words.add(stem);
      parts.push(stem);
      const prefix = stem.slice(0, shared);
      for (const { stems } of await archiverShards.having(prefix, true)) {
        for (const [other, list] of stems) if (other.startsWith(prefix) && list.includes(stem)) words.add(other);
      }
    }
    words.delete(word);
    return words;
  }

  /** Adds other forms of a word from the index, and German compounds of it. If the index has none for the word itself, adds those of its known forms. @param {Term} wanted */
  async function inflect(wanted) {
    const { term } = wanted;
    if (!wanted.inflected) return;
    wanted.inflected = false;
    const parts = [term];
    let words = await like(term, parts);
    if (words.size === 0) words = new Set((await Promise.all(wanted.forms.map((form) => like(form, parts)))).flatMap((some) => [...some]));
    for (const known of [term, ...wanted.forms]) words.delete(known);
    wanted.forms.push(...[...words].sort(archiverShards.compare).slice(0, mostWords));
    wanted.forms.push(...new Set(parts.filter((part) => /^[a-z]{3,}$/.test(part)).map((part) => part + archiverSnippet.partMark)));
  }

  /**
   * Returns the passages with all words of a phrase and all its pairs of adjacent words.
   * @param {string} phrase @returns {Promise<Places>}
   */
  async function places(phrase) {
    const wanted = archiverQuery.phraseTerms(phrase);
    /** @type {Map<number, number[]>} */
    const items = new Map();
    const all = await archiverShards.segments();
    const data = await Promise.all(wanted.map(archiverShards.postings));
    all.forEach((segment, at) => {
      const sets = data.map((list) => {
        /** @type {Set<number>} */
        const found = new Set();
        for (const part of [...list[at].exact, ...list[at].longer]) archiverShards.decode(part, (one) => found.add(one));
        return found;
      });
      const [first, ...others] = sets.sort((one, other) => one.size - other.size);
      for (const one of [...first ?? []].sort((a, b) => a - b)) {
        if (segment.items[one] < 0 || !others.every((list) => list.has(one))) continue;
        const id = segment.first + segment.items[one];
        items.set(id, [...items.get(id) ?? [], segment.numbers[one]]);
      }
    });
    return { phrase, items };
  }

  /**
   * Returns the best passage for a term in each item that contains it; the first of equal ones.
   * @param {{term: string, prefix: boolean, forms: string[]}} wanted
   */
  async function lookUp(wanted) {
    const all = await archiverShards.segments();
    const [own, ...others] = await Promise.all([wanted, ...wanted.forms.map((term) => ({ term, prefix: false }))].map(archiverShards.postings));
    /** @type {Map<number, {weight: number, passage: number}>} */
    const found = new Map();
    all.forEach((segment, at) => {
      /** @param {string} data @param {number} factor */
      const add = (data, factor) => archiverShards.decode(data, (one, part) => {
        if (segment.items[one] < 0) return;
        const id = segment.first + segment.items[one];
        const weight = part * factor;
        const passage = segment.numbers[one];
        const known = found.get(id);
        if (!known || known.weight < weight || (known.weight === weight && known.passage > passage)) found.set(id, { weight, passage });
      });
      for (const data of own[at].exact) add(data, 1);
      for (const data of own[at].longer) add(data, prefixWeight);
      for (const form of others) for (const data of form[at].exact) add(data, formWeight);
    });
    return found;
  }

  /** Returns the items that have all of one of several lists of terms. @param {Term[][]} either @returns {Promise<Set<number>>} */
  async function having(either) {
    const sets = await Promise.all(either.map(async (terms) => {
      const [first, ...others] = await Promise.all(terms.map(lookUp));
      return first ? [...first.keys()].filter((id) => others.every((list) => list.has(id))) : [];
    }));
    return new Set(sets.flat());
  }

  /** Returns items with all terms: those whose title equals the query first, then by score, then newest first. @param {Query} query @returns {Promise<Hit[]>} */
  async function rank(query) {
    await Promise.all(query.terms.map(inflect));
    const lists = await Promise.all(query.terms.map(lookUp));
    const titled = query.title === null ? new Set() : await archiverShards.items(query.title);
    const total = archiverShards.total();
    lists.sort((one, other) => one.size - other.size);
    /** @type {Map<number, Hit>} */
    let hits = new Map();
    lists.forEach((list, number) => {
      const rarity = Math.log(1 + (total - list.size + 0.5) / (list.size + 0.5));
      /** @type {Map<number, Hit>} */
      const next = new Map();
      for (const [id, { weight, passage }] of list) {
        const before = hits.get(id);
        if (number > 0 && !before) continue;
        next.set(id, { id, score: (before?.score ?? 0) + rarity * weight, passage: before?.passage ?? passage, isTitle: titled.has(id) });
      }
      hits = next;
    });
    return [...hits.values()].sort(compareHits);
  }

  /** Sorts titles equal to the query first, then by score, then newest first. @param {Hit} one @param {Hit} other */
  function compareHits(one, other) {
    return Number(other.isTitle) - Number(one.isTitle) || other.score - one.score || other.id - one.id;
  }

  /**
   * Returns the items with an excluded word, author or language, and passages that may contain excluded phrases.
   * @param {Exclusions} without
   * @returns {Promise<{ids: Set<number>, suspects: Places[]}>}
   */
  async function excluded({ terms, phrases, filters }) {
    const lists = await Promise.all([...terms.map(lookUp), ...archiverQuery.lookups(filters).map(having)]);
    return { ids: new Set(lists.flatMap((list) => [...list.keys()])), suspects: await Promise.all(phrases.map(places)) };
  }

  /**
   * Returns the query with each unknown word replaced by a similar word of the index, and without those that have
   * none; null if there is no similar word. Words that differ at the start are in many shards, and looked up for one
   * unknown word only.
   * @param {string} typed @param {Query} query
   */
  async function suggestion(typed, query) {
    let text = typed;
    let isBetter = false;
    let mayDifferAtStart = true;
    for (const wanted of query.terms.filter((term) => term.whole)) {
      if ((await lookUp(wanted)).size > 0) continue;
      const [afterFourth, atFourth, otherStart] = archiverQuery.near(wanted.term);
      let best = await commonest(afterFourth ?? []);
      if (!best.word) best = await commonest(atFourth ?? []);
      if (!best.word) best = await commonest(await far(wanted.term));
      if (!best.word && otherStart && mayDifferAtStart) {
        mayDifferAtStart = false;
        best = await commonest(otherStart);
      }
      const place = [...archiverTokens.pieces(text)].find(({ term, start }) => term === wanted.term && !isOfFilter(text, start));
      if (!place) continue;
      const rest = text.slice(place.end);
      text = text.slice(0, place.start) + (best.word ? best.word + rest : rest.replace(/^ /, ""));
      isBetter ||= best.count > 0;
    }
    return isBetter ? text : null;
  }

  /** Returns the word that most items have, the first of equal ones. @param {Iterable<string>} words */
  async function commonest(words) {
    let best = { word: "", count: 0 };
    const lists = await Promise.all([...words].map(async (word) => ({ word, count: (await lookUp({ term: word, prefix: false, forms: [] })).size })));
    for (const one of lists) {
      if (one.count > best.count || (one.count > 0 && one.count === best.count && one.word < best.word)) best = one;
    }
    return best;
  }

  /** Returns the words of the index at edit distance two of a long word. @param {string} term */
  async function far(term) {
    const start = archiverQuery.startForTwo(term);
    if (!start) return [];
    const found = await archiverShards.having(start, true);
    return new Set(found.flatMap(({ terms }) => [...terms.keys()]).filter((word) => word.startsWith(start) && archiverQuery.isNear(term, word)));
  }

  /** Whether an offset in a query follows the name of a filter. @param {string} text @param {number} place */
  const isOfFilter = (text, place) => text.slice(0, place).split(" ").pop()?.includes(":") === true;

  /** Returns an item's passage. @param {string} name @param {number} passage */
  async function readText(name, passage) {
    const key = `${name}-${passage}`;
    if (!texts.has(key)) await archiverData.load(`library/text/${name.slice(0, 2)}/${key}.js`);
    return texts.get(key) ?? { text: "", also: "", places: [] };
  }

  return {
    rank,
    compareHits,
    having,
    suggestion,
    excluded,
    places,
    readText,
    // Called by the data files.
    index: archiverShards.index,
    directory: archiverShards.directory,
    shard: archiverShards.shard,
    text: /** @param {string} name @param {string} text @param {Partial<Passage>} [more] */ (name, text, more) => {
      texts.set(name, { text, also: more?.also ?? "", places: more?.places ?? [] });
    },
  };
})();
