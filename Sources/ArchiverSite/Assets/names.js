// The items of the labels and sites of a large library, by their names.
"use strict";

/** @typedef {[name: string, host: string]} Site */
/** @typedef {{kind: "labels"|"sites", names: string[], ids: number[]}} NameList the items of a label, or of a site by its two names */

const archiverNames = (() => {
  /** The lists in each loaded file, by their keys. @type {Map<string, Map<number, number[][]>>} */
  const files = new Map();
  /** The names of all sites, sorted. @type {Site[]|null} */
  let sites = null;
  /** The names by file and key, for each kind. @type {Map<string, Map<string, string[][]>>} */
  const places = new Map();

  /** @param {string} kind @param {number} number @param {{numbers: string}} data */
  function takeLists(kind, number, { numbers }) {
    const next = archiverNumbers(numbers);
    /** @type {Map<number, number[][]>} */
    const lists = new Map();
    let key = 0;
    for (let count = next(); count > 0; count -= 1) {
      key += next();
      /** @type {number[]} */
      const ids = [];
      archiverData.eachGap(next, (id) => ids.push(id));
      lists.set(key, [...lists.get(key) ?? [], ids]);
    }
    files.set(`${kind}-${number}`, lists);
  }

  /** @param {{names: string, numbers: string}} data */
  function takeSites({ names, numbers }) {
    const next = archiverNumbers(numbers);
    let [name, host, at] = ["", "", 0];
    const part = /** @param {number} length */ (length) => names.slice(at, at += length);
    sites = [];
    while (at < names.length) {
      name = name.slice(0, next()) + part(next());
      const start = host.slice(0, next()) + part(next());
      const end = next();
      host = start + (end > 0 ? host.slice(-end) : "");
      sites.push([name, host]);
    }
  }

  /** Returns the 32-bit FNV-1a hash of a name. @param {string} name */
  function hash(name) {
    let value = 0x811c9dc5;
    for (const byte of new TextEncoder().encode(name)) value = Math.imul(value ^ byte, 0x01000193);
    return value >>> 0;
  }

  /** Returns the number of the file with a name, and its key there. @param {string} name @param {number} count the number of files */
  function place(name, count) {
    const bits = Math.imul(hash(name), 0x9e3779b1) >>> 0;
    return { number: Math.floor(bits / 2 ** 32 * count), key: bits & 0xffffff };
  }

  /** Returns all names by file and key. @param {string} kind @param {string[][]} all @param {number} count */
  function byPlace(kind, all, count) {
    const known = places.get(kind);
    if (known) return known;
    /** @type {Map<string, string[][]>} */
    const found = new Map();
    for (const names of all) {
      const { number, key } = place(names[0], count);
      const equal = found.get(`${number} ${key}`);
      if (equal) equal.push(names);
      else found.set(`${number} ${key}`, [names]);
    }
    // Sites are sorted.
    if (kind === "labels") for (const equal of found.values()) equal.sort(([one], [other]) => archiverShards.compare(one, other));
    if (all.length > 0) places.set(kind, found);
    return found;
  }

  /** Returns the names of all sites; none if they cannot be loaded. */
  async function allSites() {
    if (sites === null) await archiverData.loadFiles(["sites"]);
    return sites ?? [];
  }

  /** Returns the items of names of one kind, and whether some are missing: the files may be older or newer than the names. @param {"labels"|"sites"} kind @param {string[][]} wanted @param {string[][]} all the names of all @param {number} count */
  async function ofNames(kind, wanted, all, count) {
    const placed = wanted.map((names) => ({ names, ...place(names[0], count) }));
    await archiverData.loadFiles(new Set(placed.map(({ number }) => `${kind}-${number}-of-${count}`)));
    const known = byPlace(kind, all, count);
    /** @type {NameList[]} */
    const found = [];
    for (const { names, number, key } of placed) {
      const equal = known.get(`${number} ${key}`) ?? [];
      const lists = files.get(`${kind}-${number}`)?.get(key) ?? [];
      if (lists.length === equal.length) found.push({ kind, names, ids: lists[equal.findIndex((one) => one.every((name, at) => name === names[at]))] });
    }
    return { found, isPartial: found.length < wanted.length };
  }

  /**
   * Returns the items of the labels and sites that filters ask for, and whether some are missing although their files could be loaded.
   * @param {string[]} asked kinds of values with a name: "label:", "site:" with a part of it, "exactSite:" @param {number} count the number of files of each kind
   */
  async function having(asked, count) {
    const { fold } = archiverTokens;
    const values = /** @param {string} kind */ (kind) => asked.filter((one) => one.startsWith(kind)).map((one) => one.slice(kind.length));
    const labels = new Set(values("label:").map(fold));
    const allLabels = labels.size > 0 ? (await archiverData.readFacets()).labels.map(([name]) => [name]) : [];
    // An empty part matches every site.
    const parts = values("site:").map(fold).filter((one) => one !== "");
    const exact = values("exactSite:");
    const all = parts.length + exact.length > 0 ? await allSites() : [];
    const isAsked = /** @param {string} name */ (name) => parts.some((part) => fold(name).includes(part));
    const results = await Promise.all([
      ofNames("labels", allLabels.filter(([name]) => labels.has(fold(name))), allLabels, count),
      ofNames("sites", all.filter((site) => exact.includes(site[0]) || site.some(isAsked)), all, count),
    ]);
    return { found: results.flatMap(({ found }) => found), isPartial: results.some(({ isPartial }) => isPartial) };
  }

  return { lists: takeLists, sites: takeSites, having };
})();
