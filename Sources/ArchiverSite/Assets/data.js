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
 */

/**
 * @typedef {object} Item
 * @property {number} id its number in the order of archiving
 * @property {number} saved minutes since 1970, negative before
 * @property {number} archived days since 1970
 * @property {number} published days since 1970, -Infinity for none
 * @property {number} minutes
 * @property {string} source
 * @property {string} kind
 * @property {number} flags favourite 1, done 2, gone 4, read 8, begun 16, highlights 32, withheld 64
 * @property {[name: string, host: string]} site
 * @property {string[]} labels
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
  return () => {
    for (let value = 0, scale = 1; ; scale *= 46) {
      const digit = archiverDigits[data.charCodeAt(at++)] ?? 0;
      if (digit < 46) return value + digit * scale;
      value += (digit - 46) * scale;
    }
  };
};

const archiverData = (() => {
  const recordSize = 16;
  const itemSize = 256;
  /** @type {Map<string, Promise<void>>} */
  const loading = new Map();
  /** @type {Map<number, Row[]>} */
  const rows = new Map();
  /** @type {Map<number, Item[]>} */
  const blocks = new Map();
  /** @type {Facets|null} */
  let facets = null;
  /** The numbers of all items in the order of their titles. @type {string|null} */
  let titles = null;

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

  /** The number of files that could not be loaded, of those of which views need only some. */
  let missing = 0;

  /** Loads a script that a view can do without. @param {string} path */
  const tryLoad = (path) => load(path).catch((error) => {
    missing += 1;
    console.warn("archiver: cannot load", error.message);
  });

  /** @param {number} number @param {ItemBlock} data */
  function takeItems(number, data) {
    const next = archiverNumbers(data.numbers);
    const signed = /** @param {number} value */ (value) => (value % 2 ? -(value + 1) / 2 : value / 2);
    let day = 0;
    /** @type {Item[]} */
    const items = [];
    for (let index = 0; index < data.count; index += 1) {
      day += next();
      const saved = day * 1440 - signed(next());
      const age = next();
      const published = age === 0 ? -Infinity : Math.floor(saved / 1440) - signed(age - 1);
      const minutes = next();
      const source = data.sources[next()] ?? "";
      const kind = data.kinds[next()] ?? "";
      const digit = next();
      const flags = (digit & 3) | [0, 4, 64][(digit >> 2) % 3] | [0, 8, 16][Math.floor(digit / 12) % 3] | (digit >= 36 ? 32 : 0);
      const site = data.sites[next()] ?? ["", ""];
      const labels = Array.from({ length: next() }, () => data.labels[next()] ?? "");
      items.push({ id: number * itemSize + index, saved, archived: day, published, minutes, source, kind, flags, site, labels, status: "" });
    }
    for (const [status, indexes] of Object.entries(data.status ?? {})) {
      for (const index of indexes) if (items[index]) items[index].status = status;
    }
    blocks.set(number, items);
  }

  /** Returns the values for filters. */
  async function allFacets() {
    if (!facets) await load("library/data/facets.js");
    if (!facets) throw new Error("facets");
    return facets;
  }

  /** Loads the blocks that are not loaded. @param {Iterable<number>} wanted */
  const loadBlocks = (wanted) => Promise.all([...wanted].filter((one) => !blocks.has(one)).map((one) => tryLoad(`library/data/items-${one}.js`)));

  /** Returns items by their numbers; undefined for one that its file does not have, as on a server that gets new files. @param {number[]} ids @returns {Promise<(Item|undefined)[]>} */
  async function items(ids) {
    await loadBlocks(new Set(ids.map((id) => Math.floor(id / itemSize))));
    return ids.map((id) => blocks.get(Math.floor(id / itemSize))?.[id % itemSize]);
  }

  /** Returns all items by their numbers; without those of files that cannot be loaded. @returns {Promise<Item[]>} */
  async function allItems() {
    const count = Math.ceil((await allFacets()).count / itemSize);
    const numbers = Array.from({ length: count }, (_, number) => number);
    await loadBlocks(numbers);
    /** @type {Item[]} */
    const all = [];
    for (const number of numbers) for (const item of blocks.get(number) ?? []) all[item.id] = item;
    return all;
  }

  /** Returns the numbers of all items in the order of their titles. */
  async function titleOrder() {
    if (titles === null) await load("library/data/titles.js");
    if (titles === null) throw new Error("titles");
    return Array.from({ length: (await allFacets()).count }, archiverNumbers(titles));
  }

  /** Returns the rows of items by their numbers; undefined for one that its file does not have, as on a server that gets new files. @param {number[]} ids @returns {Promise<(Row|undefined)[]>} */
  async function records(ids) {
    const wanted = [...new Set(ids.map((id) => Math.floor(id / recordSize)))];
    await Promise.all(wanted.filter((one) => !rows.has(one)).map((one) => tryLoad(`library/data/records-${one}.js`)));
    return ids.map((id) => rows.get(Math.floor(id / recordSize))?.[id % recordSize]);
  }

  return {
    load, tryLoad, allItems,
    missing: () => missing,
    facets: /** @param {Facets} [data] @returns {any} */ (data) => {
      if (!data) return allFacets();
      facets = data;
    },
    items: /** @param {number|number[]} key @param {ItemBlock} [data] @returns {any} */ (key, data) => {
      if (!data) return items(/** @type {number[]} */ (key));
      takeItems(/** @type {number} */ (key), data);
    },
    titles: /** @param {string} [data] @returns {any} */ (data) => {
      if (data === undefined) return titleOrder();
      titles = data;
    },
    records: /** @param {number|number[]} key @param {Row[]} [data] @returns {any} */ (key, data) => {
      if (!data) return records(/** @type {number[]} */ (key));
      rows.set(/** @type {number} */ (key), data);
    },
  };
})();
