// The reader: shows a bundle in a frame without scripts, with the appearance of look.js, and moves to the next item
// of the list.
"use strict";

(() => {
  const { el, w, root } = archiverUI;
  const { places } = archiverMemory;
  const { inner } = archiverLook;
  const found = document.getElementById("reader");
  if (!found) return;
  const place = found;
  const memorySize = 300;
  /** The numbers of the items of the list. @type {number[]} */
  let ids = [];
  /** The item's index in them; -1 if it is not among them or not known yet. */
  let at = -1;
  let folder = "";
  /** Whether the frame has been scrolled to the stored position; before that, its position is meaningless. */
  let isSettled = false;
  /** @type {HTMLIFrameElement|null} */
  let frame = null;
  // Both stay in the document between items: removing them would lose the focus, and screen readers
  // do not announce replaced elements.
  const status = el("span", { class: "count", role: "status" });
  const look = archiverLook.draw();
  const strip = el("div", { class: "filters reader-bar" }, [status, look]);
  document.documentElement.classList.add("reading");

  /** Whether a path in a bundle is a page of a book. @param {string} path */
  const isChapter = (path) => /^book\/text\/[^/\\?#]+\.html$/u.test(path);

  /** Reads the parts of the URL: the item's folder, its page, the words or the mark to scroll to, and the view. */
  function address() {
    const parts = new URLSearchParams(location.hash.slice(1));
    const folder = parts.get("at") ?? "";
    const to = parts.get("to") ?? "";
    const words = parts.get("words") ?? "";
    const mark = parts.get("mark") ?? "";
    for (const key of ["at", "to", "words", "mark"]) parts.delete(key);
    // Only a folder of the archive; other paths are not opened.
    const isInside = /^[^/\\:?#]+\/[^/\\:?#]+$/u.test(folder) && !folder.split("/").some((part) => part === "." || part === "..");
    return { folder: isInside ? folder : "", page: isChapter(to) ? to : "index.html", words, mark, view: parts.toString() };
  }

  /** The URL of the item's bundle. */
  const bundle = () => `${root}${folder.split("/").map(encodeURIComponent).join("/")}/`;

  /** The path in the bundle of the page in the frame: "index.html" or a chapter; "" for anything else. @param {Window} page */
  function shownPath(page) {
    const start = new URL(bundle(), location.href).pathname;
    const path = page.location.pathname;
    const rest = path.startsWith(start) ? path.slice(start.length) : "";
    return rest === "index.html" || isChapter(rest) ? rest : "";
  }

  function remember() {
    const page = inner();
    const path = page && isSettled ? shownPath(page) : "";
    if (!page || !path) return;
    const length = page.document.documentElement.scrollHeight - page.innerHeight;
    const part = length > 0 ? Math.round((page.scrollY / length) * 10000) / 10000 : 0;
    const before = places().find(([one]) => one === folder);
    const rest = places().filter(([one]) => one !== folder);
    if (path !== "index.html") {
      const isEnd = !page.document.querySelector('a[rel="next"]') && (length <= 0 || part > 0.985);
      if (!isEnd) rest.push([folder, part, document.title, path]);
    } else if (before?.[3]) {
      // The page that describes a book has no reading position.
      return;
    } else if (length <= 0) {
      return;
    } else if (part > 0.005 && part < 0.985) {
      rest.push([folder, part, document.title]);
    }
    archiverMemory.write("places", JSON.stringify(rest.slice(-memorySize)));
  }

  /** Handles the keys and swipes in a page. @param {Window} page */
  function listen(page) {
    page.addEventListener("keydown", onInnerKey);
    page.addEventListener("touchstart", onTouch, { passive: true });
    page.addEventListener("touchend", onTouch, { passive: true });
    page.addEventListener("wheel", onWheel, { passive: false });
  }

  /** Keeps links within the bundle in the frame, and opens all others in its place. @param {Window} page @param {string} frame the name of the frame, seen from the page */
  function keepLinks(page, frame = "_self") {
    for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (page.document.querySelectorAll("a[href]"))) {
      const start = new URL(bundle(), location.href).href;
      const path = link.href.startsWith(start) ? link.href.slice(start.length).replace(/#.*$/u, "") : "";
      link.target = path === "index.html" || path.startsWith("book/text/") ? frame : link.target || "_top";
    }
  }

  /** Handles a page that the frame has loaded: updates the URL, changes its links, restores the position. */
  function settle() {
    archiverLook.apply();
    const page = inner();
    const path = page ? shownPath(page) : "";
    if (page && path) {
      const parts = new URLSearchParams(location.hash.slice(1));
      if (path !== (parts.get("to") ?? "index.html")) {
        if (path === "index.html") parts.delete("to");
        else parts.set("to", path);
        parts.delete("words");
        parts.delete("mark");
        history.replaceState(history.state, "", "#" + parts);
        bar();
      }
      keepLinks(page);
      listen(page);
      // The other page of a spread is loaded when it becomes visible.
      for (const mate of /** @type {NodeListOf<HTMLIFrameElement>} */ (page.document.querySelectorAll("iframe.mate"))) {
        const take = () => {
          const beside = mate.contentWindow;
          if (!beside || beside.location.protocol === "about:") return;
          keepLinks(beside, "_parent");
          listen(beside);
        };
        mate.addEventListener("load", take);
        take();
      }
      const read = page.document.querySelector(".read a.button");
      const last = places().find(([one]) => one === folder)?.[3];
      if (read && last && isChapter(last)) read.setAttribute("href", last);
    }
    restore();
  }

  /** Scrolls a page that is wider than the window; returns whether it moved. @param {Window} page @param {number} way below zero to the left @param {number} distance in pixels; most of its width by default */
  function scrollWide(page, way, distance = 0) {
    const wide = [...page.document.querySelectorAll(".vertical, .comic")].find((one) => one.scrollWidth > one.clientWidth + 1);
    const start = wide?.scrollLeft ?? 0;
    wide?.scrollBy({ left: way * (distance || wide.clientWidth * 0.9), behavior: "instant" });
    return wide !== undefined && Math.abs(wide.scrollLeft - start) > 1;
  }

  /** Follows a page's own link to a neighbour. @param {Window} page @param {"next"|"prev"} relation */
  function follow(page, relation) {
    remember();
    /** @type {HTMLAnchorElement[]} */ ([...page.document.querySelectorAll(`a[rel="${relation}"]`)]).find((one) => one.getClientRects().length > 0)?.click();
    return true;
  }

  /** Turns a page of a book in the frame: scrolls it if it is wider than the window, otherwise follows the page's own link. Returns false if the frame shows no page of a book. @param {-1|1} way to the left or to the right */
  function turnPage(way) {
    const page = inner();
    if (!page || !isChapter(shownPath(page))) return false;
    return scrollWide(page, way) || follow(page, (way > 0) === (page.document.body.dataset.next !== "left") ? "next" : "prev");
  }

  /** Returns the direction in which vertical text continues: 1 to the right, -1 to the left. @param {Element} columns */
  const onward = (columns) => columns.classList.contains("from-left") ? 1 : -1;

  /** Turns a page of a book at its end by a key that scrolls; vertical text scrolls sideways before. @param {KeyboardEvent} event */
  function turnAtEnd(event) {
    const page = inner();
    const way = event.key === "PageDown" || (event.key === " " && !event.shiftKey) ? 1 : event.key === "PageUp" || event.key === " " ? -1 : 0;
    // The space bar also activates what has the focus.
    const isTaken = event.key === " " && /** @type {Element} */ (event.target).matches("a, button, summary, audio, video");
    if (!page || isTaken || !isChapter(shownPath(page))) return false;
    const columns = page.document.querySelector(".vertical");
    if (columns && (event.key === "Home" || event.key === "End")) {
      return scrollWide(page, event.key === "End" ? onward(columns) : -onward(columns), 1e6);
    }
    if (way === 0 || (columns && scrollWide(page, way * onward(columns)))) return way !== 0;
    // The bars of links above and below need not be visible.
    const box = (page.document.getElementById("content") ?? page.document.documentElement).getBoundingClientRect();
    const rest = way > 0 ? box.bottom - page.innerHeight : -box.top;
    return (columns !== null || rest < 2) && !event.repeat && follow(page, way > 0 ? "next" : "prev");
  }

  /** Scrolls vertical text by the wheel. @param {WheelEvent} event */
  function onWheel(event) {
    const [page, columns] = [inner(), /** @type {Element} */ (event.target).closest(".vertical")];
    if (!page || !columns || event.ctrlKey || event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) return;
    const size = Math.abs(event.deltaY) * ([1, 40, innerHeight][event.deltaMode] ?? 1);
    if (scrollWide(page, onward(columns) * Math.sign(event.deltaY), size)) event.preventDefault();
  }

  /** The start of a touch that may turn a page. @type {Touch|null} */
  let touched = null;

  /** Turns a page of a book by a swipe, as the page's own script does outside of the reader. @param {TouchEvent} event */
  function onTouch(event) {
    const start = touched;
    touched = null;
    const page = inner();
    if (!page) return;
    if (event.type === "touchstart") {
      let place = /** @type {Element|null} */ (event.target);
      // A swipe scrolls an element that is wider than its container, and an enlarged page.
      while (place && place.scrollWidth <= place.clientWidth + 1) place = place.parentElement;
      touched = !place && event.touches.length === 1 && (visualViewport?.scale ?? 1) === 1 ? event.touches[0] : null;
    } else if (start && event.touches.length === 0 && page.getSelection()?.isCollapsed !== false) {
      const [end] = event.changedTouches;
      const [x, y] = [end.clientX - start.clientX, end.clientY - start.clientY];
      if (Math.abs(x) > 60 && Math.abs(x) > 2 * Math.abs(y)) turnPage(x > 0 ? -1 : 1);
    }
  }

  /** Marks the first occurrence of some words in a page and scrolls there. Returns whether there is one. @param {Window} page @param {string} words */
  function goTo(page, words) {
    const texts = page.document.createTreeWalker(page.document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const start = words ? node.nodeValue?.indexOf(words) ?? -1 : -1;
      if (start < 0) continue;
      const range = page.document.createRange();
      range.setStart(node, start);
      range.setEnd(node, start + words.length);
      page.getSelection()?.removeAllRanges();
      page.getSelection()?.addRange(range);
      const box = range.getBoundingClientRect();
      page.scrollTo({ top: page.scrollY + box.top - page.innerHeight / 3, behavior: "instant" });
      return true;
    }
    return false;
  }

  function restore() {
    const page = inner();
    const { words, mark, page: path } = address();
    isSettled = true;
    if (page && (mark || goTo(page, words))) return;
    const [, part, , chapter] = places().find(([one]) => one === folder) ?? [];
    if (!page || typeof part !== "number" || (chapter ?? "index.html") !== path) return;
    page.scrollTo({ top: part * (page.document.documentElement.scrollHeight - page.innerHeight), behavior: "instant" });
  }

  /** @param {number} step */
  async function turn(step) {
    const next = ids[at + step];
    if (at < 0 || next === undefined) return;
    remember();
    // A key pressed before the page has loaded counts from that page.
    at += step;
    const [row] = await archiverData.readRecords([next]);
    if (!row) return;
    location.hash = `at=${row[0]}${address().view ? "&" + address().view : ""}`;
  }

  /** @param {string} key @param {string} sign @param {number} step */
  function turnButton(key, sign, step) {
    return el("button", { type: "button", id: key, disabled: at < 0 || ids[at + step] === undefined, title: w("key." + key) + (step > 0 ? " (j)" : " (k)"), onclick: () => turn(step) },
      [step < 0 ? sign + " " : "", el("span", {}, w(key)), step > 0 ? " " + sign : ""]);
  }

  function bar() {
    const { view, page: path } = address();
    const page = bundle() + path;
    const focused = document.activeElement?.id;
    for (const one of [...strip.children]) if (one !== status && one !== look) one.remove();
    // From disk, the page in the frame keeps its own link to the library.
    const leads = view || location.protocol !== "file:";
    status.before(
      ...(leads ? [el("a", { class: "back", href: `${root}index.html${view ? "#" + view : ""}` }, "← " + w(view ? "backToList" : "library"))] : []),
      turnButton("previous", "‹", -1), turnButton("next", "›", 1));
    status.after(el("a", { class: "bare", href: page }, w("openPage")));
    archiverLook.draw(page);
    status.replaceChildren(...(at < 0 ? [] : [
      w("placeInList", archiverUI.number(at + 1), archiverUI.number(ids.length)), el("span", { class: "quiet", dir: "auto" }, ": " + document.title),
    ]));
    const again = focused ? document.getElementById(focused) : null;
    // At either end of the list, one of the buttons is disabled and cannot be focused.
    /** @type {HTMLElement|null|undefined} */ (again?.matches(":disabled") ? strip.querySelector("button:enabled") : again)?.focus();
  }

  async function open() {
    const now = address();
    if (!now.folder) {
      location.replace(root + "index.html");
      return;
    }
    folder = now.folder;
    isSettled = false;
    const page = bundle() + now.page;
    // The sandbox blocks scripts, forms, downloads and the like. Printing requires `allow-modals`.
    frame = /** @type {HTMLIFrameElement} */ (el("iframe", { id: "page", src: page + (now.mark && "#" + encodeURIComponent(now.mark)), title: folder, sandbox: "allow-same-origin allow-modals allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation" }));
    frame.addEventListener("load", settle);
    const sheet = el("div", { class: "reader-sheet" }, [frame]);
    // Browsers print only the visible part of a frame.
    const note = el("p", { class: "on-paper" }, [el("span", { "data-w": "printPage" }, w("printPage")), " ", el("a", { href: page }, new URL(page, location.href).href)]);
    if (!strip.isConnected) {
      bar();
      place.replaceChildren(strip);
    }
    while (strip.nextSibling) strip.nextSibling.remove();
    strip.after(sheet, note);
    archiverLook.show(sheet);
    const found = await lookUp(folder);
    if (folder !== now.folder) return;
    const title = found?.row[1] ?? folder;
    document.title = title;
    const heading = document.getElementById("reader-title");
    if (heading) { heading.removeAttribute("data-w"); heading.textContent = title; }
    frame.title = title;
    if (ids.length === 0) bar();
    const list = await archiverList.find(archiverList.state("#" + now.view), 1);
    if (folder !== now.folder) return;
    ids = list.ids;
    at = found ? ids.indexOf(found.id) : -1;
    bar();
  }

  /** Returns the item of a folder; null if the library has none. @param {string} folder */
  async function lookUp(folder) {
    const end = folder.slice(-10);
    const ids = /^[-/0-9a-z]+$/.test(end) ? [...await archiverShards.items("¤i" + end)] : [];
    const rows = await archiverData.readRecords(ids);
    const place = rows.findIndex((row) => row && decodeURIComponent(row[0]) === folder);
    const row = rows[place];
    return row ? { id: ids[place], row } : null;
  }

  const opened = () => open().catch((error) => {
    console.warn("archiver:", error);
    bar();
  });

  /** Prints the page in the frame if it is accessible. @param {KeyboardEvent} event */
  function printByKey(event) {
    const page = inner();
    if (!page || event.key.toLowerCase() !== "p" || event.altKey || event.shiftKey) return;
    event.preventDefault();
    page.print();
  }

  /** Handles a key that moves to another item or page; returns whether the key has a meaning. @param {string} key */
  function act(key) {
    const way = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
    if (way && turnPage(way)) return true;
    if (key === "j" || way > 0) turn(1);
    else if (key === "k" || way < 0) turn(-1);
    else if (key === "+" || key === "=") archiverLook.resize(1);
    else if (key === "-") archiverLook.resize(-1);
    else if (key === "0") archiverLook.reset();
    else if (key === "o") location.href = bundle() + address().page;
    else return false;
    return true;
  }

  /** @param {KeyboardEvent} event */
  const isForUs = (event) => !event.ctrlKey && !event.metaKey && !event.altKey && !(/** @type {Element} */ (event.target).matches("input, select, textarea"));

  /** Handles keys while the focus is in the frame. @param {KeyboardEvent} event */
  function onInnerKey(event) {
    if (event.ctrlKey || event.metaKey) printByKey(event);
    if (isForUs(event) && (act(event.key) || turnAtEnd(event))) event.preventDefault();
  }

  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey) printByKey(event);
    if (!isForUs(event) || document.querySelector("dialog[open]")) return;
    const page = inner();
    const steps = { ArrowDown: 60, ArrowUp: -60, PageDown: innerHeight * 0.8, PageUp: -innerHeight * 0.8, " ": innerHeight * (event.shiftKey ? -0.8 : 0.8), Home: -1e9, End: 1e9 };
    if (act(event.key) || turnAtEnd(event)) {
      // The key has been handled.
    } else if (page && event.key in steps && event.target === document.body) {
      page.scrollBy({ top: steps[/** @type {keyof steps} */ (event.key)], behavior: /^(Home|End)$/u.test(event.key) ? "instant" : "auto" });
    } else {
      // From disk, the frame scrolls only with the focus in it, so focus it.
      if (event.key in steps && event.target === document.body) frame?.focus();
      return;
    }
    event.preventDefault();
    event.stopImmediatePropagation();
  });
  addEventListener("hashchange", () => { remember(); opened(); });
  addEventListener("pagehide", remember);
  setInterval(remember, 2000);
  addEventListener("archiver:words", bar);
  opened();
})();
