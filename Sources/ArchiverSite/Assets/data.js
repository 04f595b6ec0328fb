// Loads data files. They are scripts, as pages opened from disk cannot read other files.
"use strict";

/**
 * @typedef {object} Facets
 * @property {number} count
 * @property {string[]} sources
 * @property {string[]} kinds
 * @property {[name: string, items: number][]} labels
 * @property {string[]} languages the primary parts of their tags
 * @property {string[]} people the authors of most items
 * @property {number[]} years in which items were saved
 * @property {string[]} statuses outdated or failed, if they occur
 * @property {boolean} timed whether an item has a reading time
 * @property {[items: number, column: number, lists: number]} [sizes] the numbers of items in a file of items and of a column, and of files of lists of each kind; absent without columns
 */

/**
 * An item, complete or with only some kinds of values.
 * @typedef {object} Item
 * @property {number} id its number in the order of archiving
 * @property {number} saved minutes since 1970, negative before
 * @property {number} age days from publishing to saving, Infinity without a date of publishing
 * @property {number} minutes
 * @property {string} source
 * @property {string} kind
 * @property {number} flags favourite 1, done 2, gone 4, read 8, begun 16, highlights 32, withheld 64
 * @property {[name: string, host: string]} site
 * @property {string[]} labels without columns all, otherwise at least those that filters asked for
 * @property {boolean} unlabelled
 * @property {string} status outdated or failed; empty if it is up to date
 */

/**
 * @typedef {object} ItemBlock
 * @property {number} count
 * @property {string[]} sources
 * @property {string[]} kinds
 * @property {[name: string, host: string][]} sites
 * @property {string[]} labels
 * @property {string} numbers
 * @property {Record<string, number[]>} [status] indexes of items
 * @property {number} [size] the number of items per file if it is not 256
 */

/**
 * @typedef {object} Column one kind of value of many items
 * @property {number} count
 * @property {string[]} [names]
 * @property {string} numbers
 */

/** @typedef {[folder: string, title: string, language: string, direction: string, text: string, picture: string|0, width: number, height: number, hue: number]} Row */

/** Numbers written with the 92 characters from U+0020 to U+007E without quote, backslash and less-than. */
const archiverDigits = (() => {
  const values = new Uint8Array(128);
  let next = 0;
  for (let code = 0x20; code <= 0x7e; code += 1) {
    if (code !== 0x22 && code !== 0x5c && code !== 0x3c) values[code] = next++;
  }
  return values;
})();

/** Returns a function that reads numbers sequentially: least significant digit first, a digit below 46 ends one. After the last it returns 0: a file may be older than one that says how many there are. @param {string} data */
const archiverNumbers = (data) => {
  let at = 0;
  const next = () => {
    for (let value = 0, scale = 1; ; scale *= 46) {
      const digit = archiverDigits[data.charCodeAt(at++)] ?? 0;
      if (digit < 46) return value + digit * scale;
      value += (digit - 46) * scale;
    }
  };
  return Object.assign(next, { isAtEnd: () => at >= data.length });
};

