// Loads data files. They are scripts, as pages opened from disk cannot read other files.
"use strict";

/**
 * @typedef {object} Facets
 * @property {number} count
 * @property {string[]} sources
 * @property {string[]} kinds
 * @property {[string, string][]} sites
 * @property {string[]} labels
 * @property {string[]} languages the primary parts of their tags
 * @property {string[]} people the authors of most items
 * @property {Set<string>} statuses the statuses that occur
 */

/**
 * @typedef {object} Item
 * @property {number} id its number in the order of archiving
 * @property {number} saved minutes since 1970, negative before
 * @property {number} archived days since 1970
 * @property {number} published days since 1970, -Infinity for none
 * @property {number} minutes
 * @property {number} source
 * @property {number} kind
 * @property {number} flags favourite 1, done 2, gone 4, read 8, begun 16, highlights 32, withheld 64
 * @property {number} site
 * @property {number[]} labels
 * @property {string} status outdated or failed; empty if it is up to date
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
  /** @type {Map<string, Promise<void>>} */
  const loading = new Map();
  /** @type {Map<number, Row[]>} */
  const rows = new Map();
  /** @type {(Facets & {items: Item[]})|null} */
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

  /** @param {Facets & {columns: string, dates: string, labelled: string, status?: Record<string, number[]>}} data */
  function takeFacets(data) {
    const { columns, dates, labelled } = data;
    let at = 0;
    /** @param {number} width */
    const read = (width) => {
      let value = 0;
      for (const end = at + width; at < end; at += 1) value = value * 92 + archiverDigits[columns.charCodeAt(at)];
      return value;
    };
    const date = archiverNumbers(dates);
    let archived = 0;
    /** Decodes days since 1970 from days before saving. @param {number} age @param {number} saved */
    const published = (age, saved) => (age === 0 ? -Infinity : Math.floor(saved / 1440) + (age % 2 ? -(age - 1) / 2 : age / 2));
    /** @param {number} digit */
    const flags = (digit) => (digit & 3) | [0, 4, 64][(digit >> 2) % 3] | [0, 8, 16][Math.floor(digit / 12) % 3] | (digit >= 36 ? 32 : 0);
    const label = archiverNumbers(labelled);
    const items = Array.from({ length: data.count }, (_, id) => {
      // Counted from the year 1.
      const saved = read(5) - 1035593280;
      archived += date();
      const item = {
        id, saved, archived, published: published(date(), saved), minutes: read(2), source: read(1),
        kind: read(1), flags: flags(read(1)), site: read(2), labels: /** @type {number[]} */ ([]), status: "",
      };
      for (let count = label(); count > 0; count -= 1) item.labels.push(label());
      return item;
    });
    for (const [status, numbers] of Object.entries(data.status ?? {})) {
      for (const number of numbers) if (items[number]) items[number].status = status;
    }
    facets = { statuses: new Set(Object.keys(data.status ?? {})), count: data.count, sources: data.sources, kinds: data.kinds, sites: data.sites, labels: data.labels, languages: data.languages, people: data.people, items };
  }

  /** Returns the data for filters and sorting. */
  async function allFacets() {
    if (!facets) await load("library/data/facets.js");
    if (!facets) throw new Error("facets");
    return facets;
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
    await Promise.all(wanted.filter((one) => !rows.has(one)).map((one) => load(`library/data/records-${one}.js`)));
    return ids.map((id) => rows.get(Math.floor(id / recordSize))?.[id % recordSize]);
  }

  return {
    load, facets: /** @param {any} [data] @returns {any} */ (data) => (data ? takeFacets(data) : allFacets()),
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
