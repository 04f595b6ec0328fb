// The shelf: searches, filters and sorts the books of the page.
"use strict";

(() => {
  const { el, w, folded } = archiverUI;
  const found = document.getElementById("shelf-tools");
  const lists = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("ol.shelf")]);
  if (!found || lists.length === 0) return;
  const place = found;
  /** The lists of the page in their order, each with its heading, if it has one, and its books. */
  const parts = lists.map((list) => ({
    list,
    heading: list.previousElementSibling instanceof HTMLHeadingElement ? list.previousElementSibling : null,
    books: /** @type {HTMLElement[]} */ ([...list.children]),
  }));
  const books = parts.flatMap((part) => part.books);
  const total = document.querySelector("main .total");
  const all = /** @type {HTMLElement} */ (el("ol", { class: "shelf" }));
  lists[0].before(all);
  /** The formats in the order of their list. */
  const formats = ["epub", "pdf", "comic", "mobi", "fb2", "djvu", "text", "audio", "other"];
  /** The choices by the names of their fields; empty for any. */
  const chosen = { find: "", sort: "", kind: "", format: "", lang: "", state: "" };

  /** Returns the words of an attribute of a book. @param {HTMLElement} book @param {"state" | "format"} name */
  const listed = (book, name) => (book.dataset[name] ?? "").split(" ").filter((one) => one !== "");

  /** Returns a text of a book: its title or its authors. @param {HTMLElement} book @param {string} name */
  const text = (book, name) => book.querySelector(name)?.textContent ?? "";

  /** Whether a book passes the filters. @param {HTMLElement} book @param {string} series the name of its series */
  function passes(book, series) {
    const { kind, format, lang, state } = chosen;
    const words = folded(`${text(book, "h2")} ${text(book, ".site")} ${series}`);
    return (kind === "" || book.dataset.kind === kind) && (lang === "" || book.dataset.lang === lang)
      && (format === "" || listed(book, "format").includes(format)) && (state === "" || listed(book, "state").includes(state))
      && folded(chosen.find).split(/\s+/u).every((word) => words.includes(word));
  }

  /** Returns how two books are sorted. @returns {(one: HTMLElement, other: HTMLElement) => number} */
  function order() {
    const { compare } = new Intl.Collator(archiverUI.language, { numeric: true });
    const byTitle = /** @param {HTMLElement} one @param {HTMLElement} other */ (one, other) => compare(text(one, "h2"), text(other, "h2"));
    if (chosen.sort === "saved") return (one, other) => Number(other.dataset.saved) - Number(one.dataset.saved) || byTitle(one, other);
    if (chosen.sort !== "author") return byTitle;
    const author = /** @param {HTMLElement} book */ (book) => text(book, ".site");
    // Books without authors come last.
    return (one, other) => Number(author(one) === "") - Number(author(other) === "") || compare(author(one), author(other)) || byTitle(one, other);
  }

  function apply() {
    let count = 0;
    for (const { list, heading, books } of parts) {
      for (const book of books) {
        book.hidden = !passes(book, heading?.hasAttribute("data-w") ? "" : heading?.textContent ?? "");
        if (!book.hidden) count += 1;
      }
      const isShown = chosen.sort === "" && books.some((book) => !book.hidden);
      list.hidden = !isShown;
      if (heading) heading.hidden = !isShown;
      if (chosen.sort === "") list.append(...books);
    }
    all.hidden = chosen.sort === "";
    if (chosen.sort !== "") all.append(...[...books].sort(order()));
    if (!(total instanceof HTMLElement)) return;
    total.dataset.w = count > 0 ? "itemCount" : "nothingFound";
    total.dataset.n = String(count);
    total.textContent = count > 0 ? archiverUI.counted("itemCount", count) : w("nothingFound");
  }

  /** Returns a list of choices; none if there is only one besides the first. @param {keyof typeof chosen} id @param {string} label @param {string} first the words of the choice without a value @param {string[]} values @param {(value: string) => string} words */
  function select(id, label, first, values, words) {
    if (values.length < 2) return [];
    /** @type {[string, string][]} */
    const choices = [["", first], ...values.map((one) => /** @type {[string, string]} */ ([one, words(one)]))];
    return [archiverUI.select({ id: `shelf-${id}`, "aria-label": w(label) }, choices, chosen[id], (value) => { chosen[id] = value; apply(); })];
  }

  /** Returns the distinct values of the books, without the empty one. @param {(book: HTMLElement) => string[]} of */
  const values = (of) => [...new Set(books.flatMap(of))].filter((one) => one !== "");

  /** Returns those words of an attribute that books have. @param {"state" | "format"} name @param {string[]} all in the order of the list */
  function known(name, all) {
    const found = values((book) => listed(book, name));
    return all.filter((one) => found.includes(one));
  }

  function draw() {
    const focused = document.activeElement?.id;
    const languages = new Intl.DisplayNames([archiverUI.locale], { type: "language" });
    const { compare } = new Intl.Collator(archiverUI.language);
    const nameOf = /** @param {string} tag */ (tag) => languages.of(tag) ?? tag;
    const hasSeries = parts.some(({ heading }) => heading !== null);
    place.replaceChildren(
      archiverUI.field("shelf-find", chosen.find, (text) => { chosen.find = text; apply(); }),
      ...select("kind", "type", w("any.type"), values((book) => [book.dataset.kind ?? ""]), (one) => w(`kind.${one}`)),
      ...select("format", "format", w("any.format"), known("format", formats), (one) => w(`format.${one}`)),
      ...select("lang", "itemLanguage", w("any.lang"), values((book) => [book.dataset.lang ?? ""]).sort((a, b) => compare(nameOf(a), nameOf(b))), nameOf),
      ...select("state", "state", w("any.state"), known("state", ["unread", "done", "favourite", "highlighted"]), (one) => w(`state.${one}`)),
      ...select("sort", "sort", w(hasSeries ? "sort.series" : "sort.title"), [...hasSeries ? ["title"] : [], "author", "saved"], (one) => w(`sort.${one}`)));
    if (focused) document.getElementById(focused)?.focus();
    apply();
  }

  draw();
  addEventListener("archiver:words", draw);
})();
