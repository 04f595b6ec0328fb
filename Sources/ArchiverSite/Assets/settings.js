// Chooses language and theme.
"use strict";

(() => {
  const { w, select } = archiverUI;
  const place = document.getElementById("settings");
  if (!place) return;

  /** @param {string} value */
  function setTheme(value) {
    if (value) document.documentElement.dataset.theme = value;
    else delete document.documentElement.dataset.theme;
    archiverMemory.write("theme", value);
  }

  function draw() {
    const had = document.activeElement?.id;
    const themes = ["", "light", "sepia", "dark"].map((one) => /** @type {[string, string]} */ ([one, w("theme." + (one || "system"))]));
    const languages = Object.entries(archiverLanguages).map(([tag, { name }]) => /** @type {[string, string]} */ ([tag, name]));
    place?.replaceChildren(
      select({ id: "language", "aria-label": w("language") }, languages, archiverUI.language, archiverUI.setLanguage),
      select({ id: "theme", "aria-label": w("theme") }, themes, document.documentElement.dataset.theme ?? "", setTheme));
    for (const option of /** @type {NodeListOf<HTMLOptionElement>} */ (place?.querySelectorAll("#language option"))) option.lang = option.value;
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
