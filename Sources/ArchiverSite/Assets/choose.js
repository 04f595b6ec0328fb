// A control to choose one of many values: a button opens their list, and typing narrows it.
"use strict";

/**
 * @typedef {object} Choice
 * @property {string} value empty for all
 * @property {string} words
 * @property {number} [count] of its items
 */

const archiverChooser = (() => {
  const { el, w, number } = archiverUI;
  /** Below this number of values, the browser's own list is quicker. */
  const few = 20;
  /** The number of values listed at once; typing finds the others. */
  const most = 500;

  /**
   * Returns the choices that contain all words of a text, those with a word that begins with it first.
   * Case, accents and width are ignored, as in the search.
   * @param {Choice[]} choices @param {string[]} folded the choices' words @param {string} text
   */
  function matches(choices, folded, text) {
    const parts = archiverTokens.fold(text).split(/\s+/u).filter(Boolean);
    if (parts.length === 0) return choices;
    const found = choices.map((choice, at) => ({ choice, name: " " + folded[at] }))
      .filter(({ choice, name }) => choice.value !== "" && parts.every((part) => name.includes(part)));
    const begins = /** @param {{name: string}} one */ ({ name }) => parts.every((part) => name.includes(" " + part));
    return [...found.filter(begins), ...found.filter((one) => !begins(one))].map(({ choice }) => choice);
  }

  /**
   * Opens the list of a button, which may be replaced meanwhile.
   * @param {HTMLElement} button @param {string} title @param {Choice[]} choices @param {string} chosen @param {(value: string) => void} choose
   */
  function open(button, title, choices, chosen, choose) {
    document.getElementById("chooser")?.remove();
    const folded = choices.map(({ words }) => archiverTokens.fold(words));
    const input = /** @type {HTMLInputElement} */ (el("input", {
      type: "text", id: "narrow", class: "field", role: "combobox", "aria-expanded": "true", "aria-controls": "choices", "aria-autocomplete": "list",
      "aria-label": title, placeholder: w("narrow"), autocomplete: "off", autocapitalize: "none", spellcheck: "false", enterkeyhint: "done",
    }));
    // The field's keys move the selection in the list. Without a tabindex, browsers make a scrollable list focusable
    // by Tab.
    const list = el("ul", { id: "choices", role: "listbox", "aria-label": title, tabindex: "-1" });
    const said = el("p", { class: "count", role: "status" });
    const close = el("button", { type: "button", onclick: () => dialog.close() }, w("close"));
    const dialog = /** @type {HTMLDialogElement} */ (el("dialog", { id: "chooser", "aria-label": title }, [input, list, el("div", {}, [said, close])]));
    /** @type {Choice[]} */
    let shown = [];
    let active = -1;

    /** @param {number} at */
    function activate(at) {
      list.children[active]?.classList.remove("active");
      active = Math.max(-1, Math.min(shown.length - 1, at));
      const option = list.children[active];
      option?.classList.add("active");
      option?.scrollIntoView({ block: "nearest" });
      if (option) input.setAttribute("aria-activedescendant", option.id);
      else input.removeAttribute("aria-activedescendant");
    }

    function narrow() {
      const all = matches(choices, folded, input.value);
      shown = all.slice(0, most);
      list.replaceChildren(...shown.map(({ value, words, count }, at) => el("li", { id: "choice-" + at, role: "option", "aria-selected": String(value === chosen) }, [
        el("span", { dir: "auto" }, words), ...(count === undefined ? [] : [" ", el("span", { class: "count" }, number(count))]),
      ])));
      list.hidden = shown.length === 0;
      said.textContent = shown.length === 0 ? w("noMatch", input.value.trim()) : input.value.trim() || all.length > most ? w("placeInList", number(shown.length), number(choices.length - 1)) : "";
      active = -1;
      activate(input.value.trim() ? 0 : Math.max(0, shown.findIndex(({ value }) => value === chosen)));
    }

    /** @param {number} at */
    function take(at) {
      const choice = shown[at];
      if (!choice) return;
      dialog.close();
      choose(choice.value);
    }

    input.addEventListener("input", narrow);
    list.addEventListener("pointerdown", (event) => event.preventDefault());
    list.addEventListener("click", (event) => {
      const option = /** @type {Element} */ (event.target).closest("li");
      if (option) take([...list.children].indexOf(option));
    });
    /** Whether a pointer is beside the dialog. @param {MouseEvent} event */
    const isBeside = ({ clientX, clientY }) => {
      const box = dialog.getBoundingClientRect();
      return clientX < box.left || clientX > box.right || clientY < box.top || clientY > box.bottom;
    };
    let isPressedBeside = false;
    dialog.addEventListener("pointerdown", (event) => { isPressedBeside = isBeside(event); });
    // Close on click, not on press: the end of a touch would otherwise click the element below the
    // closed dialog.
    dialog.addEventListener("click", (event) => { if (isPressedBeside && isBeside(event)) dialog.close(); });
    dialog.addEventListener("keydown", (event) => {
      // Keep the page's keys from acting here; Escape closes the dialog.
      event.stopPropagation();
      if (event.isComposing || event.target !== input) return;
      const page = Math.max(1, Math.floor(list.clientHeight / (list.firstElementChild?.clientHeight || 1)) - 1);
      const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page };
      if (event.key in steps) activate(Math.max(0, active + steps[/** @type {keyof steps} */ (event.key)]));
      else if (event.key === "Enter") take(active);
      else return;
      event.preventDefault();
    });
    dialog.addEventListener("close", () => { dialog.remove(); document.getElementById(button.id)?.focus(); });
    addEventListener("hashchange", () => dialog.close(), { once: true });
    document.body.append(dialog);
    dialog.showModal();
    place(dialog, button);
    narrow();
    input.focus();
  }

  /** Places a dialog below its button if it fits there; a phone shows it at the top, above its keyboard. @param {HTMLElement} dialog @param {HTMLElement} button */
  function place(dialog, button) {
    const box = button.getBoundingClientRect();
    if (innerWidth < 560 || innerHeight - box.bottom < 260) return;
    dialog.style.insetBlockStart = box.bottom + 4 + "px";
    dialog.style.left = Math.max(8, Math.min(box.left, innerWidth - dialog.offsetWidth - 8)) + "px";
    dialog.style.setProperty("--room", innerHeight - box.bottom - 16 + "px");
  }

  /**
   * Returns a button that shows the chosen value and opens the list.
   * @param {string} id @param {string} title @param {Choice[]} choices @param {string} chosen @param {(value: string) => void} choose
   */
  function button(id, title, choices, chosen, choose) {
    const words = choices.find(({ value }) => value === chosen)?.words ?? chosen;
    const element = el("button", { type: "button", id, class: "chooser", "aria-haspopup": "dialog", "aria-label": `${title}: ${words}` }, [el("span", { dir: "auto" }, words)]);
    element.onclick = () => open(element, title, choices, chosen, choose);
    return element;
  }

  return { few, button };
})();
