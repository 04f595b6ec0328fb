// Renders items as cards or lines, like the pages without scripts.
"use strict";

const archiverView = (() => {
  const { el, w, day, root } = archiverUI;

  /** @param {Row} row */
  function picture([folder, title, , , , picture, width, height, hue]) {
    if (picture) {
      // A cover taken from a book, whose size is unknown, is nearly always an upright page.
      const isWhole = width > 0 && height > 0 ? width / height < 1.3 || width / height > 2.4 : picture.startsWith("book/");
      return el("span", { class: isWhole ? "cover whole" : "cover" }, [el("img", {
        src: `${root}${folder}/${picture}`, alt: "", width: width || null, height: height || null, loading: "lazy", decoding: "async",
      })]);
    }
    const letter = /[\p{L}\p{N}]/u.exec(title)?.[0].toUpperCase() ?? "·";
    return el("span", { class: `cover tile hue${hue}`, "aria-hidden": "true" }, letter);
  }

  /** Returns the URL of an item in the reader, which can move to the next item of the list. @param {string} folder @param {string} view */
  const reader = (folder, view) => `${root}library/read.html#at=${folder}${view ? "&" + view : ""}`;

  /**
   * Returns the URL of a match. The reader can scroll to a passage only if a server delivers the archive. From disk, the
   * page itself is opened; so is a PDF, which frames without scripts cannot show.
   * @param {string} folder @param {{place: string, words: string}} target @param {string} view
   */
  function passage(folder, { place, words }, view) {
    if (location.protocol !== "file:" && !place.includes("#")) return reader(folder, `to=${encodeURIComponent(place)}&words=${encodeURIComponent(words)}${view ? "&" + view : ""}`);
    const fragment = place.includes("#") ? "" : "#:~:text=" + encodeURIComponent(words).replaceAll("-", "%2D");
    return `${root}${folder}/${place}${fragment}`;
  }

  /**
   * @param {Row} row @param {Item} item
   * @param {{parts: (string|Node)[], target: {place: string, words: string}|null}} [snippet]
   * @param {string} [view] the hash of the list, for the reader
   */
  function entry(row, item, snippet, view) {
    const [folder, title, language, direction] = row;
    const [site, host] = item.site;
    const said = el("div", { class: "said" });
    if (site || host) said.append(el("p", { class: "site" }, [el("bdi", {}, site || host)]));
    said.append(el("h2", {}, [
      el("a", { href: snippet?.target ? passage(folder, snippet.target, view ?? "") : reader(folder, view ?? ""), dir: "auto", lang: language || null }, title),
    ]));
    if (snippet && snippet.parts.length > 0) said.append(el("p", { class: "snippet", dir: direction, lang: language || null }, snippet.parts));
    const date = new Date(item.saved * 60000);
    const facts = el("p", { class: "facts" }, [el("time", { datetime: date.toISOString() }, day(item.saved * 60))]);
    if (item.kind !== "article") facts.append(el("span", {}, w("kind." + item.kind)));
    const page = /#page=(\d+)$/.exec(snippet?.target?.place ?? "")?.[1];
    if (page) facts.append(el("span", {}, w("pdfPage", archiverUI.number(Number(page)))));
    if (item.minutes > 0) facts.append(el("span", {}, w("minutes", String(item.minutes))));
    if (item.flags & 1) facts.append(el("span", { class: "star", role: "img", "aria-label": w("favourite") }, "★"));
    if (item.flags & 2) facts.append(el("span", {}, w("done")));
    if (item.flags & 4) facts.append(el("span", {}, w("gone")));
    if (item.flags & 64) facts.append(el("span", {}, w("withheld")));
    if (item.status) facts.append(el("span", {}, w("status." + item.status)));
    said.append(facts);
    if (item.labels.length > 0) {
      said.append(el("ul", { class: "labels" }, item.labels.map((label) => el("li", {}, [
        el("a", { href: "#" + new URLSearchParams({ label }), dir: "auto" }, label),
      ]))));
    }
    return el("li", { class: "item" }, [picture(row), said]);
  }

  return { entry, reader };
})();
