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
  /** Phrases are looked for in the texts of so many matches per page. */
  const phraseSize = 60;
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

  /** Keeps those of the best hits whose text has the phrases. @param {Hit[]} hits @param {Query} query @param {number} pages */
  async function withPhrases(hits, query, pages) {
    if (query.phrases.length === 0) return hits;
    /** @type {Hit[]} */
    const kept = [];
    for (let at = 0; at < hits.length && at < phraseSize * pages; at += 12) {
      const part = hits.slice(at, at + 12);
      /** @type {Row[]} */
      const rows = await archiverData.records(part.map((hit) => hit.id));
      const found = await Promise.all(part.map(async (hit, one) => {
        const count = Math.min(archiverSearch.passageCount(hit.id), 8);
        const order = [hit.passage, ...Array.from({ length: count }, (_, next) => next).filter((next) => next !== hit.passage)];
        for (const passage of order) {
          const text = rows[one][1] + "\n" + await archiverSearch.text(rows[one][4], passage);
          if (query.phrases.every((phrase) => archiverSnippet.hasPhrase(text, phrase))) return { ...hit, passage };
        }
        return null;
      }));
      for (const hit of found) if (hit) kept.push(hit);
    }
    return kept;
  }

  /** @param {Facets & {items: Item[]}} all @param {State} now @param {number} pages */
  async function find(all, now, pages) {
    const query = now.q ? archiverQuery.parse(now.q) : null;
    const fromBar = Object.fromEntries(/** @type {const} */ (["label", "source", "type", "site", "year"]).filter((key) => now[key]).map((key) => [key, [now[key]]]));
    const tests = [archiverQuery.matcher(all, { ...(query?.filters ?? {}) }), archiverQuery.matcher(all, fromBar), flagTest(now)];
    const passes = /** @param {Item} item */ (item) => tests.every((test) => test(item));
    if (!query || query.terms.length === 0) {
      // What has no word, as a lone emoji, is found nowhere.
      if (query && now.q.trim() && Object.keys(query.filters).length === 0) return { query, items: [], hits: new Map(), untried: 0 };
      return { query, items: await sorted(all.items.filter(passes), now.sort), hits: /** @type {Map<number, Hit>} */ (new Map()), untried: 0 };
    }
    const ranked = (await archiverSearch.rank(query)).filter((/** @type {Hit} */ hit) => all.items[hit.id] && passes(all.items[hit.id]));
    const kept = await withPhrases(ranked, query, pages);
    const untried = query.phrases.length > 0 ? Math.max(0, ranked.length - phraseSize * pages) : 0;
    const items = kept.map((hit) => all.items[hit.id]);
    return { query, items: now.sort ? await sorted(items, now.sort) : items, hits: new Map(kept.map((hit) => [hit.id, hit])), untried };
  }

  return { keys, phraseSize, state, hash, find };
})();