const archiverData = (() => {
  const recordSize = 16;
  /** The number of items per file if there are no columns. */
  const plainSize = 256;
  /** Up to this number of items, their data is loaded without columns: lists show most of it anyway. */
  const few = 96;
  /** @type {Map<string, Promise<void>>} */
  const loading = new Map();
  /** @type {Map<number, Row[]>} */
  const rows = new Map();
  /** @type {Map<number, Item[]>} */
  const blocks = new Map();
  /** Items with the values of the columns that are loaded. @type {Item[]} */
  const partial = [];
  /** The number of items in each file of columns. @type {Map<string, number>} */
  const counts = new Map();
  /** @type {Facets|null} */
  let facets = null;
  /** The numbers of all items in the order of their titles. @type {string|null} */
  let titles = null;
  /** The index of each item in the order of saving, oldest first. @type {number[]} */
  const places = [];
  /** The labels whose items are known. @type {Set<string>} */
  const listed = new Set();

  /** Loads a script of the archive once. @param {string} path */
  function load(path) {
    let promise = loading.get(path);
    if (!promise) {
      promise = new Promise((resolve, reject) => {
        const script = document.createElement("script");
        script.src = archiverUI.root + path;
        script.onload = () => { script.remove(); resolve(); };
        script.onerror = () => { script.remove(); loading.delete(path); reject(new Error(path)); };
        document.head.append(script);
      });
      loading.set(path, promise);
    }
    return promise;
  }

  /** The number of files that could not be loaded although a view wanted them. */
  let missing = 0;

  /** Loads a script without which a view is incomplete but usable. @param {string} path */
  const tryLoad = (path) => load(path).catch((error) => {
    missing += 1;
    console.warn("archiver: cannot load", error.message);
  });

  /** Loads data files, unless they are loaded already. @param {Iterable<string>} names */
  const loadFiles = (names) => Promise.all([...names].map((name) => tryLoad(`library/data/${name}.js`)));

  /** Decodes a signed number. @param {number} value */
  const signed = (value) => (value % 2 ? -(value + 1) / 2 : value / 2);
  /** Decodes an age. @param {number} value */
  const ageOf = (value) => (value === 0 ? Infinity : signed(value - 1));
  /** @param {number} digit */
  const flagsOf = (digit) => (digit & 3) | [0, 4, 64][(digit >> 2) % 3] | [0, 8, 16][Math.floor(digit / 12) % 3] | (digit >= 36 ? 32 : 0);

  /** @param {number} number @param {ItemBlock} data */
  function takeItems(number, data) {
    const size = data.size ?? plainSize;
    // While a server is being updated, its files may be divided differently.
    if (size !== (facets?.sizes?.[0] ?? plainSize)) {
      missing += 1;
      return;
    }
    const next = archiverNumbers(data.numbers);
    let day = 0;
    /** @type {Item[]} */
    const items = [];
    for (let index = 0; index < data.count; index += 1) {
      day += next();
      const saved = day * 1440 - signed(next());
      const age = ageOf(next());
      const minutes = next();
      const source = data.sources[next()] ?? "";
      const kind = data.kinds[next()] ?? "";
      const flags = flagsOf(next());
      const site = data.sites[next()] ?? ["", ""];
      const labels = Array.from({ length: next() }, () => data.labels[next()] ?? "");
      items.push({ id: number * size + index, saved, age, minutes, source, kind, flags, site, labels, unlabelled: labels.length === 0, status: "" });
    }
    for (const [status, indexes] of Object.entries(data.status ?? {})) {
      for (const index of indexes) if (items[index]) items[index].status = status;
    }
    blocks.set(number, items);
  }

  /** Calls `take` with the number of each item of a column, counted from its first. @param {Column} column @param {(index: number, value: number) => void} take */
  function each({ numbers, count }, take) {
    const next = archiverNumbers(numbers);
    for (let index = 0; index < count; index += 1) take(index, next());
  }

  /** Sets the values of a column, by its kind. @type {Record<string, (column: Column, items: Item[]) => void>} */
  const takers = {
    saved: (column, items) => {
      let saved = 0;
      each(column, (index, value) => { items[index].saved = saved += signed(value); });
    },
    published: (column, items) => each(column, (index, value) => { items[index].age = ageOf(value); }),
    minutes: (column, items) => each(column, (index, value) => { items[index].minutes = value; }),
    states: (column, items) => each(column, (index, value) => {
      items[index].flags = flagsOf(value % 72);
      items[index].status = ["", "outdated", "failed"][Math.floor(value / 72)] ?? "";
    }),
    origins: ({ names = [], numbers, count }, items) => each({ numbers, count }, (index, value) => {
      items[index].source = names[2 * value] ?? "";
      items[index].kind = names[2 * value + 1] ?? "";
    }),
    unlabelled: (column, items) => eachGap(archiverNumbers(column.numbers), (index) => {
      if (items[index]) items[index].unlabelled = true;
    }),
  };

  /** Calls `take` with each number of a list. @param {() => number} next reads how many there are, and the gaps between them @param {(index: number) => void} take */
  function eachGap(next, take) {
    let index = 0;
    for (let count = next(); count > 0; count -= 1) {
      index += next();
      take(index);
      index += 1;
    }
  }

  /** One array for all items whose site is not known: tests remember their result for it. @type {[string, string]} */
  const noSite = ["", ""];
  /** @param {number} id */
  const partialItem = (id) => (partial[id] ??= { id, saved: 0, age: Infinity, minutes: 0, source: "", kind: "", flags: 0, site: noSite, labels: [], unlabelled: false, status: "" });

  /** @param {number} first @param {Column} column */
  function takeOrder(first, column) {
    let next = 0;
    each(column, (index, value) => {
      const id = next + signed(value);
      if (id >= 0) places[id] = first + index;
      next = id + 1;
    });
  }

  /** @param {string} kind @param {number} number @param {Column} column */
  function takeColumn(kind, number, column) {
    const first = number * (facets?.sizes?.[1] ?? 0);
    if (kind === "order") takeOrder(first, column);
    else takers[kind]?.(column, Array.from({ length: column.count }, (_, index) => partialItem(first + index)));
    counts.set(`${kind}-${number}`, column.count);
  }

  /** Sets the items of labels and sites for which filters ask. @param {string[]} asked @param {number} count the number of files of each kind */
  async function loadNames(asked, count) {
    const before = missing;
    const { found, isPartial } = await archiverNames.having(asked, count);
    if (isPartial && before === missing) missing += 1;
    for (const { kind, names: [name, host], ids } of found) {
      // One array for all items of a site: tests remember their result for it.
      /** @type {[string, string]} */
      const site = [name, host];
      if (kind === "sites") for (const id of ids) partialItem(id).site = site;
      else if (!listed.has(name)) for (const id of ids) partialItem(id).labels.push(name);
      if (kind === "labels") listed.add(name);
    }
  }

  /** Returns the values for filters. */
  async function readFacets() {
    if (!facets) await load("library/data/facets.js");
    if (!facets) throw new Error("facets");
    return facets;
  }

  /** Returns the numbers of the files that contain items. @param {Iterable<number>} ids @param {number} size the number of items of each */
  function filesOf(ids, size) {
    /** @type {Set<number>} */
    const numbers = new Set();
    for (const id of ids) numbers.add(Math.floor(id / size));
    return numbers;
  }

  /** Returns items by their numbers; undefined for one that its file lacks, as while a server is being updated. @param {number[]} ids @returns {Promise<(Item|undefined)[]>} */
  async function readItems(ids) {
    const size = (await readFacets()).sizes?.[0] ?? plainSize;
    await loadFiles([...filesOf(ids, size)].map((number) => `items-${number}`));
    return ids.map((id) => blocks.get(Math.floor(id / size))?.[id % size]);
  }

  /** Whether to load the data of the items instead of columns. @param {number[]} ids @param {number} count of all items @param {number} size the number of items per file @param {number} columns the number of files of columns */
  const areFew = (ids, count, size, columns) => ids.length <= Math.min(few, count / 8) || filesOf(ids, size).size <= columns;

  /**
   * Returns those of some items whose data can be loaded, with at least the values of some kinds; in a large library, from the columns of
   * these kinds, unless the data of the items is in fewer files. "label:", "site:" and "exactSite:" are kinds with the value of a filter.
   * @param {number[]} ids @param {string[]} kinds @returns {Promise<Item[]>}
   */
  async function values(ids, kinds) {
    const { count, sizes } = await readFacets();
    const [itemSize, size, listCount] = sizes ?? [plainSize, 0, 0];
    const asked = [...new Set(kinds)].filter((kind) => kind.includes(":"));
    const wanted = [...new Set(kinds)].filter((kind) => !kind.includes(":"));
    const files = size > 0 ? wanted.flatMap((kind) => [...filesOf(ids, size)].map((number) => `${kind}-${number}`)) : [];
    if (size === 0 || (kinds.length > 0 && areFew(ids, count, itemSize, files.length))) {
      return (await readItems(ids)).filter((item) => item !== undefined);
    }
    await Promise.all([asked.length > 0 ? loadNames(asked, listCount) : null, loadFiles(files)]);
    const isLoaded = /** @param {number} id */ (id) => wanted.every((kind) => id % size < (counts.get(`${kind}-${Math.floor(id / size)}`) ?? 0));
    return ids.filter(isLoaded).map(partialItem);
  }

  /** Returns items in the order of saving, newest first, by their numbers; without those whose index is not known. @param {number[]} ids @returns {Promise<number[]>} */
  async function newest(ids) {
    const { count, sizes } = await readFacets();
    const [itemSize, size] = sizes ?? [plainSize, 0];
    const files = size > 0 ? Array.from({ length: Math.ceil(count / size) }, (_, number) => `order-${number}`) : [];
    const isTimed = /** @param {number} number */ (number) => counts.has(`saved-${number}`);
    if (size === 0 || areFew(ids, count, itemSize, files.length) || [...filesOf(ids, size)].every(isTimed)) {
      return (await values(ids, ["saved"])).sort((a, b) => b.saved - a.saved || b.id - a.id).map(({ id }) => id);
    }
    const before = missing;
    await loadFiles(files);
    const known = ids.filter((id) => places[id] !== undefined);
    // Files may be older than the items.
    if (known.length < ids.length && before === missing) missing += 1;
    return known.sort((a, b) => places[b] - places[a]);
  }

  /** Returns the numbers of all items in the order of their titles. */
  async function readTitles() {
    if (titles === null) await load("library/data/titles.js");
    if (titles === null) throw new Error("titles");
    return Array.from({ length: (await readFacets()).count }, archiverNumbers(titles));
  }

  /** Returns the rows of items by their numbers; undefined for one that its file lacks, as while a server is being updated. @param {number[]} ids @returns {Promise<(Row|undefined)[]>} */
  async function readRecords(ids) {
    await loadFiles([...filesOf(ids, recordSize)].map((number) => `records-${number}`));
    return ids.map((id) => rows.get(Math.floor(id / recordSize))?.[id % recordSize]);
  }

  return {
    load, tryLoad, loadFiles, readFacets, readItems, readTitles, readRecords, values, newest, eachGap,
    missing: () => missing,
    // Called by the data files.
    facets: /** @param {Facets} data */ (data) => { facets = data; },
    titles: /** @param {string} data */ (data) => { titles = data; },
    records: /** @param {number} number @param {Row[]} data */ (number, data) => { rows.set(number, data); },
    items: takeItems,
    column: takeColumn,
  };
})();
