"use strict";
(() => {
  const word = document.currentScript.dataset.filter;
  const number = text => {
    const plain = text.replace(/[^0-9.eE+-]/g, "");
    return /[0-9]/.test(plain) ? Number(plain) : NaN;
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
    const order = a.numeric && b.numeric && !isNaN(x) && !isNaN(y)
      ? x - y : a.key.localeCompare(b.key, undefined, { numeric: true, sensitivity: "base" });
    return order || a.index - b.index;
  };
  const sort = (table, head, column) => {
    const body = table.tBodies[0];
    const down = head.getAttribute("aria-sort") === "ascending";
    const rows = [...body.rows].map((row, index) => {
      const key = value(row.cells[column]);
      return { row, key, index, numeric: /^[^A-Za-z]*$/.test(key) };
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
    if (table.tBodies[0].rows.length < 5) continue;
    const field = document.createElement("input");
    field.type = "search";
    field.className = "filters";
    field.placeholder = word;
    field.setAttribute("aria-label", word);
    field.addEventListener("input", () => filter(table, field.value));
    table.before(field);
  }
})();
