// The history of runs, from library/status.js.
"use strict";

(() => {
  const { el, w, number, bytes } = archiverUI;
  const place = document.getElementById("runs");
  if (!place || typeof archiverStatus === "undefined") return;

  function draw() {
    const runs = archiverStatus.sources.flatMap((/** @type {Source} */ source) => source.runs.map((run) => ({ ...run, source: source.source })))
      .sort((/** @type {Run} */ a, /** @type {Run} */ b) => (a.started < b.started ? 1 : -1)).slice(0, 60);
    if (runs.length === 0) {
      place?.replaceChildren(el("h2", {}, w("runs")), el("p", { class: "why" }, w("noRuns")));
      return;
    }
    const time = new Intl.DateTimeFormat(archiverUI.locale, { dateStyle: "medium", timeStyle: "short" });
    const heads = ["started", "source", "outcome", "duration", "archivedCount", "failedCount", "size"];
    place?.replaceChildren(el("h2", {}, w("runs")), el("div", { class: "chart", tabindex: "0", role: "group", "aria-label": w("runs") }, [
      el("table", {}, [
        el("thead", {}, [el("tr", {}, heads.map((head) => el("th", { scope: "col" }, w(head))))]),
        el("tbody", {}, runs.map((/** @type {Run & {source: string}} */ run) => {
          const seconds = run.finished ? (Date.parse(run.finished) - Date.parse(run.started)) / 1000 : null;
          return el("tr", {}, [
            el("td", {}, [el("time", { datetime: run.started }, time.format(new Date(run.started)))]),
            el("td", {}, run.source),
            el("td", { title: run.failure }, run.outcome ? w("outcome." + run.outcome) : w("running", "")),
            el("td", { class: "number" }, seconds === null ? "" : w("seconds", number(Math.round(seconds)))),
            el("td", { class: "number" }, number(run.archived)),
            el("td", { class: "number" }, number(run.failed)),
            el("td", { class: "number" }, bytes(run.bytes)),
          ]);
        })),
      ]),
    ]));
  }

  draw();
  addEventListener("archiver:words", draw);
})();
