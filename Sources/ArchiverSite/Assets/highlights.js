// Filters the highlights by colour and copies the visible ones as Markdown.
"use strict";

(() => {
  const { el, w } = archiverUI;
  const place = document.getElementById("tools");
  if (!place) return;
  const colors = ["yellow", "red", "blue", "green", "none"];

  /** @param {string} color */
  function filter(color) {
    for (const section of document.querySelectorAll(".marked")) {
      let any = false;
      for (const item of /** @type {NodeListOf<HTMLElement>} */ (section.querySelectorAll("li"))) {
        item.hidden = color !== "" && !item.classList.contains(color);
        any ||= !item.hidden;
      }
      /** @type {HTMLElement} */ (section).hidden = !any;
    }
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
    const select = /** @type {HTMLSelectElement} */ (el("select", { id: "color", "aria-label": w("color.all") },
      ["", ...colors.filter((color) => document.querySelector(".marked li." + color))]
        .map((color) => el("option", { value: color }, w("color." + (color || "all"))))));
    select.onchange = () => filter(select.value);
    const button = el("button", { type: "button" }, w("copyMarkdown"));
    button.onclick = async () => {
      await copy(markdown());
      button.textContent = w("copied");
      setTimeout(() => { button.textContent = w("copyMarkdown"); }, 2000);
    };
    place?.replaceChildren(select, button);
    filter("");
  }

  draw();
  addEventListener("archiver:words", draw);
})();
