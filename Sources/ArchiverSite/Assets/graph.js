// The graph page: zooms and pans, labels the neighbours of the node at the pointer, shows and hides
// kinds of edges.
"use strict";

/** @typedef {{x: number, y: number, width: number, size: number}} Box a line of text: its middle, its baseline and the size of its letters */

(() => {
  const { el, w } = archiverUI;
  const found = document.getElementById("graph");
  const tools = document.getElementById("graph-tools");
  if (!(found instanceof SVGSVGElement) || !tools) return;
  const svg = found;
  const whole = { x: svg.viewBox.baseVal.x, y: svg.viewBox.baseVal.y, width: svg.viewBox.baseVal.width, height: svg.viewBox.baseVal.height };
  let view = { ...whole };
  const nodes = [...svg.querySelectorAll(".nodes > *")];
  const circles = nodes.map((node) => /** @type {SVGCircleElement} */ (node.querySelector("circle")));
  const paths = /** @type {SVGPathElement[]} */ ([...svg.querySelectorAll(".edge")]);
  const ends = paths.map((path) => (path.dataset.ends ?? "").split(" ").map(Number));
  const near = shape("path", { class: "near" });
  paths.at(-1)?.after(near);
  const label = shape("g", { class: "label" });
  svg.append(label);

  const radii = circles.map((circle) => circle.r.baseVal.value);
  const names = /** @type {SVGGElement|null} */ (svg.querySelector(".names"));
  const letter = Number(names?.getAttribute("font-size") ?? 12);
  /** The names in the full drawing. */
  const still = /** @type {SVGTextElement[]} */ ([...names?.children ?? []]);
  /** Minimum sizes of dots and letters in screen pixels, for a small drawing, such as on a phone. */
  const leastRadius = 3.5, leastLetter = 9, goodLetter = 11;
  const nameLength = 32;
  const nameCount = 45;
  /** The maximum number of names of a node at the pointer and its neighbours. */
  const nearCount = 25;
  const degrees = new Uint32Array(nodes.length);
  for (const list of ends) for (const node of list) degrees[node] += 1;
  const order = nodes.map((_, at) => at).sort((one, other) => degrees[other] - degrees[one] || one - other);
  let isFitting = false;

  /** Creates an element of the drawing. @template {keyof SVGElementTagNameMap} Name @param {Name} name @param {Record<string, string|number>} attributes @param {string} [text] */
  function shape(name, attributes, text = "") {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
    element.textContent = text;
    return element;
  }

  function place() {
    svg.setAttribute("viewBox", `${view.x} ${view.y} ${view.width} ${view.height}`);
    if (isFitting) return;
    isFitting = true;
    requestAnimationFrame(() => {
      isFitting = false;
      fit();
    });
  }

  /** Returns the screen pixels per unit of the drawing. */
  function pixels() {
    const { width, height } = svg.getBoundingClientRect();
    return Math.min(width / view.width, height / view.height) || 1;
  }

  /** Returns the middle of a text, moved so that the text is in the visible part. @param {number} x of its dot @param {number} width of the text */
  function inside(x, width) {
    const middle = view.x + view.width / 2;
    const room = Math.max(0, svg.getBoundingClientRect().width / pixels() - width) / 2;
    return Math.min(middle + room, Math.max(middle - room, x));
  }

  /** Returns the width of a text in letters of a size; East Asian characters and emoji are square. @param {string} text @param {number} size */
  const widthOf = (text, size) => size * [...text].reduce((sum, one) => sum + (one < "\u2e80" ? 0.6 : 1), 0);

  /** Whether a name of the full drawing is in the visible part. @param {SVGTextElement} name */
  function isInside(name) {
    const x = Number(name.getAttribute("x"));
    return inside(x, widthOf(name.textContent ?? "", letter)) === x;
  }

  /** Shortens a title. @param {string} title @param {number} most the number of characters */
  function shortened(title, most) {
    const name = [...title];
    return name.length > most ? name.slice(0, most - 1).join("") + "…" : title;
  }

  /** Whether two texts overlap. @param {Box} one @param {Box} other */
  const overlaps = (one, other) => Math.abs(other.x - one.x) < (other.width + one.width) / 2
    && Math.abs(other.y - one.y) < 1.3 * Math.max(one.size, other.size);

  /** Scales dots more slowly than the drawing, so that zooming in separates them, and labels visible nodes. */
  function fit() {
    const part = Math.min(1, view.width / whole.width);
    const scale = pixels();
    circles.forEach((circle, at) => circle.setAttribute("r", String(Math.max(radii[at] * part ** 0.75, leastRadius / scale))));
    if (!names) return;
    const size = letter * part * scale < leastLetter ? goodLetter / scale : letter * part;
    names.setAttribute("font-size", String(size));
    names.replaceChildren(...(size === letter && still.every(isInside) ? still : seenNames(size)));
  }

  /** Labels visible nodes, those with the most edges first, while there is space. @param {number} size of letters */
  function seenNames(size) {
    /** @type {Box[]} */
    const taken = [];
    /** @type {SVGTextElement[]} */
    const texts = [];
    for (const at of order) {
      if (texts.length === nameCount) break;
      const circle = circles[at];
      const middle = circle.cx.baseVal.value;
      const y = circle.cy.baseVal.value + circle.r.baseVal.value + size;
      if (middle < view.x || middle > view.x + view.width || y < view.y || y > view.y + view.height) continue;
      const short = shortened(circle.querySelector("title")?.textContent ?? "", nameLength);
      const width = widthOf(short, size);
      const x = inside(middle, width);
      if (taken.some((other) => overlaps({ x, y, width, size }, other))) continue;
      taken.push({ x, y, width, size });
      texts.push(shape("text", { x, y }, short));
    }
    return texts;
  }

  /** Zooms by a factor around a point of the drawing. @param {number} factor @param {{x: number, y: number}} [around] */
  function zoom(factor, around) {
    const width = Math.min(whole.width * 1.5, Math.max(whole.width / 60, view.width * factor));
    const real = width / view.width;
    const { x, y } = around ?? { x: view.x + view.width / 2, y: view.y + view.height / 2 };
    view = { x: x - (x - view.x) * real, y: y - (y - view.y) * real, width, height: view.height * real };
    place();
  }

  /** @param {number} x @param {number} y as fractions of the visible part */
  function pan(x, y) {
    view = { ...view, x: view.x + x * view.width, y: view.y + y * view.height };
    place();
  }

  /** @param {MouseEvent} event */
  function point(event) {
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM()?.inverse());
    return { x, y };
  }

  svg.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(1.0015 ** (event.deltaMode === 1 ? event.deltaY * 30 : event.deltaY), point(event));
  }, { passive: false });

  /** @type {{x: number, y: number}|null} */
  let grip = null;
  let moved = false;
  svg.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    grip = point(event);
    moved = false;
  });
  svg.addEventListener("pointermove", (event) => {
    if (!grip || (event.buttons & 1) === 0) { grip = null; return; }
    const now = point(event);
    const [x, y] = [grip.x - now.x, grip.y - now.y];
    if (!moved && Math.hypot(x, y) < view.width / 200) return;
    if (!moved) svg.setPointerCapture(event.pointerId);
    moved = true;
    view = { ...view, x: view.x + x, y: view.y + y };
    place();
  });
  svg.addEventListener("pointerup", () => { grip = null; });
  svg.addEventListener("click", (event) => { if (moved) event.preventDefault(); }, true);
  svg.addEventListener("dragstart", (event) => event.preventDefault());

  /** Highlights a node and its neighbours; none for -1. @param {number} number */
  function point_at(number) {
    const joined = new Set([number]);
    let lines = "";
    if (number >= 0) {
      paths.forEach((path, kind) => {
        if (path.hasAttribute("hidden")) return;
        const list = ends[kind];
        for (let at = 0; at < list.length; at += 2) {
          if (list[at] !== number && list[at + 1] !== number) continue;
          joined.add(list[at]).add(list[at + 1]);
          const [one, other] = [circles[list[at]], circles[list[at + 1]]];
          lines += `M${one.getAttribute("cx")} ${one.getAttribute("cy")}L${other.getAttribute("cx")} ${other.getAttribute("cy")}`;
        }
      });
    }
    near.setAttribute("d", lines);
    svg.classList.toggle("pointing", number >= 0);
    nodes.forEach((node, at) => node.classList.toggle("joined", joined.has(at)));
    label.replaceChildren();
    if (number < 0) return;
    /** @type {Box[]} */
    const taken = [];
    for (const at of [number, ...order.filter((one) => one !== number && joined.has(one))]) {
      if (taken.length === nearCount) break;
      nameNear(at, at === number, taken);
    }
  }

  /** Writes the name of a node above or below its dot, if it overlaps with no other name. @param {number} at @param {boolean} isOwn whether the node is the one at the pointer @param {Box[]} taken receives the place */
  function nameNear(at, isOwn, taken) {
    const scale = 1 / pixels();
    const size = (isOwn ? 14 : 11) * scale;
    const { cx, cy, r } = circles[at];
    // Of the node itself, the whole title if there is space.
    const name = shortened(circles[at].querySelector("title")?.textContent ?? "", isOwn ? 3 * nameLength : nameLength);
    const text = shape("text", { "font-size": size, ...isOwn && { class: "own" } }, name);
    label.append(text);
    const room = svg.getBoundingClientRect().width * scale;
    const full = text.getComputedTextLength();
    if (full > room) text.textContent = shortened(name, Math.floor([...name].length * room / full) - 1);
    const width = Math.min(full, room);
    const x = inside(cx.baseVal.value, width);
    const [middle, away] = [cy.baseVal.value, r.baseVal.value + 4 * scale];
    const y = [middle - away, middle + away + 0.8 * size].find((line) => !taken.some((other) => overlaps({ x, y: line, width, size }, other)));
    if (y === undefined) {
      text.remove();
      return;
    }
    taken.push({ x, y, width, size });
    text.setAttribute("x", String(x));
    text.setAttribute("y", String(y));
  }

  /** @param {Event} event */
  const numberOf = (event) => nodes.findIndex((node) => node.contains(/** @type {Node} */ (event.target)));
  svg.addEventListener("pointerover", (event) => { if (!grip) point_at(numberOf(event)); });
  svg.addEventListener("pointerleave", () => point_at(-1));
  svg.addEventListener("focusin", (event) => point_at(numberOf(event)));
  svg.addEventListener("focusout", () => point_at(-1));

  function draw() {
    /** @type {[string, string, () => void][]} */
    const buttons = [
      ["+", "zoomIn", () => zoom(0.7)], ["−", "zoomOut", () => zoom(1 / 0.7)],
      ["←", "panLeft", () => pan(-0.2, 0)], ["→", "panRight", () => pan(0.2, 0)],
      ["↑", "panUp", () => pan(0, -0.2)], ["↓", "panDown", () => pan(0, 0.2)],
      ["⤢", "zoomAll", () => { view = { ...whole }; place(); }],
    ];
    tools?.replaceChildren(...buttons.map(([sign, words, act]) => el("button", { type: "button", "aria-label": w(words), title: w(words), onclick: act }, sign)));
    for (const entry of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#graph-legend [data-kind]"))) {
      const path = paths.find((one) => one.classList.contains("edge-" + entry.dataset.kind));
      const box = entry.querySelector("input") ?? /** @type {HTMLInputElement} */ (el("input", { type: "checkbox", checked: true }));
      if (!box.parentElement) {
        const line = el("label", {}, [...entry.childNodes]);
        line.prepend(box);
        entry.append(line);
      }
      box.onchange = () => path?.toggleAttribute("hidden", !box.checked);
    }
  }

  draw();
  place();
  addEventListener("archiver:words", draw);
  addEventListener("resize", place);
})();
