// Which items a view shows, in which order; a view is what stands in the address's hash.
"use strict";

/**
 * @typedef {object} State
 * @property {string} q
 * @property {string} label
 * @property {string} source
 * @property {string} type
 * @property {string} site
 * @property {string} year
 * @property {string} state
 * @property {string} sort
 * @property {string} view
 */

const archiverList = (() => {
  /** Phrases are looked for in the texts of so many matches per page, and of more while few have them. */
  const phraseSize = 60;
  const mostPhraseSize = 600;
  const enough = 10;
  const keys = /** @type {const} */ (["q", "label", "source", "type", "site", "year", "state", "sort", "view"]);

  /** @param {string} hash @returns {State} */
  function state(hash) {
    const parts = new URLSearchParams(hash.slice(1));
    return /** @type {State} */ (Object.fromEntries(keys.map((key) => [key, parts.get(key) ?? ""])));
  }

  /** Returns the hash of a view, without its sign. @param {State} state */
  const hash = (state) => new URLSearchParams(Object.entries(state).filter(([, value]) => value)).toString();

  /** @param {State} now @returns {(item: Item) => boolean} */
  function flagTest(now) {
    switch (now.state) {
      case "unread": return (item) => (item.flags & (2 | 8)) === 0;
      case "done": return (item) => (item.flags & 2) !== 0;
      case "favourite": return (item) => (item.flags & 1) !== 0;
      case "highlighted": return (item) => (item.flags & 32) !== 0;
      case "outdated": case "failed": return (item) => item.status === now.state;
      case "gone": return (item) => (item.flags & 4) !== 0;
      case "withheld": return (item) => (item.flags & 64) !== 0;
      default: return () => true;
    }
  }

  /** Sorts items; titles need their rows. @param {Item[]} items @param {string} sort */
  async function sorted(items, sort) {
    const newest = /** @param {Item} a @param {Item} b */ (a, b) => b.saved - a.saved || b.id - a.id;
    switch (sort) {
      case "archived": return items.sort((a, b) => b.archived - a.archived || b.id - a.id);
      case "published": return items.sort((a, b) => b.published - a.published || newest(a, b));
      case "long": return items.sort((a, b) => b.minutes - a.minutes || newest(a, b));
      case "short": return items.sort((a, b) => (a.minutes || 1e9) - (b.minutes || 1e9) || newest(a, b));
      case "title": {
        /** @type {Row[]} */
        const rows = await archiverData.records(items.map((item) => item.id));
        const titles = new Map(items.map((item, at) => [item.id, rows[at][1]]));
        const collator = new Intl.Collator(archiverUI.language, { numeric: true });
        return items.sort((a, b) => collator.compare(titles.get(a.id) ?? "", titles.get(b.id) ?? "") || newest(a, b));
      }
      default: return items.sort(newest);
    }
  }

  /**
   * Returns the passage of an item that has the phrases, which is the hit's own where there are none; -1 when none
   * has, or when one has a phrase that must not be there.
   * @param {Hit} hit @param {Row} row @param {string[]} phrases @param {string[]} without
   */
  async function passageWith(hit, row, phrases, without) {
    const count = Math.min(archiverSearch.passageCount(hit.id), 8);
    let found = phrases.length === 0 ? hit.passage : -1;
    for (const passage of new Set([hit.passage, ...Array(count).keys()])) {
      const text = row[1] + "\n" + await archiverSearch.text(row[4], passage);
      if (without.some((phrase) => archiverSnippet.hasPhrase(text, phrase))) return -1;
      if (found < 0 && phrases.every((phrase) => archiverSnippet.hasPhrase(text, phrase))) found = passage;
      if (found >= 0 && without.length === 0) return found;
    }
    return found;
  }

  /**
   * Keeps the hits that have the phrases of a query and none that it excludes, until too many texts would be read.
   * @param {Hit[]} hits @param {Query} query @param {{phrase: string, ids: Set<number>}[]} suspects @param {number} pages
   */
  async function withPhrases(hits, query, suspects, pages) {
    const without = /** @param {Hit} hit */ (hit) => suspects.filter(({ ids }) => ids.has(hit.id)).map(({ phrase }) => phrase);
    const isOpen = /** @param {Hit} hit */ (hit) => query.phrases.length > 0 || suspects.some(({ ids }) => ids.has(hit.id));
    const open = hits.filter(isOpen);
    /** @type {Map<number, number>} */
    const passages = new Map();
    let count = 0;
    let at = 0;
    for (; at < open.length && (at < phraseSize * pages || (count < enough * pages && at < mostPhraseSize * pages)); at += 12) {
      const part = open.slice(at, at + 12);
      /** @type {Row[]} */
      const rows = await archiverData.records(part.map((hit) => hit.id));
      await Promise.all(part.map(async (hit, one) => {
        const passage = await passageWith(hit, rows[one], query.phrases, without(hit));
        passages.set(hit.id, passage);
        if (passage >= 0) count += 1;
      }));
    }
    const untried = open[at];
    const tried = untried ? hits.slice(0, hits.indexOf(untried)) : hits;
    const kept = tried.map((hit) => ({ ...hit, passage: passages.get(hit.id) ?? hit.passage })).filter((hit) => hit.passage >= 0);
    return { kept, tried: tried.length };
  }

  /** @param {Facets & {items: Item[]}} all @param {State} now @param {number} pages */
  async function find(all, now, pages) {
    const query = now.q ? archiverQuery.parse(now.q) : null;
    const fromBar = Object.fromEntries(/** @type {const} */ (["label", "source", "type", "site", "year"]).filter((key) => now[key]).map((key) => [key === "label" ? "exactly" : key, [now[key]]]));
    const tests = [archiverQuery.matcher(all, { ...(query?.filters ?? {}) }), archiverQuery.matcher(all, fromBar), flagTest(now)];
    if (query) tests.push(archiverQuery.remainder(all, query.without.filters));
    const passes = /** @param {Item} item */ (item) => tests.every((test) => test(item));
    const none = /** @type {Map<number, Hit>} */ (new Map());
    if (!query) return { query, items: await sorted(all.items.filter(passes), now.sort), hits: none, tried: 0, untried: 0 };
    // What has no word, as a lone emoji, is found nowhere.
    if (query.terms.length === 0 && now.q.trim() && Object.keys(query.filters).length === 0 && !archiverQuery.excludes(query.without)) {
      return { query, items: [], hits: none, tried: 0, untried: 0 };
    }
    const { ids, suspects } = await archiverSearch.excluded(query.without);
    /** @type {Set<number>[]} */
    const required = await Promise.all(archiverQuery.lookups(query.filters).map(archiverSearch.having));
    const stays = /** @param {Item|undefined} item */ (item) =>
      item !== undefined && !ids.has(item.id) && required.every((one) => one.has(item.id)) && passes(item);
    const isMatch = query.terms.length > 0;
    /** @type {Hit[]} */
    const ranked = isMatch ? (await archiverSearch.rank(query)).filter((/** @type {Hit} */ hit) => stays(all.items[hit.id]))
      : (await sorted(all.items.filter(stays), now.sort)).map(({ id }) => ({ id, score: 0, passage: 0 }));
    const { kept, tried } = query.phrases.length + suspects.length > 0 ? await withPhrases(ranked, query, suspects, pages) : { kept: ranked, tried: ranked.length };
    const items = kept.map((hit) => all.items[hit.id]);
    return {
      query, items: isMatch && now.sort ? await sorted(items, now.sort) : items,
      hits: isMatch ? new Map(kept.map((hit) => [hit.id, hit])) : none, tried, untried: ranked.length - tried,
    };
  }

  return { keys, state, hash, find };
})();
