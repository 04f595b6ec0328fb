// Filters the highlights by words and colour, and copies the visible ones as Markdown.
"use strict";

(() => {
  const { el, w, select, field, folded, root } = archiverUI;
  const place = document.getElementById("tools");
  if (!place) return;
  const colors = ["yellow", "red", "blue", "green", "none"];
  const result = el("p", { class: "total", role: "status" });
  place.after(result);

  /** Shows the highlights of a colour that, with their notes and titles, contain all words. @param {string} color @param {string} query */
  function filter(color, query) {
    const words = folded(query).split(/\s+/u);
    let isEmpty = true;
    for (const section of document.querySelectorAll(".marked")) {
      const title = section.querySelector("h2")?.textContent ?? "";
      let any = false;
      for (const item of /** @type {NodeListOf<HTMLElement>} */ (section.querySelectorAll("li"))) {
        const text = folded(`${title} ${item.textContent}`);
        item.hidden = (color !== "" && !item.classList.contains(color)) || !words.every((word) => text.includes(word));
        any ||= !item.hidden;
      }
      /** @type {HTMLElement} */ (section).hidden = !any;
      isEmpty &&= !any;
    }
    result.replaceChildren(...(isEmpty ? [w("nothingFound")] : []));
    // This page has the highlights of one year only.
    const all = `has:highlight ${query}`;
    if (query && document.querySelector("main nav .sections")) result.append(" ", el("a", { href: `${root}index.html#${new URLSearchParams({ q: all })}`, dir: "auto" }, `${w("search")}: ${all}`));
  }

  function markdown() {
    const parts = [];
    for (const section of document.querySelectorAll(".marked:not([hidden])")) {
      parts.push("## " + (section.querySelector("h2")?.textContent ?? "").trim(), "");
      for (const item of section.querySelectorAll("li:not([hidden])")) {
        const text = item.querySelector("blockquote")?.textContent ?? "";
        parts.push(...text.split("\n").map((line) => "> " + line), "");
        const note = item.querySelector(".note")?.textContent;
        if (note) parts.push(note, "");
      }
    }
    return parts.join("\n");
  }

  /** Copies text, also without the Clipboard API, which pages from disk may lack. @param {string} text */
  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = /** @type {HTMLTextAreaElement} */ (el("textarea", { class: "quiet", "aria-hidden": "true" }));
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
  }

  function draw() {
    let [color, query] = ["", ""];
    const shown = ["", ...colors.filter((one) => document.querySelector(".marked li." + one))];
    const button = el("button", { type: "button" }, w("copyMarkdown"));
    button.onclick = async () => {
      await copy(markdown());
      button.textContent = w("copied");
      setTimeout(() => { button.textContent = w("copyMarkdown"); }, 2000);
    };
    place?.replaceChildren(
      field("find", "", (text) => filter(color, query = text)),
      select({ id: "color", "aria-label": w("color.all") }, shown.map((one) => [one, w("color." + (one || "all"))]), "", (one) => filter(color = one, query)),
      button);
    filter(color, query);
  }

  draw();
  addEventListener("archiver:words", draw);
})();
