// The appearance of pages in the reader: text size, typeface and line length. The browser stores
// the choice.
"use strict";

const archiverLook = (() => {
  const { el, w, number } = archiverUI;
  const sizes = [70, 80, 90, 100, 115, 130, 150, 175, 200, 250];
  const faces = { "": "", serif: "ui-serif, Charter, Georgia, Cambria, 'Noto Serif', serif", sans: "system-ui, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', sans-serif" };
  const lengths = { narrow: "34rem", "": "", wide: "60rem", full: "none" };
  const chosen = read();
  /** The element whose frame shows the page. @type {HTMLElement|null} */
  let sheet = null;
  /** The URL of the page in the frame. */
  let address = "";
  const box = /** @type {HTMLDetailsElement} */ (el("details", { class: "look" }));

  /** @returns {{size: number, face: keyof typeof faces, length: keyof typeof lengths}} */
  function read() {
    const { size, face, length } = Object(archiverMemory.value("look"));
    return {
      size: sizes.find((one) => one === size) ?? 100,
      face: /** @type {keyof typeof faces} */ (typeof face === "string" && Object.hasOwn(faces, face) ? face : ""),
      length: /** @type {keyof typeof lengths} */ (typeof length === "string" && Object.hasOwn(lengths, length) ? length : ""),
    };
  }

  /** Returns the page in the frame, if the browser treats it as same-origin; from disk it does not. @returns {Window|null} */
  function inner() {
    const frame = sheet?.querySelector("iframe");
    try {
      return frame?.contentDocument?.documentElement ? frame.contentWindow : null;
    } catch {
      return null;
    }
  }

  /** Returns the style rules for the page in the frame. Drawings, formulas, code and vertical text keep their own. */
  function rules() {
    const { face, length } = chosen;
    const text = ":is(.body, .flow .sheet)";
    // The reader's own bar leads to the library.
    return ".page > .bar { display: none; } "
      + (face ? `:root { --serif: ${faces[face]}; } ${text}, ${text} :is(p, li, dd, dt, blockquote, div, section, article, td, th, figcaption, span, em, i, strong, b):not(svg *, math *, pre *, code *) { font-family: var(--serif) !important; }` : "")
      // The pages of books have a width of their own in this layer; see BookStyle.swift.
      + (length ? `.page { max-inline-size: ${lengths[length]} !important; } @layer room { .flow > .book { max-inline-size: ${lengths[length]} !important; } }` : "");
  }

  /** Applies the choice to the page. */
  function apply() {
    sheet?.style.setProperty("--size", String(chosen.size / 100));
    const page = inner();
    if (!page) return;
    const css = new (/** @type {any} */ (page).CSSStyleSheet)();
    css.replaceSync(rules());
    page.document.adoptedStyleSheets = [css];
  }

  /** @param {Partial<typeof chosen>} change */
  function set(change) {
    Object.assign(chosen, change);
    archiverMemory.write("look", JSON.stringify(chosen));
    apply();
    draw();
  }

  /** Makes the text larger or smaller by some steps. @param {number} steps */
  function resize(steps) {
    const at = sizes.indexOf(chosen.size) + steps;
    set({ size: sizes[Math.min(sizes.length - 1, Math.max(0, at))] });
  }

  /** @param {string} id @param {string} sign @param {number} steps */
  function sizeButton(id, sign, steps) {
    const isLast = chosen.size === sizes[steps < 0 ? 0 : sizes.length - 1];
    return el("button", { type: "button", id, "aria-label": w(id), title: w(id) + (steps < 0 ? " (−)" : " (+)"), "aria-disabled": isLast ? "true" : null, onclick: () => resize(steps) }, sign);
  }

  /** @param {string} id @param {string[]} values @param {string} value @param {(value: any) => void} choose */
  function select(id, values, value, choose) {
    return el("p", {}, [el("label", { for: id }, w(id)), archiverUI.select({ id }, values.map((one) => [one, w(`${id}.${one || "own"}`)]), value, choose)]);
  }

  /** Draws the controls in the current language, with a link to the page itself, and returns them. @param {string} [page] */
  function draw(page = address) {
    address = page;
    const focused = document.activeElement?.id;
    const canRestyle = location.protocol !== "file:";
    box.replaceChildren(
      el("summary", { "aria-label": w("look"), title: w("look"), id: "look" }, "Aa"),
      el("div", {}, [
        el("p", {}, [el("span", {}, w("textSize")), el("span", { class: "steps" }, [sizeButton("smaller", "A−", -1), el("output", { "aria-live": "polite" }, number(chosen.size) + " %"), sizeButton("larger", "A+", 1)])]),
        ...(canRestyle ? [
          select("typeface", Object.keys(faces), chosen.face, (face) => set({ face })),
          select("lineLength", Object.keys(lengths), chosen.length, (length) => set({ length })),
        ] : [el("p", { class: "why" }, w("lookFromServer"))]),
        el("p", { class: "on-phone" }, [el("a", { href: address }, w("openPage"))]),
      ]));
    if (focused && box.querySelector(`[id="${focused}"]`)) document.getElementById(focused)?.focus();
    return box;
  }

  // The panel covers the page, so it closes like a menu.
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !box.open) return;
    box.open = false;
    document.getElementById("look")?.focus();
  });
  addEventListener("pointerdown", (event) => { if (!box.contains(/** @type {Node} */ (event.target))) box.open = false; });
  addEventListener("blur", () => { if (document.activeElement?.localName === "iframe") box.open = false; });

  /** Applies the choice to the pages of an element's frame from now on. @param {HTMLElement} element */
  function show(element) {
    sheet = element;
    apply();
  }

  return { draw, show, apply, inner, resize, reset: () => set({ size: 100 }) };
})();
