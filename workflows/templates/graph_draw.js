"use strict";
// The canvas: tiles, boxes, links, zoom. Colours come from the style sheet.

const canvas = document.getElementById("canvas"), pen = canvas.getContext("2d");
const view = { x: 0, y: 0, k: 1 };  // screen = world * k + (x, y)
let palette = {}, size = { w: 0, h: 0 }, waiting = false;

function readPalette() {
  const style = getComputedStyle(document.documentElement);
  for (const name of ["page", "card", "ink", "soft", "line", "accent", "select", "low", "high",
    ...CLASSES.map(([name]) => name)]) palette[name] = style.getPropertyValue(`--${name}`).trim();
}

const COLOURS = {
  loops: ["by loops", (node) => palette[node.state]],
  score: ["by worth", (node) => mixed(Math.sqrt(node.score / (best || 1)))],
  share: ["by time", (node) => mixed(Math.sqrt(node.share / (longest || 1)))],
  clarity: ["by clarity", (node) => mixed(node.clarity)],
};
const best = Math.max(...nodes.map((node) => node.score), 0);
const longest = Math.max(...nodes.map((node) => node.share), 0);

function mixed(part) {
  const channel = (hex, i) => parseInt(hex.slice(1 + 2 * i, 3 + 2 * i), 16);
  return `rgb(${[0, 1, 2].map((i) => Math.round(channel(palette.low, i)
    + (channel(palette.high, i) - channel(palette.low, i)) * part)).join(" ")})`;
}

const isDark = (colour) => {
  const [r, g, b] = colour.startsWith("#") ? [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16))
    : colour.match(/\d+/g).map(Number);
  return 0.299 * r + 0.587 * g + 0.114 * b < 125;
};

function resize() {
  const ratio = window.devicePixelRatio || 1;
  size = { w: canvas.clientWidth, h: canvas.clientHeight };
  canvas.width = Math.round(size.w * ratio);
  canvas.height = Math.round(size.h * ratio);
}

// Zoom so that all items are seen, boxes never larger than life.
function fit(items) {
  if (!items.length) return;
  const left = Math.min(...items.map((item) => item.x)), top = Math.min(...items.map((item) => item.y));
  const right = Math.max(...items.map((item) => item.x + item.w));
  const bottom = Math.max(...items.map((item) => item.y + item.h));
  const k = Math.min(1, (size.w - 40) / (right - left), (size.h - 90) / (bottom - top));
  view.k = Math.max(0.5, k);
  view.x = size.w / 2 - view.k * (left + right) / 2;
  view.y = (size.h - 46) / 2 - view.k * (top + bottom) / 2;
}

function redraw() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => { waiting = false; paint(); });
}

function paint() {
  const ratio = window.devicePixelRatio || 1;
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.fillStyle = palette.page;
  pen.fillRect(0, 0, size.w, size.h);
  pen.translate(view.x, view.y);
  pen.scale(view.k, view.k);
  if (state.focus) paintColumns(); else paintMap();
}

function paintMap() {
  const { items, frames } = state.layout, near = hot();
  for (const item of items) {
    if (!visible(item)) continue;
    const colour = colourOf(item);
    pen.globalAlpha = !near || near.has(item) ? 1 : 0.3;
    pen.fillStyle = colour;
    pen.fillRect(item.x, item.y, item.w, item.h);
    const height = item.h * view.k, width = item.w * view.k;
    if (height > 13 && width > 34) label(item, colour, Math.min(11.5, height - 3) / view.k);
  }
  pen.globalAlpha = 1;
  pen.textBaseline = "middle";
  for (const frame of frames) {
    if (!visible(frame) || frame.w * view.k < 40) continue;
    text(frame.label, frame.x + 2, frame.y + 8, frame.w - 4, 11, palette.soft, 600);
  }
  if (state.hover) { outline(state.hover, 2); paintTies(); }
}

// Lines on the map from the node under the pointer to its neighbours.
function paintTies() {
  const node = state.hover.node;
  if (!node) return;
  for (const [side, colour] of [["into", palette.partly], ["out", palette.accent]])
    for (const edge of node[side]) {
      const other = state.where.get((side === "into" ? edge.source : edge.target).id);
      if (!other || other === state.hover) continue;
      const [from, to] = side === "into" ? [other, state.hover] : [state.hover, other];
      curve(middle(from), middle(to), colour, 1.4 / view.k);
      outline(other, 1.2);
    }
}

const middle = (item) => [item.x + item.w / 2, item.y + item.h / 2];

function curve([x1, y1], [x2, y2], colour, width) {
  const bend = 0.14, mx = (x1 + x2) / 2 - bend * (y2 - y1), my = (y1 + y2) / 2 + bend * (x2 - x1);
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  pen.beginPath();
  pen.moveTo(x1, y1);
  pen.quadraticCurveTo(mx, my, x2, y2);
  pen.stroke();
}

function paintColumns() {
  const { items, links } = state.layout, near = hot();
  for (const link of links) {
    const inward = Math.abs(link.source.step) !== Math.abs(link.target.step)
      && Math.abs(link.source.step - link.target.step) === 1;
    const lit = state.hover && (link.source === state.hover || link.target === state.hover);
    if (!lit && (!inward || state.hover)) {
      if (!inward) continue;
      pen.globalAlpha = 0.25;
    }
    wire(link, lit);
    pen.globalAlpha = 1;
  }
  for (const item of items) {
    if (!visible(item)) continue;
    pen.globalAlpha = !near || near.has(item) ? 1 : 0.35;
    paintBox(item);
  }
  pen.globalAlpha = 1;
}

