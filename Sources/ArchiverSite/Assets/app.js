// The start page. The URL's hash determines the view, so that views can be bookmarked.
"use strict";

(() => {
  const { el, w, counted, number } = archiverUI;
  const pageSize = 48;
  /** The number of matches per page: fewer than items, as each snippet is loaded from its own file. */
  const matchSize = 10;
  const { keys } = archiverList;
  const app = document.getElementById("app");
  if (!app) return;
  const still = [...app.childNodes];
  const results = el("div", { id: "results" }, still);
  const total = el("p", { class: "total", role: "status", "aria-live": "polite" });
  const bar = el("form", { class: "bar", role: "search" });
  app.replaceChildren(bar, total, results);
  const input = /** @type {HTMLInputElement} */ (el("input", { type: "search", class: "field", id: "q", autocomplete: "off", spellcheck: "false", enterkeyhint: "search" }));
  const filters = el("div", { class: "filters" });
  // Do not move the field in the document: it would lose the focus while the user is typing.
  bar.append(el("div", { class: "find" }, [input]), filters);
  /** @type {Facets|null} */
  let facets = null;
  /** The state in the history: the number of pages shown, and the scroll position. */
  const left = /** @type {{pages?: number, top?: number}} */ (history.state ?? {});
  let pages = left.pages ?? 1;
  let turn = 0;
  /** Whether the language was changed while the page's own list was detached. */
  let isStale = false;

  const state = () => archiverList.state(location.hash);

  /** @param {Partial<State>} change @param {boolean} [replace] */
  function go(change, replace = false) {
    const hash = new URLSearchParams();
    for (const [key, value] of Object.entries({ ...state(), ...change })) if (value) hash.set(key, value);
    const target = "#" + hash.toString();
    if (target === (location.hash || "#")) return;
    pages = 1;
    if (replace) {
      history.replaceState(null, "", target);
      show();
    } else {
      location.hash = target;
    }
  }

  /** @param {string} key @param {string} title @param {[string, string][]} options value and words */
  function select(key, title, options) {
    const chosen = state()[/** @type {keyof State} */ (key)];
    // A bookmarked view may have a value that is not among the choices.
    const all = options.some(([value]) => value === chosen) ? options : [...options, /** @type {[string, string]} */ ([chosen, chosen])];
    return archiverUI.select({ id: "by-" + key, "aria-label": title }, all, chosen, (value) => go({ [key]: value }));
  }

  /** Returns the control of a filter with many values: typing narrows them. @param {string} key @param {string} title @param {Choice[]} options */
  function choose(key, title, options) {
    if (options.length <= archiverChooser.few) return select(key, title, options.map(({ value, words }) => [value, words]));
    return archiverChooser.button("by-" + key, title, options, state()[/** @type {keyof State} */ (key)], (value) => go({ [key]: value }));
  }

  function drawBar() {
    const now = state();
    /** Returns the choice for any value, then one for each of some values. @param {string} key @param {string[]} values @param {(value: string) => string} words @returns {[string, string][]} */
    const choices = (key, values, words) => [["", w("any." + key)], ...values.map((one) => /** @type {[string, string]} */ ([one, words(one)]))];
    input.placeholder = w("searchPlaceholder");
    input.setAttribute("aria-label", w("search"));
    const focused = document.activeElement?.id;
    filters.replaceChildren();
    if (facets) {
      const f = facets;
      if (f.sources.length > 1) filters.append(select("source", w("source"), choices("source", f.sources, (one) => one)));
      if (f.kinds.length > 1) filters.append(select("type", w("type"), choices("type", f.kinds, (one) => w("kind." + one))));
      const byName = new Intl.Collator(archiverUI.language, { numeric: true }).compare;
      if (f.labels.length > 0) {
        const labels = f.labels.map(([words, count]) => ({ value: words, words, count })).sort((a, b) => byName(a.words, b.words));
        filters.append(choose("label", w("label"), [{ value: "", words: w("any.label") }, ...labels]));
      }
      if (f.years.length > 1) filters.append(select("year", w("year"), choices("year", f.years.map((one) => String(one).padStart(4, "0")).reverse(), (one) => String(Number(one)))));
      const languages = new Intl.DisplayNames([archiverUI.locale], { type: "language" });
      const nameOf = /** @param {string} tag */ (tag) => languages.of(tag) ?? tag;
      if (f.languages.length > 1) filters.append(select("lang", w("itemLanguage"), choices("lang", [...f.languages].sort((a, b) => byName(nameOf(a), nameOf(b))), nameOf)));
      if (f.people.length > 1) filters.append(choose("author", w("author"), [{ value: "", words: w("any.author") }, ...[...f.people].sort(byName).map((one) => ({ value: one, words: one }))]));
      if (f.timed) filters.append(select("length", w("length"), choices("length", archiverList.lengths, (one) => w("length." + one))));
    }
    const statuses = facets?.statuses ?? [];
    filters.append(select("state", w("state"), choices("state", ["unread", "done", "favourite", "highlighted", "gone", "withheld", ...statuses], (one) => w((statuses.includes(one) ? "status." : "state.") + one))));
    filters.append(select("sort", w("sort"), ["", "archived", "published", "title", "long", "short", ...now.q ? ["saved"] : []].map((one) => [one, w("sort." + (one || (now.q ? "best" : "saved")))])));
    const list = el("button", { type: "button", id: "as-list", "aria-pressed": String(now.view === "list"), onclick: () => go({ view: state().view === "list" ? "" : "list" }) }, w("list"));
    filters.append(list);
    const others = keys.filter((key) => key !== "view");
    if (others.some((key) => now[key])) {
      const clear = () => { input.value = ""; go(Object.fromEntries(others.map((key) => [key, ""]))); };
      filters.append(el("button", { type: "button", id: "clear-all", onclick: clear }, w("clear")));
    }
    if (document.activeElement !== input && input.value !== now.q) input.value = now.q;
    // The button that cleared the view is removed and would lose the focus.
    if (focused && document.activeElement?.id !== focused) (document.getElementById(focused) ?? list).focus();
  }

  /** @param {Row} row @param {{hit: Hit, query: Query}|undefined} found */
  async function snippet(row, found) {
    if (!found || found.query.terms.length === 0) return undefined;
    const { hit, query } = found;
    const { text, places } = await archiverSearch.readText(row[4], hit.passage).catch(() => ({ text: "", places: [] }));
    const { parts, at } = archiverSnippet.make(text, query);
    const words = archiverSnippet.target(parts);
    // A chapter or page of a book; a PDF's URL contains the page already.
    const place = (places.findLast(([start]) => start <= at) ?? places[0])?.[1] ?? "index.html";
    return { parts, target: words ? { place, words } : null };
  }

  /** Returns a link to the item read last, if the reader stored a position in it. @returns {Node[]} */
  function resume() {
    const last = archiverMemory.places().findLast((one) => Array.isArray(one) && typeof one[0] === "string" && typeof one[2] === "string");
    if (!last || location.protocol === "file:") return [];
    const folder = last[0].split("/").map(encodeURIComponent).join("/");
    return [el("p", { class: "resume" }, [el("span", { "data-w": "continueReading" }, w("continueReading")), " ", el("a", { href: archiverView.reader(folder, typeof last[3] === "string" ? "to=" + encodeURIComponent(last[3]) : ""), dir: "auto" }, last[2])])];
  }

  async function show() {
    const mine = ++turn;
    const now = state();
    drawBar();
    if (keys.every((key) => !now[key]) && pages === 1) {
      total.textContent = "";
      results.replaceChildren(...resume(), ...still);
      if (isStale) archiverUI.translate();
      isStale = false;
      if (!facets) idle();
      return;
    }
    try {
      await draw(now, () => mine === turn);
    } catch (error) {
      if (mine === turn) {
        total.textContent = "";
        results.replaceChildren(el("p", { role: "alert" }, w("loadFailed")));
      }
      console.warn("archiver:", error);
    }
  }

  /** @param {State} now @param {() => boolean} isCurrent */
  async function draw(now, isCurrent) {
    const missing = archiverData.missing();
    if (!facets) {
      facets = await archiverData.readFacets();
      drawBar();
    }
    const { query, ids, hits, tried, untried } = await archiverList.find(now, pages);
    const isMatch = query !== null && query.terms.length > 0;
    const shown = pages * (isMatch ? matchSize : pageSize);
    const page = ids.slice(0, shown);
    const [rows, items] = await Promise.all([archiverData.readRecords(page), archiverData.readItems(page)]);
    const entries = (await Promise.all(page.map(async (id, at) => {
      const [row, item] = [rows[at], items[at]];
      return row && item ? [archiverView.entry(row, item, await snippet(row, hits.get(id)), archiverList.hash(now))] : [];
    }))).flat();
    const better = isMatch && ids.length === 0 && untried === 0 && tried === 0 && query ? await archiverSearch.suggestion(now.q, query) : null;
    if (!isCurrent()) return;
    const count = ids.length === 0 ? w("nothingFound") : counted("itemCount", ids.length);
    const said = query?.unknown.length ? w("unknownFilter", query.unknown.join(", ")) + " " : "";
    total.textContent = said + (untried > 0 ? w("tried", count, number(tried)) : count);
    if (better) total.append(el("br"), w("didYouMean"), " ", el("a", { href: "#" + archiverList.hash({ ...now, q: better }), dir: "auto" }, better));
    const isList = now.view === "list" || isMatch;
    const more = async () => {
      pages += 1;
      await show();
      // The removed button would lose the focus.
      /** @type {HTMLElement[]} */ ([...results.querySelectorAll(".item h2 a")])[shown]?.focus();
    };
    const isPartial = archiverData.missing() > missing;
    results.replaceChildren(...(isPartial ? [el("p", { role: "alert" }, w("partLoaded"))] : []), el("ol", { class: "items " + (isList ? "list" : "cards") }, entries),
      ...(ids.length > shown || untried > 0 ? [el("div", { class: "turn" }, [el("button", { type: "button", onclick: more }, w("more"))])] : []));
    document.documentElement.dataset.shown = String(page.length);
  }

  // Browsers reload a page from disk on return, so store the state in the history.
  results.addEventListener("click", (event) => {
    if (/** @type {HTMLElement} */ (event.target).closest("a")) history.replaceState({ pages, top: scrollY }, "");
  });

  function idle() {
    setTimeout(async () => {
      if (facets) return;
      facets = await archiverData.readFacets().catch(() => null);
      if (facets) drawBar();
    }, 300);
  }

  let typing = 0;
  input.addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(() => go({ q: input.value.trimStart() }, true), 120);
  });
  bar.addEventListener("submit", (event) => {
    event.preventDefault();
    clearTimeout(typing);
    go({ q: input.value.trim() });
  });
  addEventListener("hashchange", () => {
    const now = state();
    if (document.activeElement !== input || !input.value.startsWith(now.q)) input.value = now.q;
    pages = history.state?.pages ?? 1;
    show();
  });
  addEventListener("archiver:words", () => { isStale = true; show(); });
  input.value = state().q;
  show().then(() => { if (pages > 1 && left.top !== undefined) scrollTo({ top: left.top, behavior: "instant" }); });
})();
