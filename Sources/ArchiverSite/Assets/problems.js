// Lists sources that fail and items that failed, from library/status.js.
"use strict";

(() => {
  const { el, w, counted, age, day, number } = archiverUI;
  const place = document.getElementById("failures");
  if (!place || typeof archiverStatus === "undefined") return;

  /** @param {string} title @param {[name: string, details: string, reason: string][]} entries */
  const list = (title, entries) => (entries.length === 0 ? [] : [
    el("h2", {}, title),
    el("ul", { class: "ranking" }, entries.map(([name, details, reason]) => el("li", {}, [
      el("span", { class: "what" }, [
        el("strong", { dir: "auto" }, name), " ", el("span", { class: "why" }, details),
        el("br"), el("span", { dir: "auto" }, reason),
      ]),
    ]))),
  ]);

  function draw() {
    const { failures, failureCount, sources } = archiverStatus;
    const down = sources.filter((/** @type {any} */ one) => one.failingSince);
    const none = document.getElementById("none");
    if (none) none.hidden = failureCount + down.length > 0;
    place?.replaceChildren(
      ...list(w("failedSources"), down.map((/** @type {any} */ one) =>
        [one.source, w(one.items > 0 ? "offline" : "offlineEmpty", day(Date.parse(one.failingSince) / 1000)), one.runs[0]?.failure ?? ""])),
      ...list(`${w("failures")} (${number(failureCount)})`, failures.map((/** @type {any} */ one) =>
        [one.title || one.id, [one.source, counted("attempts", one.attempts), one.gaveUp ? w("gaveUp") : one.next ? w("nextAttempt", age(one.next)) : ""].filter(Boolean).join(" · "), one.message])));
  }

  draw();
  addEventListener("archiver:words", draw);
})();