function wire({ source, target, edges }, lit) {
  const back = target.x < source.x;
  const x1 = back ? source.x : source.x + source.w, x2 = back ? target.x + target.w : target.x;
  const y1 = source.y + source.h / 2, y2 = target.y + target.h / 2;
  const level = Math.abs(source.x - target.x) < 1, reach = level ? 40 : Math.max(30, Math.abs(x2 - x1) / 2);
  const end = level ? source.x + source.w : x2;
  pen.strokeStyle = lit ? palette.accent : palette.soft;
  pen.lineWidth = lit ? 1.8 : 0.9;
  pen.setLineDash(edges.every((edge) => edge.kind === "names") ? [4, 3] : []);
  pen.beginPath();
  pen.moveTo(x1, y1);
  pen.bezierCurveTo(x1 + (back ? -reach : reach), y1, end + (back || level ? reach : -reach), y2, end, y2);
  pen.stroke();
  pen.setLineDash([]);
  const tip = back || level ? 1 : -1;
  pen.fillStyle = pen.strokeStyle;
  pen.beginPath();
  pen.moveTo(end, y2);
  pen.lineTo(end + 6 * tip, y2 - 3.2);
  pen.lineTo(end + 6 * tip, y2 + 3.2);
  pen.fill();
}

function paintBox(item) {
  const chosen = item.node && item.node === state.focus, colour = colourOf(item);
  pen.fillStyle = chosen ? palette.select : palette.card;
  pen.strokeStyle = item === state.hover || chosen ? palette.accent : palette.line;
  pen.lineWidth = item === state.hover || chosen ? 1.8 : 1;
  pen.setLineDash(item.node && !item.node.live ? [4, 3] : []);
  if (item.members) {
    pen.beginPath();
    pen.roundRect(item.x + 3, item.y + 3, item.w, item.h, 6);
    pen.fill();
    pen.stroke();
  }
  pen.beginPath();
  pen.roundRect(item.x, item.y, item.w, item.h, 6);
  pen.fill();
  pen.stroke();
  pen.setLineDash([]);
  pen.fillStyle = colour;
  pen.beginPath();
  pen.roundRect(item.x, item.y, 6, item.h, [6, 0, 0, 6]);
  pen.fill();
  const figure = item.members ? `${item.members.length}`
    : item.node.score >= 0.001 && state.colour !== "loops" ? percent(item.node.score) : "";
  let room = item.w - 20;
  if (figure) {
    pen.font = font(11, 400);
    pen.fillStyle = palette.soft;
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    pen.fillText(figure, item.x + item.w - 8, item.y + item.h / 2 + 0.5);
    pen.textAlign = "left";
    room -= pen.measureText(figure).width + 8;
  }
  text(item.label, item.x + 13, item.y + item.h / 2 + 0.5, room, 12.5,
    item.rest ? palette.accent : palette.ink, chosen ? 650 : 450);
}

function colourOf(item) {
  if (item.node) return colourNode(item.node);
  const members = item.members;
  if (state.colour !== "loops")
    return colourNode(members.reduce((a, b) => (b.score > a.score ? b : a)));
  const tally = new Map();
  for (const node of members) tally.set(node.state, (tally.get(node.state) || 0) + 1 + node.statements);
  tally.delete(tally.size > 1 ? "none" : "");
  return palette[[...tally].reduce((a, b) => (b[1] > a[1] ? b : a))[0]];
}

function colourNode(node) {
  if (node.state === "outside" || node.state === "variable") return palette[node.state];
  return COLOURS[state.colour][1](node);
}

// What stays bright while the pointer is on something: it and its neighbours.
function hot() {
  if (!state.hover || !state.hover.node && !state.focus) return null;
  const found = new Set([state.hover]);
  if (state.focus) {
    for (const { source, target } of state.layout.links)
      if (source === state.hover || target === state.hover) { found.add(source); found.add(target); }
    return found;
  }
  for (const edge of [...state.hover.node.into, ...state.hover.node.out])
    for (const end of [edge.source, edge.target])
      if (state.where.has(end.id)) found.add(state.where.get(end.id));
  return found;
}

const visible = (item) => (item.x + item.w) * view.k + view.x > 0 && item.x * view.k + view.x < size.w
  && (item.y + item.h) * view.k + view.y > 0 && item.y * view.k + view.y < size.h;

function outline(item, width) {
  pen.strokeStyle = palette.ink;
  pen.lineWidth = width / view.k;
  pen.strokeRect(item.x, item.y, item.w, item.h);
}

const font = (pixels, weight) => `${weight} ${pixels}px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif`;

function label(item, colour, pixels) {
  pen.textBaseline = "middle";
  text(item.label, item.x + 4 / view.k, item.y + Math.min(item.h / 2, 9 / view.k), item.w - 6 / view.k, pixels,
    isDark(colour) ? "#ffffff" : "#141a22", 450);
}

// One line of text, shortened to `room`.
function text(words, x, y, room, pixels, colour, weight) {
  if (room < pixels) return;
  pen.font = font(pixels, weight);
  pen.fillStyle = colour;
  pen.textBaseline = "middle";
  let shown = words;
  const width = pen.measureText(words).width;
  if (width > room) {
    const letters = Math.floor(words.length * room / width) - 2;
    if (letters < 1) return;
    shown = `${words.slice(0, letters)}…`;
  }
  pen.fillText(shown, x, y);
}
