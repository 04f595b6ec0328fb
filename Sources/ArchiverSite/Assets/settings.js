// Chooses language and theme.
"use strict";

(() => {
  const { el, w } = archiverUI;
  const place = document.getElementById("settings");
  if (!place) return;

  function theme() {
    return document.documentElement.dataset.theme ?? "";
  }

  /** @param {string} value */
  function setTheme(value) {
    if (value) document.documentElement.dataset.theme = value;
    else delete document.documentElement.dataset.theme;
    archiverMemory.write("theme", value);
  }

  function draw() {
    const language = /** @type {HTMLSelectElement} */ (el("select", { id: "language", "aria-label": w("language") },
      Object.entries(archiverLanguages).map(([tag, { name }]) => el("option", { value: tag, lang: tag, selected: tag === archiverUI.language }, name))));
    language.onchange = () => archiverUI.setLanguage(language.value);
    const themes = /** @type {HTMLSelectElement} */ (el("select", { id: "theme", "aria-label": w("theme") },
      ["", "light", "sepia", "dark"].map((one) => el("option", { value: one, selected: one === theme() }, w("theme." + (one || "system"))))));
    themes.onchange = () => setTheme(themes.value);
    const had = document.activeElement?.id;
    place?.replaceChildren(language, themes);
    if (had === "language" || had === "theme") document.getElementById(had)?.focus();
  }

  /** Scrolls the menu, one line on a phone, to the entry of this page. */
  function showEntry() {
    const entry = document.querySelector(".top .sections [aria-current]")?.getBoundingClientRect();
    const menu = document.querySelector(".top .sections");
    const box = menu?.getBoundingClientRect();
    if (menu && box && entry) menu.scrollLeft += (entry.left + entry.right - box.left - box.right) / 2;
  }

  draw();
  showEntry();
  addEventListener("archiver:words", () => { draw(); showEntry(); });
})();
