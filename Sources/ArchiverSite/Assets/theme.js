// Applies the stored theme before the page is painted.
"use strict";
(() => {
  try {
    const theme = localStorage.getItem("archiver.theme");
    if (theme === "light" || theme === "sepia" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch {
    // Storage may be disabled; then the system's theme applies.
  }
})();
