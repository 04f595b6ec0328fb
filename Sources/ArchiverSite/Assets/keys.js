// For every page: keys (/ search, j and k next and previous, o open, ? help), and links to items, which open in the
// reader.
"use strict";

(() => {
  const { el, w, root } = archiverUI;

  function links() {
    return /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".item h2 a")]);
  }

  /** @param {number} step */
  function move(step) {
    const all = links();
    const at = all.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    const next = all[at < 0 ? (step > 0 ? 0 : all.length - 1) : Math.min(all.length - 1, Math.max(0, at + step))];
    next?.focus();
    next?.closest(".item")?.scrollIntoView({ block: "nearest" });
  }

  function help() {
    document.getElementById("help")?.remove();
    const rows = [["/", "search"], ["j", "key.next"], ["k", "key.previous"], ["o", "key.open"], ["+ − 0", "key.size"], ["?", "key.help"], ["Esc", "key.leave"]];
    const dialog = /** @type {HTMLDialogElement} */ (el("dialog", { id: "help", "aria-labelledby": "help-title" }, [
      el("h2", { id: "help-title" }, w("keys")),
      el("dl", { class: "keys" }, rows.flatMap(([key, words]) => [el("dt", {}, [el("kbd", {}, key)]), el("dd", {}, w(words))])),
      el("h2", {}, w("search")),
      el("p", {}, w("searchHelp")),
      el("p", {}, [el("code", {}, "label:… source:… site:… author:… lang:… type:… year:2024 before:2024-05 after:2023 is:unread has:note label:none -label:… … OR …")]),
      el("button", { type: "button", autofocus: true, onclick: () => dialog.close() }, w("close")),
    ]));
    document.body.append(dialog);
    dialog.showModal();
    // The focus on the button would scroll a small window past the keys.
    dialog.scrollTop = 0;
  }

  /** Adds a button below the page that opens the help, for users without a keyboard. */
  function draw() {
    const button = document.getElementById("show-help") ?? el("button", { type: "button", id: "show-help", onclick: help });
    button.textContent = w("help");
    document.querySelector(".foot")?.append(button);
  }

  /**
   * Lets the reader open an item or a passage, with the list of this page. From disk, pages of books open themselves.
   * @param {Event} event
   */
  function throughReader(event) {
    const link = event.target instanceof Element ? event.target.closest("main a[href]") : null;
    const path = /^(?:\.\.\/)*(?!library\/)([^./?#][^/?#]*\/[^/?#]+)\/(index\.html|book\/text\/[^/?#]+\.html)(?:#([\w.~%-]+))?$/u;
    const [, folder, page, mark] = path.exec(link?.getAttribute("href") ?? "") ?? [];
    if (!link || !folder || (page !== "index.html" && location.protocol === "file:")) return;
    const view = document.querySelector("h1")?.dataset.view;
    const parts = [`at=${folder}`, ...(page === "index.html" ? [] : [`to=${page}`]), ...(mark ? [`mark=${mark}`] : []), ...(view ? [view] : [])];
    link.setAttribute("href", `${root}library/read.html#${parts.join("&")}`);
  }

  addEventListener("click", throughReader, true);
  addEventListener("auxclick", throughReader, true);
  draw();
  addEventListener("archiver:words", draw);
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const target = /** @type {HTMLElement} */ (event.target);
    const isTyping = target.matches("input, textarea, select, [contenteditable]");
    if (event.key === "Escape" && isTyping) {
      // Otherwise the browser would clear the search field without updating the results.
      event.preventDefault();
      target.blur();
      return;
    }
    if (isTyping || document.querySelector("dialog[open]")) return;
    const search = document.getElementById("q");
    switch (event.key) {
      case "/":
        if (!search) return;
        search.focus();
        /** @type {HTMLInputElement} */ (search).select();
        break;
      case "j": move(1); break;
      case "k": move(-1); break;
      case "o": if (links().includes(/** @type {HTMLElement} */ (document.activeElement))) /** @type {HTMLElement} */ (document.activeElement).click(); break;
      case "?": help(); break;
      default: return;
    }
    event.preventDefault();
  });
})();
