// The health strip: the status of each source, from library/status.js, with ages as of now.
"use strict";

/**
 * @typedef {object} Run
 * @property {string} started
 * @property {string|null} finished
 * @property {"ok"|"partial"|"sourceFailed"|"interrupted"|"died"|null} outcome
 * @property {string|null} failure
 * @property {number} archived
 * @property {number} failed
 * @property {number} bytes
 */

/**
 * @typedef {object} Source
 * @property {string} source
 * @property {number} items
 * @property {number} bytes
 * @property {number} waiting
 * @property {number} failing
 * @property {number} incomplete
 * @property {string|null} lastSuccess
 * @property {string|null} failingSince
 * @property {Run[]} runs
 */

(() => {
  const { w, counted, age, day, bytes, number, el } = archiverUI;

  /** @param {Source} source @returns {[string, string, string?]} level, sentence, and its beginning, which narrow screens omit */
  function judge(source) {
    const run = source.runs[0];
    if (source.failingSince && run) {
      const why = run.failure ? ": " + run.failure : "";
      return ["bad", w(source.items > 0 ? "offline" : "offlineEmpty", day(Date.parse(source.failingSince) / 1000)) + why];
    }
    if (!run) return ["warn", w("neverRun")];
    if (!run.outcome) return ["warn", w("running", age(run.started))];
    if (run.outcome === "died" || run.outcome === "interrupted") return ["warn", w(run.outcome, age(run.started))];
    const synced = w("synced", age(source.lastSuccess || run.finished || run.started));
    if (source.failing > 0) return ["warn", w("failing", number(source.failing)), synced + ", "];
    const days = (Date.now() - Date.parse(source.lastSuccess || run.started)) / 86400000;
    const lesser = source.incomplete > 0 ? ", " + w("incompleteItems", number(source.incomplete)) : "";
    return [days > 3 ? "warn" : "good", synced + lesser];
  }

  /** @param {Source} source */
  function counts(source) {
    const run = source.runs[0];
    const words = source.items > 0 ? [counted("itemCount", source.items), bytes(source.bytes)] : [];
    if (source.waiting > 0) words.push(counted("waiting", source.waiting));
    if (run && run.archived > 0) words.push(counted("lastRun", run.archived));
    return words.map((one) => " · " + one).join("");
  }

  function show() {
    const place = document.getElementById("health");
    if (!place || typeof archiverStatus === "undefined") return;
    const levels = ["bad", "warn", "good"];
    // What needs attention comes first.
    const judged = archiverStatus.sources.map((/** @type {Source} */ source) => ({ source, verdict: judge(source) }))
      .sort((/** @type {{verdict: string[]}} */ a, /** @type {{verdict: string[]}} */ b) => levels.indexOf(a.verdict[0]) - levels.indexOf(b.verdict[0]));
    const list = judged.map((/** @type {{source: Source, verdict: [string, string, string?]}} */ { source, verdict: [level, sentence, age] }) => el("li", { class: "source " + level }, [
      el("span", { class: "dot", role: "img", "aria-label": w(level) }),
      el("span", { class: "state" }, [
        el("strong", {}, source.source), " ", el("span", { class: "sentence" }, [...(age ? [el("span", { class: "age" }, age)] : []), sentence]),
        el("span", { class: "detail" }, counts(source)),
      ]),
    ]));
    place.replaceChildren(...(list.length ? [el("ul", { "aria-label": w("health") }, list)] : []));
  }

  show();
  addEventListener("archiver:words", show);
})();
