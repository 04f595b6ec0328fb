// Applies the remembered theme before the page is painted.
"use strict";
(() => {
  try {
    const theme = localStorage.getItem("archiver.theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch {
    // Storage may be forbidden; the system's theme stands then.
  }
})();
