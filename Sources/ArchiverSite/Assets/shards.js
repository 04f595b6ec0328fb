// Reads the search index: loads the shards that may have a term, and their terms and postings.
"use strict";

/**
 * @typedef {object} Segment
 * @property {number} first number of its first item
 * @property {number} count items
 * @property {Int32Array} items the item of each passage, counted from `first`; -1 for one with a revision
 * @property {Int32Array} numbers the number of each passage within its item
 * @property {number} list the number of its list of shards, which the segments of a group have in common
 * @property {number} place its place in the group
 */

/**
 * @typedef {object} ShardList
 * @property {string[]} starts each sorts not after any term of its shard, and after all terms of the previous one
 * @property {string[]} names
 */

const archiverShards = (() => {
  /** @type {Segment[]|null} */
  let segments = null;
  let total = 0;
  /** The lists of shards; null for those that are in directories. @type {(ShardList|null)[]} */
  let lists = [];
  /** The files with the lists of large segments and groups; each begins at a term. @type {{start: string, name: string}[]} */
  let directories = [];
  /** The lists in each loaded directory, one for each large segment or group. @type {Map<string, ShardList[]>} */
  const listed = new Map();
  /** The shards of terms of items: whole titles and ids of folders. @type {ShardList} */
  let wholes = { starts: [], names: [] };
  /** @type {Map<string, Map<string, string>>} */
  const shards = new Map();
  /** The stems of words that differ from them, by shard. @type {Map<string, Map<string, string[]>>} */
  const stems = new Map();

  /**
   * @param {[string, number, [number, number][], (string|number)?, string?][]} list
   * @param {string[]} [files] @param {[starts: string, names: string]} [others]
   * @param {[name: string, item: number, passages: number, starts: string, names: string][]} [revisions] items that changed since their segment was written
   */
  function takeIndex(list, files = [], others = ["", ""], revisions = []) {
    const revised = new Set(revisions.map(([, item]) => item));
    let first = 0;
    lists = [];
    segments = list.map(([, count, many, starts, names]) => {
      const place = typeof starts === "number" ? starts : 0;
      if (place === 0) lists.push(names === undefined ? null : shardList([String(starts ?? ""), names]));
      const passages = new Map(many);
      const items = [];
      const numbers = [];
      for (let item = 0; item < count; item += 1) {
        for (let number = 0; number < (passages.get(item) ?? 1); number += 1) {
          items.push(revised.has(first + item) ? -1 : item);
          numbers.push(number);
        }
      }
      const segment = { first, count, items: Int32Array.from(items), numbers: Int32Array.from(numbers), list: lists.length - 1, place };
      first += count;
      return segment;
    });
    for (const [, item, passages, starts, names] of revisions) {
      lists.push(shardList([starts, names]));
      segments.push({ first: item, count: 1, items: new Int32Array(passages), numbers: Int32Array.from({ length: passages }, (_, number) => number), list: lists.length - 1, place: 0 });
    }
    directories = files.flatMap((start, at) => at % 2 === 0 ? [{ start, name: files[at + 1] }] : []);
    wholes = shardList(others);
    total = first;
  }

  /** @param {[starts: string, names: string]} texts @returns {ShardList} */
  function shardList([starts, names]) {
    return { starts: starts === "" ? [] : starts.split(" "), names: names.match(/.{9}/g) ?? [] };
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

  /** Returns the index of the last start that is not after a term, or 0. @param {string[]} starts @param {string} term */
  function lastStart(starts, term) {
    let low = 0;
    let high = starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compare(starts[middle], term) <= 0) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }

  /** Returns those of a sorted list that begin before or at a term and, if `longer`, those that may have terms with it as a prefix. @template T @param {T[]} list @param {string[]} starts @param {string} term @param {boolean} longer */
  function startingAt(list, starts, term, longer) {
    const first = lastStart(starts, term);
    let end = first + 1;
    while (longer && end < list.length && starts[end].startsWith(term)) end += 1;
    return list.slice(first, end);
  }

  /** Returns, for each list, the names of the shards that may have a term and, if `longer`, terms with it as a prefix. @param {string} term @param {boolean} longer */
  async function shardNames(term, longer) {
    await known();
    const wanted = startingAt(directories, directories.map(({ start }) => start), term, longer).map(({ name }) => name);
    await Promise.all(wanted.filter((name) => !listed.has(name)).map((name) => archiverData.tryLoad(path(name))));
    let large = 0;
    return lists.map((list) => {
      const parts = list ? [list] : wanted.map((name) => listed.get(name)?.[large] ?? { starts: [], names: [] });
      if (!list) large += 1;
      // A shard at the end of a directory can be in the next one, too.
      return [...new Set(parts.flatMap(({ starts, names }) => startingAt(names, starts, term, longer)))];
    });
  }

  /** @param {string} name */
  const path = (name) => `library/search/${name}.js`;

  /** @param {string} name @param {string} data */
  function takeShard(name, data) {
    const parts = data.split("\t");
    const map = new Map();
    const others = new Map();
    let previous = "";
    for (let at = 0; at + 1 < parts.length; at += 2) {
      const term = previous.slice(0, archiverDigits[parts[at].charCodeAt(0)]) + parts[at].slice(1);
      map.set(term, parts[at + 1]);
      const endings = parts[at + 1].split(partEnd).flatMap((part) => part.split("<").slice(1));
      // A digit, the number of units to remove from the word, and what to append.
      if (endings.length > 0) others.set(term, endings.map((code) => term.slice(0, term.length - archiverDigits[code.charCodeAt(0)]) + code.slice(1)));
      previous = term;
    }
    shards.set(name, map);
    stems.set(name, others);
  }

  /** Separates the postings of the segments of a group. */
  const partEnd = "\x1f";
  /** The first character of postings in the dense form: a digit for each two passages. */
  const denseMark = "¤";
  /** Returns the weight for a score. @param {number} score */
  const weightOf = (score) => (score + 0.5) / 8;

  /** Calls `visit` with passage and weight of each posting. @param {string} data @param {(passage: number, weight: number) => void} visit */
  function decode(data, visit) {
    if (data.startsWith(denseMark)) {
      for (let at = denseMark.length, passage = 0; at < data.length; at += 1, passage += 2) {
        const pair = archiverDigits[data.charCodeAt(at)];
        if (pair % 9 > 0) visit(passage, weightOf(pair % 9 - 1));
        if (pair >= 9) visit(passage + 1, weightOf(Math.floor(pair / 9) - 1));
      }
      return;
    }
    const next = archiverNumbers(data);
    while (!next.isAtEnd()) {
      const head = next();
      const weight = weightOf(head % 8);
      let passage = -1;
      for (let count = Math.floor(head / 8) + 1; count > 0; count -= 1) {
        passage += next() + 1;
        visit(passage, weight);
      }
    }
  }

  /** Loads shards. @param {string[]} names */
  async function load(names) {
    await Promise.all(names.filter((name) => !shards.has(name)).map((name) => archiverData.tryLoad(path(name))));
  }

  /** Loads shards and returns the postings of wanted terms in a segment, given by its place in its group. @param {string[]} names @param {number} place @param {(term: string) => boolean} isWanted */
  async function entries(names, place, isWanted) {
    await load(names);
    /** @type {[term: string, postings: string][]} */
    const found = [];
    for (const name of names) {
      for (const [term, data] of shards.get(name) ?? []) {
        const postings = isWanted(term) ? data.split(partEnd)[place]?.split("<")[0] : "";
        if (postings) found.push([term, postings]);
      }
    }
    return found;
  }

  /** Loads the list of segments if necessary, and returns it. */
  async function known() {
    if (!segments) await archiverData.load("library/search/index.js");
    return segments ?? [];
  }

  /**
   * Returns, for each segment, the postings of a term and those of words with it as a prefix.
   * @param {{term: string, prefix: boolean}} wanted
   * @returns {Promise<{exact: string[], longer: string[]}[]>}
   */
  async function postings({ term, prefix }) {
    // If many words of a segment have this prefix, this entry covers them all.
    const all = term + "*";
    const [own, short, long] = await Promise.all([shardNames(term, false), prefix ? shardNames(all, false) : [], prefix ? shardNames(term, true) : []]);
    return Promise.all((await known()).map(async ({ list, place }) => {
      const found = await entries(prefix ? [...new Set([...own[list], ...short[list]])] : own[list], place, (one) => one === term || (prefix && one === all));
      const of = (/** @type {string} */ wanted) => found.filter(([one]) => one === wanted).map(([, data]) => data);
      if (!prefix || of(all).length > 0) return { exact: of(term), longer: of(all) };
      const longer = await entries(long[list], place, (one) => one !== term && one.startsWith(term));
      return { exact: of(term), longer: longer.map(([, data]) => data) };
    }));
  }

  /** Returns the items with a term of whole titles or of folders. @param {string} term @returns {Promise<Set<number>>} */
  async function items(term) {
    await known();
    const found = await entries(startingAt(wholes.names, wholes.starts, term, false), 0, (one) => one === term);
    /** @type {Set<number>} */
    const numbers = new Set();
    for (const [, data] of found) decode(data, (item) => numbers.add(item));
    return numbers;
  }

  return {
    compare,
    decode,
    postings,
    segments: known,
    items,
    total: () => total,
    /** Returns the shards that may have a term and, if `longer`, terms with it as a prefix. @param {string} term @param {boolean} longer */
    having: async (term, longer) => {
      const names = (await shardNames(term, longer)).flat();
      await load(names);
      return names.map((name) => ({ terms: shards.get(name) ?? new Map(), stems: stems.get(name) ?? new Map() }));
    },
    index: takeIndex,
    directory: /** @param {string} name @param {[string, string][]} texts */ (name, texts) => listed.set(name, texts.map(shardList)),
    shard: takeShard,
  };
})();
