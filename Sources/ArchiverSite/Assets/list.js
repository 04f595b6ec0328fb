// The items of a view and their order; a view is the fragment of the URL.
"use strict";

/** @typedef {Record<"q"|"label"|"source"|"type"|"site"|"year"|"author"|"lang"|"length"|"state"|"sort"|"view", string>} State */

const archiverList = (() => {
  /** The number of matches per page whose texts are searched for phrases; more if few of them match, up to a total number of characters of texts and records. */
  const phraseSize = 36;
  const mostPhraseData = 200_000;
  const recordSize = 2_000;
  const enough = 10;
  const keys = /** @type {const} */ (["q", "label", "source", "type", "site", "year", "author", "lang", "length", "state", "sort", "view"]);

  /** @param {string} hash @returns {State} */
  function state(hash) {
    const parts = new URLSearchParams(hash.slice(1));
    return /** @type {State} */ (Object.fromEntries(keys.map((key) => [key, parts.get(key) ?? ""])));
  }

  /** Returns the hash of a view, without its sign. @param {State} state */
  const hash = (state) => new URLSearchParams(Object.entries(state).filter(([, value]) => value)).toString();

  /** Ranges of reading times in minutes: at least the first, less than the second. @type {Record<string, [number, number]>} */
  const lengths = { short: [1, 5], medium: [5, 15], long: [15, 45], veryLong: [45, Infinity] };

  /** @param {State} now @returns {((item: Item) => boolean)[]} */
  function lengthTest(now) {
    const bounds = Object.hasOwn(lengths, now.length) ? lengths[now.length] : null;
    return bounds ? [(item) => item.minutes >= bounds[0] && item.minutes < bounds[1]] : [];
  }

  /** Returns items in an order, by their numbers; without those whose data cannot be loaded. @param {number[]} ids @param {string} sort @returns {Promise<number[]>} */
  async function sorted(ids, sort) {
    // Items have numbers in the order of archiving.
    if (sort === "archived") return ids.sort((a, b) => b - a);
    if (sort === "title") {
      // The file may be older than the items.
      const places = new Map((await archiverData.readTitles()).map((id, at) => [id, at]));
      return ids.sort((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0));
    }
    if (sort === "published") {
      const items = await archiverData.values(ids, ["saved", "published"]);
      const day = /** @param {Item} item */ (item) => Math.floor(item.saved / 1440) - item.age;
      return items.sort((a, b) => day(b) - day(a) || b.saved - a.saved || b.id - a.id).map(({ id }) => id);
    }
    const newest = await archiverData.newest(ids);
    if (sort !== "long" && sort !== "short") return newest;
    const items = await archiverData.values(newest, ["minutes"]);
    const order = sort === "long" ? /** @param {Item} item */ ({ minutes }) => -minutes : /** @param {Item} item */ ({ minutes }) => minutes || 1e9;
    return items.sort((a, b) => order(a) - order(b)).map(({ id }) => id);
  }

  /**
   * Returns the first passage of an item with a phrase, starting with the best match; -1 if there is none.
   * @param {Hit} hit @param {Row|undefined} row @param {Places} places @param {Map<string, number>} lengths receives those of the texts that were read
   */
  async function passageWith(hit, row, { phrase, items }, lengths) {
    if (!row) return -1;
    for (const passage of new Set([hit.passage, ...items.get(hit.id) ?? []])) {
      if (!items.get(hit.id)?.includes(passage)) continue;
      const { text, also } = await archiverSearch.readText(row[4], passage);
      lengths.set(`${row[4]}-${passage}`, text.length);
      if (archiverSnippet.hasPhrase([...(passage === 0 ? [row[1], ...also.split("\n")] : []), text], phrase)) return passage;
    }
    return -1;
  }

  /**
   * Keeps the hits with all phrases of a query and no excluded phrase, up to a limit of texts to read.
   * @param {Hit[]} hits @param {Places[]} phrases @param {Places[]} suspects @param {number} pages
   */
  async function withPhrases(hits, phrases, suspects, pages) {
    const without = /** @param {Hit} hit */ (hit) => suspects.filter(({ items }) => items.has(hit.id));
    const isOpen = /** @param {Hit} hit */ (hit) => phrases.length > 0 || without(hit).length > 0;
    const open = hits.filter(isOpen);
    /** @type {Map<number, number>} */
    const passages = new Map();
    /** @type {Map<string, number>} */
    const lengths = new Map();
    const isLong = () => [...lengths.values()].reduce((sum, length) => sum + length, at * recordSize) >= mostPhraseData * pages;
    let count = 0;
    let at = 0;
    for (; at < open.length && !isLong() && (at < phraseSize * pages || count < enough * pages); at += 12) {
      const part = open.slice(at, at + 12);
      const rows = await archiverData.readRecords(part.map((hit) => hit.id));
      await Promise.all(part.map(async (hit, one) => {
        const places = await Promise.all(phrases.map((phrase) => passageWith(hit, rows[one], phrase, lengths)));
        const excluded = await Promise.all(without(hit).map((phrase) => passageWith(hit, rows[one], phrase, lengths)));
        const isKept = places.every((passage) => passage >= 0) && excluded.every((passage) => passage < 0);
        passages.set(hit.id, isKept ? places[0] ?? hit.passage : -1);
        if (isKept) count += 1;
      }));
    }
    const untried = open[at];
    const tried = untried ? hits.slice(0, hits.indexOf(untried)) : hits;
    const kept = tried.map((hit) => ({ ...hit, passage: passages.get(hit.id) ?? hit.passage })).filter((hit) => hit.passage >= 0);
    return { kept, tried: tried.length };
  }

  /**
   * Conditions that items must meet.
   * @typedef {object} Conditions
   * @property {((item: Item) => boolean)[]} tests
   * @property {string[]} kinds the kinds of values that the tests read
   * @property {Set<number>[]} sets
   */

  /** Returns those of some items that meet conditions, by their numbers; without those whose data cannot be loaded. @param {number[]} ids @param {Conditions} conditions @returns {Promise<number[]>} */
  async function passing(ids, { tests, kinds, sets }) {
    const rest = ids.filter((id) => sets.every((one) => one.has(id)));
    const items = await archiverData.values(rest, kinds);
    return items.filter((item) => tests.every((test) => test(item))).map(({ id }) => id);
  }

  /** Returns the numbers of all items. */
  async function all() {
    const { count } = await archiverData.readFacets();
    return Array.from({ length: count }, (_, id) => id);
  }

  /**
   * Returns the results of a query without alternatives, best first if it has words, and the number of texts that were read.
   * Without words they are in an order, as phrases are searched for in the first ones only.
   * @param {Query} query @param {Conditions} shown @param {number} pages @param {string} sort
   */
  async function matches(query, shown, pages, sort) {
    const { filters, without } = query;
    const { ids, suspects } = await archiverSearch.excluded(without);
    /** @type {Set<number>[]} */
    const required = await Promise.all(archiverQuery.lookups(filters).map(archiverSearch.having));
    /** @type {Places[]} */
    const phrases = await Promise.all(query.phrases.map(archiverSearch.places));
    const conditions = {
      tests: [...shown.tests, ...archiverQuery.tests(filters), ...archiverQuery.remainder(without.filters)],
      kinds: [...shown.kinds, ...archiverQuery.kinds(filters), ...archiverQuery.kinds(without.filters)],
      sets: [...shown.sets, ...required, ...phrases.map(({ items }) => items)],
    };
    /** @type {Hit[]} */
    let ranked = [];
    if (query.terms.length === 0) {
      const kept = await passing((await all()).filter((id) => !ids.has(id)), conditions);
      ranked = (await sorted(kept, sort)).map((id) => ({ id, score: 0, passage: 0, isTitle: false }));
    } else {
      const stays = /** @param {Hit} hit */ ({ id }) => !ids.has(id) && conditions.sets.every((one) => one.has(id));
      ranked = (await archiverSearch.rank(query)).filter(stays);
      // Without tests, the data of the items is not needed.
      const kept = conditions.tests.length > 0 ? new Set(await passing(ranked.map(({ id }) => id), conditions)) : null;
      if (kept) ranked = ranked.filter(({ id }) => kept.has(id));
    }
    const { kept, tried } = phrases.length + suspects.length > 0 ? await withPhrases(ranked, phrases, suspects, pages) : { kept: ranked, tried: ranked.length };
    return { kept: kept.map((hit) => ({ hit, query })), tried, untried: ranked.length - tried };
  }

  /**
   * Returns the numbers of the items of a view in order, and their hits if the query has words.
   * @param {State} now @param {number} pages
   */
  async function find(now, pages) {
    const query = now.q ? archiverQuery.parse(now.q) : null;
    const named = { label: "exactly", source: "source", type: "type", site: "exactSite", year: "year", state: "is" };
    const fromBar = Object.fromEntries(/** @type {(keyof typeof named)[]} */ (Object.keys(named)).filter((key) => now[key]).map((key) => [named[key], [now[key]]]));
    const lookups = archiverQuery.lookups({ ...(now.author && { author: [now.author + " "] }), ...(now.lang && { lang: [now.lang] }) });
    const ofLength = lengthTest(now);
    /** @type {Conditions} */
    const shown = {
      tests: [...archiverQuery.tests(fromBar), ...ofLength],
      kinds: [...archiverQuery.kinds(fromBar), ...ofLength.map(() => "minutes")],
      sets: await Promise.all(lookups.map(archiverSearch.having)),
    };
    const none = /** @type {Map<number, {hit: Hit, query: Query}>} */ (new Map());
    if (!query) {
      return { query, ids: await sorted(await passing(await all(), shown), now.sort), hits: none, tried: 0, untried: 0 };
    }
    // A query without a word, such as a single emoji, finds nothing.
    if (query.terms.length === 0 && now.q.trim() && Object.keys(query.filters).length === 0 && !archiverQuery.excludes(query.without)) {
      return { query, ids: [], hits: none, tried: 0, untried: 0 };
    }
    const parts = query.alternatives.length > 0 ? query.alternatives : [query];
    const found = await Promise.all(parts.map((part) => matches(part, shown, pages, now.sort)));
    const isMatch = parts.some((part) => part.terms.length > 0);
    const kept = found.flatMap((one) => one.kept);
    if (isMatch && parts.length > 1) kept.sort(({ hit: one }, { hit: other }) => archiverSearch.compareHits(one, other));
    /** @type {Map<number, {hit: Hit, query: Query}>} */
    const hits = new Map();
    for (const one of kept) if (!hits.has(one.hit.id)) hits.set(one.hit.id, one);
    let ids = [...hits.keys()];
    if (!isMatch || now.sort) ids = await sorted(ids, now.sort);
    const sum = /** @param {"tried"|"untried"} key */ (key) => found.reduce((count, one) => count + one[key], 0);
    return { query, ids, hits: isMatch ? hits : none, tried: sum("tried"), untried: sum("untried") };
  }

  return { keys, lengths: Object.keys(lengths), state, hash, find };
})();
