// Lists what failed, from library/status.js.
"use strict";

(() => {
  const { el, w, counted, age, number } = archiverUI;
  const place = document.getElementById("failures");
  if (!place || typeof archiverStatus === "undefined") return;

  function draw() {
    const { failures, failureCount } = archiverStatus;
    if (failureCount === 0) return;
    document.getElementById("none")?.remove();
    place?.replaceChildren(
      el("h2", {}, `${w("failures")} (${number(failureCount)})`),
      el("ul", { class: "ranking" }, failures.map((/** @type {any} */ one) => el("li", {}, [
        el("span", { class: "what" }, [
          el("strong", { dir: "auto" }, one.title || one.id), " ",
          el("span", { class: "why" }, [one.source, counted("attempts", one.attempts), one.gaveUp ? w("gaveUp") : one.next ? w("nextAttempt", age(one.next)) : ""].filter(Boolean).join(" · ")),
          el("br"), el("span", { dir: "auto" }, one.message),
        ]),
      ]))));
  }

  draw();
  addEventListener("archiver:words", draw);
})();
