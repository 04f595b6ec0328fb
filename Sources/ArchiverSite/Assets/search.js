// Finds items: looks up terms in the shards of the index and ranks by BM25.
"use strict";

/**
 * @typedef {object} Segment
 * @property {number} first number of its first item
 * @property {number} count items
 * @property {Int32Array} items the item of each passage, counted from `first`
 * @property {Int32Array} numbers the number of each passage within its item
 * @property {string[]} starts of its shards: each sorts not after any term of its shard, and after all terms of the previous one
 * @property {string[]} shards their names
 */

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
  /** @type {Segment[]|null} */
  let segments = null;
  let total = 0;
  /** The maximum number of words that a query takes from the index for one of its own. */
  const mostWords = 64;
  /** @type {Map<string, Map<string, string>>} */
  const shards = new Map();
  /** The stems of words that differ from them, by shard. @type {Map<string, Map<string, string[]>>} */
  const stems = new Map();
  /** @type {Map<string, Passage>} */
  const texts = new Map();

  /** @param {[string, number, [number, number][], string, string][]} list */
  function takeIndex(list) {
    let first = 0;
    segments = list.map(([, count, many, starts, names]) => {
      const passages = new Map(many);
      const items = [];
      const numbers = [];
      for (let item = 0; item < count; item += 1) {
        for (let number = 0; number < (passages.get(item) ?? 1); number += 1) {
          items.push(item);
          numbers.push(number);
        }
      }
      const segment = { first, count, items: Int32Array.from(items), numbers: Int32Array.from(numbers), starts: starts === "" ? [] : starts.split(" "), shards: names.match(/.{9}/g) ?? [] };
      first += count;
      return segment;
    });
    total = first;
  }

  /** Compares by code points, the order of the index. @param {string} one @param {string} other */
  function compare(one, other) {
    const length = Math.min(one.length, other.length);
    for (let at = 0; at < length; at += 1) {
      if (one.charCodeAt(at) !== other.charCodeAt(at)) {
        return (one.codePointAt(at) ?? 0) - (other.codePointAt(at) ?? 0);
      }
    }
    return one.length - other.length;
  }

  /** Returns the number of the last shard that does not start after `term`. @param {Segment} segment @param {string} term */
  function shardOf(segment, term) {
    let low = 0;
    let high = segment.starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compare(segment.starts[middle], term) <= 0) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }

  /** @param {string} name @param {string} data */
  function takeShard(name, data) {
    const parts = data.split("\t");
    const map = new Map();
    const others = new Map();
    let previous = "";
    for (let at = 0; at + 1 < parts.length; at += 2) {
      const term = previous.slice(0, archiverDigits[parts[at].charCodeAt(0)]) + parts[at].slice(1);
      const [postings, ...endings] = parts[at + 1].split("<");
      map.set(term, postings);
      // A digit, the number of units to remove from the word, and what to append.
      if (endings.length > 0) others.set(term, endings.map((code) => term.slice(0, term.length - archiverDigits[code.charCodeAt(0)]) + code.slice(1)));
      previous = term;
    }
    shards.set(name, map);
    stems.set(name, others);
  }

  /** Calls `visit` with passage and weight of each posting. @param {string} data @param {(passage: number, weight: number) => void} visit */
  function decode(data, visit) {
    let at = 0;
    const read = () => {
      let value = 0;
      let scale = 1;
      for (;;) {
        const digit = archiverDigits[data.charCodeAt(at++)];
        if (digit < 46) return value + digit * scale;
        value += (digit - 46) * scale;
        scale *= 46;
      }
    };
    while (at < data.length) {
      const head = read();
      const weight = ((head % 8) + 0.5) / 8;
      let passage = -1;
      for (let count = Math.floor(head / 8) + 1; count > 0; count -= 1) {
        passage += read() + 1;
        visit(passage, weight);
      }
    }
  }

  /** Loads shards of a segment and returns their names. @param {Segment} segment @param {number[]} wanted */
  async function loaded(segment, wanted) {
    const names = [...new Set(wanted)].map((number) => segment.shards[number]);
    await Promise.all(names.filter((name) => !shards.has(name)).map((name) => archiverData.load(`library/search/${name}.js`)));
    return names;
  }

  /** Loads shards of a segment and returns their terms. @param {Segment} segment @param {number[]} wanted */
  async function entries(segment, wanted) {
    return (await loaded(segment, wanted)).flatMap((name) => [...shards.get(name) ?? []]);
  }

  /** Returns the stems of a word: itself and those of the languages in which it occurs. @param {string} word */
  async function stemsOf(word) {
    const lists = await Promise.all((await filled()).map(async (segment) => {
      const [name] = await loaded(segment, [shardOf(segment, word)]);
      return stems.get(name)?.get(word) ?? [];
    }));
    return new Set([word, ...lists.flat()]);
  }

  /** Returns the words that have a stem in common with a word, and its stems. @param {string} word */
  async function like(word) {
    /** @type {Set<string>} */
    const words = new Set();
    for (const stem of await stemsOf(word)) {
      let shared = 0;
      while (shared < stem.length && stem[shared] === word[shared]) shared += 1;
      // As in "history" and "histories", the last letter of a stem may differ.
      if (shared > 4 && shared === stem.length) shared -= 1;
      // More words begin with a short prefix than are worth loading.
      if (shared < (word.charCodeAt(0) < 128 ? 4 : 3)) continue;
      words.add(stem);
      const prefix = stem.slice(0, shared);
      await Promise.all((await filled()).map(async (segment) => {
        for (const name of await loaded(segment, range(segment, prefix))) {
          for (const [other, list] of stems.get(name) ?? []) if (other.startsWith(prefix) && list.includes(stem)) words.add(other);
        }
      }));
    }
    words.delete(word);
    return words;
  }

  /** Adds the forms that the index has to those of a word. If no item has a form of the word itself, they are those of its other forms. @param {Term} wanted */
  async function inflect(wanted) {
    const { term } = wanted;
    if (!wanted.inflected) return;
    wanted.inflected = false;
    let words = await like(term);
    if (words.size === 0) words = new Set((await Promise.all(wanted.forms.map(like))).flatMap((some) => [...some]));
    for (const known of [term, ...wanted.forms]) words.delete(known);
    wanted.forms.push(...[...words].sort(compare).slice(0, mostWords));
  }

  /**
   * Returns the postings of a term in a segment, and those of words with it as a prefix.
   * @param {Segment} segment @param {{term: string, prefix: boolean}} wanted
   * @returns {Promise<{exact: string[], longer: string[]}>}
   */
  async function postings(segment, { term, prefix }) {
    // If many words have this prefix, this entry covers them all.
    const all = term + "*";
    const first = shardOf(segment, term);
    let found = await entries(segment, prefix ? [first, shardOf(segment, all)] : [first]);
    const of = (/** @type {string} */ wanted) => found.filter(([one]) => one === wanted).map(([, data]) => data);
    if (!prefix || of(all).length > 0) return { exact: of(term), longer: prefix ? of(all) : [] };
    found = await entries(segment, range(segment, term));
    return { exact: of(term), longer: found.filter(([one]) => one !== term && one.startsWith(term)).map(([, data]) => data) };
  }

  /** Returns the numbers of the shards that may have terms with a prefix. @param {Segment} segment @param {string} prefix */
  function range(segment, prefix) {
    const first = shardOf(segment, prefix);
    let end = first + 1;
    while (end < segment.starts.length && segment.starts[end].startsWith(prefix)) end += 1;
    return Array.from({ length: end - first }, (_, next) => first + next);
  }

  /** Returns the segments that contain terms. */
  async function filled() {
    if (!segments) await archiverData.load("library/search/index.js");
    return (segments ?? []).filter((segment) => segment.starts.length > 0);
  }

  /**
   * Returns the passages with all words of a phrase and all its pairs of common words.
   * @param {string} phrase @returns {Promise<Places>}
   */
  async function places(phrase) {
    const wanted = archiverQuery.phraseTerms(phrase);
    /** @type {Map<number, number[]>} */
    const items = new Map();
    await Promise.all((await filled()).map(async (segment) => {
      const lists = await Promise.all(wanted.map(async (term) => {
        const { exact, longer } = await postings(segment, term);
        /** @type {Set<number>} */
        const found = new Set();
        for (const data of [...exact, ...longer]) decode(data, (one) => found.add(one));
        return found;
      }));
      const [first, ...others] = lists.sort((one, other) => one.size - other.size);
      for (const one of [...first ?? []].sort((a, b) => a - b)) {
        if (!others.every((list) => list.has(one))) continue;
        const id = segment.first + segment.items[one];
        items.set(id, [...items.get(id) ?? [], segment.numbers[one]]);
      }
    }));
    return { phrase, items };
  }

  /**
   * Returns the best passage for a term in each item that contains it; the first of equal ones.
   * @param {{term: string, prefix: boolean, forms: string[]}} wanted
   */
  async function lookUp(wanted) {
    const all = await filled();
    const lists = await Promise.all(all.map(async (segment) => ({
      ...await postings(segment, wanted),
      forms: (await Promise.all(wanted.forms.map((term) => postings(segment, { term, prefix: false })))).flatMap(({ exact }) => exact),
    })));
    /** @type {Map<number, {weight: number, passage: number}>} */
    const found = new Map();
    all.forEach((segment, at) => {
      /** @param {string} data @param {number} factor */
      const add = (data, factor) => decode(data, (one, part) => {
        const id = segment.first + segment.items[one];
        const weight = part * factor;
        const passage = segment.numbers[one];
        const known = found.get(id);
        if (!known || known.weight < weight || (known.weight === weight && known.passage > passage)) found.set(id, { weight, passage });
      });
      for (const data of lists[at].exact) add(data, 1);
      for (const data of lists[at].longer) add(data, prefixWeight);
      for (const data of lists[at].forms) add(data, formWeight);
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
    const titled = query.title === null ? new Map() : await lookUp({ term: query.title, prefix: false, forms: [] });
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
   * none; null if there is no similar word.
   * @param {string} typed @param {Query} query
   */
  async function suggestion(typed, query) {
    let text = typed;
    let isBetter = false;
    for (const wanted of query.terms.filter((term) => term.whole)) {
      if ((await lookUp(wanted)).size > 0) continue;
      let best = await commonest(archiverQuery.near(wanted.term));
      if (!best.word) best = await commonest(await far(wanted.term));
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
    const lists = await Promise.all((await filled()).map((segment) => entries(segment, range(segment, start))));
    return new Set(lists.flat().map(([word]) => word).filter((word) => word.startsWith(start) && archiverQuery.isNear(term, word)));
  }

  /** Whether a place in a query follows the name of a filter. @param {string} text @param {number} place */
  const isOfFilter = (text, place) => text.slice(0, place).split(" ").pop()?.includes(":") === true;

  /** Returns an item's passage. @param {string} name @param {number} passage */
  async function text(name, passage) {
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
    index: takeIndex,
    shard: takeShard,
    text: /** @param {string} name @param {string|number} value @param {Partial<Passage>} [more] @returns {any} */ (name, value, more) => {
      if (typeof value === "number") return text(name, value);
      texts.set(name, { text: value, also: more?.also ?? "", places: more?.places ?? [] });
    },
  };
})();
