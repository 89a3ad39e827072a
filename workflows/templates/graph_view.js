"use strict";
// What is shown, and what keys and the pointer do. The address keeps the focus: #name.

const state = { focus: null, reach: 1, fold: "none", only: "all", colour: "loops", hover: null,
  layout: { items: [], links: [], frames: [] }, where: new Map(), expanded: new Set(), found: [], row: 0 };
const byName = new Map(nodes.map((node) => [node.name, node]));
const FOLDS = ["none", "module", "file"];
const element = (id) => document.getElementById(id);

function shown(node) { return node === state.focus || FILTERS[state.only][1](node); }

function layOut(keep) {
  state.layout = state.focus
    ? columnLayout(state.focus, state.reach, shown, state.fold, state.expanded)
    : mapLayout(size.w, size.h, shown, state.fold);
  state.where = new Map();
  for (const item of state.layout.items)
    for (const node of item.members || [item.node]) state.where.set(node.id, item);
  state.hover = null;
  element("tip").hidden = true;
  if (!keep) {
    if (state.focus) fit(state.layout.items); else Object.assign(view, { x: 0, y: 0, k: 1 });
  }
  redraw();
}

function refresh() {
  element("reach").textContent = `${state.reach} step${state.reach === 1 ? "" : "s"}`;
  element("home").disabled = !state.focus;
  element("fold").textContent = { none: "Collapse", module: "By module", file: "By file" }[state.fold];
  element("fold").setAttribute("aria-pressed", String(state.fold !== "none"));
  element("colour").value = state.colour;
  element("only").value = state.only;
  fillLegend();
  fillPanel();
  layOut(false);
}

function focusOn(node) {
  const hash = node ? `#${encodeURIComponent(node.name)}` : " ";
  if (node !== state.focus) history.pushState(null, "", hash === " " ? location.pathname + location.search : hash);
  readAddress();
}

function readAddress() {
  let name = "";
  try { name = decodeURIComponent(location.hash.slice(1)); } catch { /* a mangled address shows all */ }
  state.focus = byName.get(name) || null;
  state.expanded.clear();
  refresh();
}

const actions = {
  home: () => focusOn(null),
  less: () => { state.reach = Math.max(1, state.reach - 1); refresh(); },
  more: () => { state.reach = Math.min(9, state.reach + 1); refresh(); },
  fold: () => { state.fold = next(FOLDS, state.fold); state.expanded.clear(); refresh(); },
  only: () => { state.only = next(Object.keys(FILTERS), state.only); fillList(); refresh(); },
  colour: () => { state.colour = next(Object.keys(COLOURS), state.colour); fillList(); refresh(); },
  help: () => element("keys").showModal(),
  back: () => history.back(),
  find: () => { element("find").focus(); element("find").select(); },
};
const KEYS = { Escape: "home", "-": "less", "+": "more", "=": "more", c: "fold", d: "only", v: "colour",
  "?": "help", Backspace: "back", "/": "find" };
const next = (all, one) => all[(all.indexOf(one) + 1) % all.length];

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || element("keys").open) return;
  const inside = event.target === element("find");
  if (inside && ["ArrowDown", "ArrowUp"].includes(event.key)) {
    chooseRow(state.row + (event.key === "ArrowDown" ? 1 : -1));
  } else if (inside && event.key === "Enter") {
    if (state.found.length) { focusOn(state.found[state.row] || state.found[0]); canvas.focus(); }
  } else if (inside) {
    if (event.key !== "Escape") return;
    canvas.focus();
  } else if (["SELECT", "BUTTON"].includes(event.target.tagName) && ["Enter", " ", "ArrowUp", "ArrowDown"].includes(event.key)) {
    return;
  } else if (event.key.startsWith("Arrow")) {
    step(event.key);
  } else if (event.key === "Enter") {
    if (state.hover) open(state.hover);
  } else if (KEYS[event.key]) {
    actions[KEYS[event.key]]();
  } else return;
  event.preventDefault();
}

// To the nearest item in a direction, from the one chosen or the focus.
function step(key) {
  const from = state.hover || (state.focus && state.where.get(state.focus.id)) || state.layout.items[0];
  if (!from) return;
  const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
  const [x, y] = middle(from);
  let found = from, least = Infinity;
  for (const item of state.layout.items) {
    const [ix, iy] = middle(item), along = (ix - x) * dx + (iy - y) * dy;
    const across = Math.abs((ix - x) * dy) + Math.abs((iy - y) * dx);
    if (along > 1 && along + 3 * across < least) { least = along + 3 * across; found = item; }
  }
  state.hover = found;
  const [sx, sy] = [middle(found)[0] * view.k + view.x, middle(found)[1] * view.k + view.y];
  if (sx < 0 || sx > size.w) view.x += size.w / 2 - sx;
  if (sy < 0 || sy > size.h) view.y += size.h / 2 - sy;
  redraw();
}

function open(item) {
  if (item.opens) { state.expanded.add(item.opens); layOut(true); }
  else if (item.members) { state.fold = "none"; refresh(); zoomTo(item); }
  else focusOn(item.node);
}

