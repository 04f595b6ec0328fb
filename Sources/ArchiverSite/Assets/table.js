"use strict";
(() => {
  const word = document.currentScript.dataset.filter;
  // The one number of a text; NaN where it has none or several.
  const number = text => {
    const found = text.match(/[0-9][0-9.,]*(?:[eE][+-]?[0-9]+)?/g) ?? [];
    if (found.length !== 1) return NaN;
    const sign = text.slice(0, text.indexOf(found[0])).replace(/\p{L}.*/su, "");
    return Number(found[0].replace(/,/g, "")) * (/[-\u2212]/.test(sign) ? -1 : 1);
  };
  const value = cell => {
    if (!cell) return "";
    const time = cell.querySelector("time");
    if (time && time.dateTime) return time.dateTime;
    // By its words, not by the picture before them.
    const icon = cell.querySelector(".n-icon");
    const text = cell.textContent.trim();
    return icon && text.startsWith(icon.textContent.trim())
      ? text.slice(icon.textContent.trim().length).trim() : text;
  };
  const compare = (a, b) => {
    // What is empty comes last, whichever way round.
    const x = number(a.key), y = number(b.key);
    const order = a.letters === b.letters && !isNaN(x) && !isNaN(y)
      ? x - y : a.key.localeCompare(b.key, undefined, { numeric: true, sensitivity: "base" });
    return order || a.index - b.index;
  };
  const sort = (table, head, column) => {
    const body = table.tBodies[0];
    const down = head.getAttribute("aria-sort") === "ascending";
    const rows = [...body.rows].map((row, index) => {
      const key = value(row.cells[column]);
      // Numbers may have a currency or a unit, all the same one; names with numbers are no numbers.
      return { row, key, index, letters: key.replace(/[0-9][eE][+-]?[0-9]|\P{L}/gu, "") };
    });
    const full = rows.filter(entry => entry.key !== "").sort(compare);
    if (down) full.reverse();
    const empty = rows.filter(entry => entry.key === "");
    for (const other of head.parentNode.cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    body.append(...full.concat(empty).map(entry => entry.row));
  };
  const filter = (table, text) => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of table.tBodies[0].rows) {
      const all = row.textContent.toLowerCase();
      row.hidden = !words.every(word => all.includes(word));
    }
  };
  for (const table of document.querySelectorAll(".body table")) {
    const heads = table.tHead && table.tHead.rows[0] ? [...table.tHead.rows[0].cells] : [];
    if (!table.tBodies[0] || table.tBodies[0].rows.length < 2) continue;
    if (!heads.length || heads.some(head => head.scope !== "col")) continue;
    if (table.tBodies[0].rows[0].cells[0].scope !== "row") continue;
    heads.forEach((head, column) => {
      head.tabIndex = 0;
      head.classList.add("sorts");
      head.addEventListener("click", () => sort(table, head, column));
      head.addEventListener("keydown", event => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        sort(table, head, column);
      });
    });
    if (table.tBodies[0].rows.length < 8) continue;
    const field = document.createElement("input");
    field.type = "search";
    field.className = "filters";
    field.placeholder = word;
    field.setAttribute("aria-label", word);
    field.addEventListener("input", () => filter(table, field.value));
    table.before(field);
  }
})();
