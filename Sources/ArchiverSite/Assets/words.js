// Localised strings, numbers and helpers of the other scripts.
"use strict";

/** @type {Record<string, {name: string, words: Record<string, string>}>} filled by languages.js */
var archiverLanguages = archiverLanguages || {};

/** The values that the browser stores for this archive. Storage may be disabled; then choices apply to this page only. */
const archiverMemory = {
  /** @param {string} key */
  read(key) {
    try {
      return localStorage.getItem("archiver." + key);
    } catch {
      return null;
    }
  },
  /** @param {string} key @param {string} value removed if it is empty */
  write(key, value) {
    try {
      if (value) localStorage.setItem("archiver." + key, value);
      else localStorage.removeItem("archiver." + key);
    } catch {}
  },
  /** Returns a stored JSON value; null if it is missing or not JSON. @param {string} key @returns {unknown} */
  value(key) {
    try {
      return JSON.parse(archiverMemory.read(key) ?? "null");
    } catch {
      return null;
    }
  },
  /** The reading positions, newest last, with titles for the start page, and the chapters of books. @returns {[string, number, string?, string?][]} */
  places() {
    const list = archiverMemory.value("places");
    return Array.isArray(list) ? list : [];
  },
};

const archiverUI = (() => {

  /** @param {readonly string[]} wanted */
  function choose(wanted) {
    for (const tag of wanted) {
      const base = tag.toLowerCase().split("-")[0];
      const found = Object.keys(archiverLanguages).find((one) => one.toLowerCase().split("-")[0] === base);
      if (found) return found;
    }
    return "en";
  }

  // If the archive's pages are in another language than English, the user has chosen it.
  const own = document.documentElement.lang;
  let language = choose([archiverMemory.read("language"), own === "en" ? null : own, ...navigator.languages].filter((one) => typeof one === "string"));

  /** Returns the locale for numbers and dates. English dates have the format of the static pages. */
  const locale = () => (language === "en" ? "en-GB" : language);

  /** Returns a string of the current language with its values inserted. @param {string} key @param {...string} values */
  function w(key, ...values) {
    const text = archiverLanguages[language]?.words[key] ?? archiverLanguages.en?.words[key] ?? key;
    return text.replace(/%(\d)/g, (_, digit) => values[Number(digit) - 1] ?? "");
  }

  /** @param {number} value */
  const number = (value) => new Intl.NumberFormat(locale()).format(value);

  /** Returns a string with a number inserted, in its singular form for 1. @param {string} key @param {number} count */
  const counted = (key, count) => (count === 1 && archiverLanguages[language]?.words[key + ".one"]) || w(key, number(count));

  /** @param {number} count */
  function bytes(count) {
    const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"];
    let unit = 0;
    let value = count;
    while (value >= 999.5 && unit < units.length - 1) {
      value /= 1000;
      unit += 1;
    }
    const digits = unit > 0 && value < 9.95 ? 1 : 0;
    return new Intl.NumberFormat(locale(), { style: "unit", unit: units[unit], unitDisplay: unit > 0 ? "short" : "long", maximumFractionDigits: digits }).format(value);
  }

  /** Formats the age of a time. @param {string|null} time */
  function age(time) {
    if (!time) return "";
    const seconds = (Date.parse(time) - Date.now()) / 1000;
    const format = new Intl.RelativeTimeFormat(locale(), { numeric: "auto" });
    /** @type {[Intl.RelativeTimeFormatUnit, number][]} */
    const steps = [["second", 60], ["minute", 60], ["hour", 24], ["day", 30], ["month", 12], ["year", Infinity]];
    let value = seconds;
    for (const [unit, size] of steps) {
      if (Math.abs(value) < size) return format.format(Math.round(value), unit);
      value /= size;
    }
    return "";
  }

  /** Formats a day. @param {number} seconds since 1970 */
  const day = (seconds) => new Intl.DateTimeFormat(locale(), { dateStyle: "long", timeZone: "UTC" }).format(seconds * 1000);

  /**
   * Creates an element; text is inserted as text, never as HTML.
   * @param {string} name
   * @param {Record<string, string|number|boolean|null|undefined|((event: any) => void)>} [attributes] functions handle events, such as "onclick"
   * @param {string|(string|Node)[]} [content]
   * @returns {HTMLElement}
   */
  function el(name, attributes = {}, content = []) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (typeof value === "function") Object.assign(element, { [key]: value });
      else if (value !== null && value !== undefined && value !== false) element.setAttribute(key, value === true ? "" : String(value));
    }
    element.append(...(typeof content === "string" ? [content] : content));
    return element;
  }

  /**
   * Creates a list of choices.
   * @param {Record<string, string>} attributes @param {[value: string, words: string][]} choices @param {string} chosen @param {(value: any) => void} choose
   */
  const select = (attributes, choices, chosen, choose) => el("select", { ...attributes, onchange: ({ target }) => choose(target.value) },
    choices.map(([value, words]) => el("option", { value, selected: value === chosen }, words)));

  /** Creates a field that searches in the page. @param {string} id @param {string} value @param {(text: string) => void} find */
  const field = (id, value, find) => el("input", {
    type: "search", class: "field", id, value, autocomplete: "off", spellcheck: "false", "aria-label": w("search"), placeholder: w("search"),
    oninput: ({ target }) => find(target.value.trim()),
  });

  /** Folds case and accents. @param {string|null|undefined} text */
  const folded = (text) => (text ?? "").normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

  /** Inserts the strings of the current language into the page. */
  function translate() {
    document.documentElement.lang = language;
    for (const element of document.querySelectorAll("[data-w]")) {
      const { w: key, v: value, n: count, d: date } = /** @type {HTMLElement} */ (element).dataset;
      element.textContent = count !== undefined ? counted(key ?? "", Number(count)) : w(key ?? "", date === undefined ? value ?? "" : day(Date.parse(date) / 1000));
    }
    for (const element of document.querySelectorAll("[data-n]:not([data-w]), [data-b]")) {
      const { n: count, b: size, p: before } = /** @type {HTMLElement} */ (element).dataset;
      element.textContent = (before ?? "") + (count === undefined ? bytes(Number(size)) : number(Number(count)));
    }
    for (const chart of /** @type {NodeListOf<SVGElement>} */ (document.querySelectorAll("[data-chart]"))) {
      const bars = [...chart.querySelectorAll("title")].map((title) => title.textContent);
      chart.setAttribute("aria-label", w(chart.dataset.chart ?? "") + ": " + bars.join(", "));
    }
    for (const element of document.querySelectorAll("[data-label]")) {
      element.setAttribute("aria-label", w(/** @type {HTMLElement} */ (element).dataset.label ?? ""));
    }
    const month = new Intl.DateTimeFormat(locale(), { month: "long", year: "numeric", timeZone: "UTC" });
    for (const element of document.querySelectorAll("[data-m]")) {
      const { m: time, v: part } = /** @type {HTMLElement} */ (element).dataset;
      const name = month.format(Date.parse(time + "-01"));
      element.textContent = part ? w("part", name, part) : name;
    }
    for (const time of /** @type {NodeListOf<HTMLTimeElement>} */ (document.querySelectorAll(".items time, .shelf time, time.count"))) {
      time.textContent = day(Date.parse(time.dateTime) / 1000);
    }
  }

  /** @param {string} tag */
  function setLanguage(tag) {
    language = tag;
    archiverMemory.write("language", tag);
    translate();
    dispatchEvent(new Event("archiver:words"));
  }

  translate();
  return { w, counted, number, bytes, age, day, el, select, field, folded, setLanguage, translate, get language() { return language; }, get locale() { return locale(); }, root: document.documentElement.dataset.root ?? "" };
})();