function zoomTo(item) {
  view.k = Math.min(8, 0.8 * Math.min(size.w / item.w, size.h / item.h));
  view.x = size.w / 2 - view.k * middle(item)[0];
  view.y = size.h / 2 - view.k * middle(item)[1];
  redraw();
}

function at(event) {
  const x = (event.offsetX - view.x) / view.k, y = (event.offsetY - view.y) / view.k;
  const inside = (item) => x >= item.x && x <= item.x + item.w && y >= item.y && y <= item.y + item.h;
  return state.layout.items.findLast(inside) || null;
}

function showTip(item, event) {
  const tip = element("tip");
  tip.hidden = !item;
  if (!item) return;
  const node = item.node;
  const lines = node ? [node.name, node.file ? `${node.file}:${node.line}` : "outside the model",
    `${WORDS.into.toLowerCase()} ${node.into.length}, ${WORDS.out.toLowerCase()} ${node.out.length}${node.live ? "" : ", dead code"}`]
    : [item.label, `${item.members.length} ${WORDS.things}; click to open`];
  tip.replaceChildren(...lines.map((line, i) => make("div", line, i ? "soft" : "")));
  const x = Math.min(event.offsetX + 14, size.w - tip.offsetWidth - 8);
  const y = event.offsetY + 18 + tip.offsetHeight > size.h ? event.offsetY - tip.offsetHeight - 10 : event.offsetY + 18;
  Object.assign(tip.style, { left: `${Math.max(4, x)}px`, top: `${Math.max(4, y)}px` });
}

function listenToPointer() {
  let held = null;
  canvas.addEventListener("pointerdown", (event) => {
    held = { x: event.offsetX, y: event.offsetY, moved: false };
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (held) {
      const dx = event.offsetX - held.x, dy = event.offsetY - held.y;
      held.moved ||= Math.abs(dx) + Math.abs(dy) > 4;
      if (held.moved) { view.x += dx; view.y += dy; Object.assign(held, { x: event.offsetX, y: event.offsetY }); redraw(); }
      return;
    }
    const item = at(event);
    canvas.style.cursor = item ? "pointer" : "grab";
    if (item !== state.hover) { state.hover = item; redraw(); }
    showTip(item, event);
  });
  canvas.addEventListener("pointerup", (event) => {
    const item = held && !held.moved ? at(event) : null;
    held = null;
    if (item) open(item);
  });
  canvas.addEventListener("pointercancel", () => { held = null; });
  canvas.addEventListener("pointerleave", () => { state.hover = null; element("tip").hidden = true; redraw(); });
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    const k = Math.min(40, Math.max(0.1, view.k * Math.exp(-event.deltaY * 0.0015)));
    view.x = event.offsetX - (event.offsetX - view.x) * k / view.k;
    view.y = event.offsetY - (event.offsetY - view.y) * k / view.k;
    view.k = k;
    redraw();
  }, { passive: false });
}

function start() {
  element("model").textContent = data.name;
  element("what").textContent = WORDS.what;
  document.title = `${data.name}: ${WORDS.what}`;
  const option = ([value, words]) => Object.assign(make("option", words), { value });
  element("colour").replaceChildren(...Object.entries(COLOURS).map(([name, [words]]) => option([name, words])));
  element("only").replaceChildren(...Object.entries(FILTERS).map(([name, [words]]) => option([name, words])));
  element("colour").addEventListener("change", (event) => { state.colour = event.target.value; fillList(); refresh(); });
  element("only").addEventListener("change", (event) => { state.only = event.target.value; fillList(); refresh(); });
  for (const name of ["home", "less", "more", "fold", "help"]) element(name).addEventListener("click", actions[name]);
  element("find").addEventListener("input", () => { state.row = 0; fillList(); chooseRow(0); });
  for (const place of ["list", "panel"])
    element(place).addEventListener("click", (event) => {
      const row = event.target.closest("[data-id]");
      if (row) focusOn(nodes[row.dataset.id]);
    });
  const keys = [["/", "search; ↑ ↓ choose, Enter shows"], ["← → ↑ ↓", "move in the drawing, Enter opens"],
    ["+ −", "one step more or less around a node"], ["c", "collapse by module, by file, not"],
    ["d", "everything, no dead code, dead code only, no externals"], ["v", "colours"],
    ["Backspace", "back"], ["Esc", "the whole model"], ["wheel, drag", "zoom and move"]];
  element("keys").replaceChildren(make("table", keys.map(([key, words]) =>
    make("tr", [make("td", make("kbd", key)), make("td", words)]))));
  element("keys").addEventListener("click", () => element("keys").close());
  document.addEventListener("keydown", onKey);
  listenToPointer();
  window.addEventListener("popstate", readAddress);
  window.addEventListener("hashchange", readAddress);
  window.addEventListener("resize", () => { resize(); layOut(false); });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { readPalette(); fillList(); refresh(); });
  readPalette();
  resize();
  fillList();
  readAddress();
}

start();
