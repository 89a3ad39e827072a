"use strict";
// Where things stand: a map of the whole model, and columns around one node.

const BOX = { width: 176, height: 26, gap: 7 };
const MOST_IN_COLUMN = 24;

// Squarified treemap (Bruls, Huizing and van Wijk, 2000): `items` with `weight`, largest first.
function squarify(items, x, y, width, height, place) {
  let start = 0, total = items.reduce((sum, item) => sum + item.weight, 0);
  while (start < items.length && width > 0 && height > 0) {
    const side = Math.min(width, height), scale = width * height / total;
    let sum = 0, end = start, worst = Infinity;
    while (end < items.length) {
      const next = sum + items[end].weight, area = next * scale;
      const largest = items[start].weight * scale, smallest = items[end].weight * scale;
      const ratio = Math.max(side * side * largest / (area * area), area * area / (side * side * smallest));
      if (ratio > worst) break;
      worst = ratio; sum = next; end++;
    }
    const depth = sum * scale / side;
    let offset = 0;
    for (let i = start; i < end; i++) {
      const length = items[i].weight * scale / depth;
      if (width >= height) place(items[i], x, y + offset, depth, length);
      else place(items[i], x + offset, y, length, depth);
      offset += length;
    }
    if (width >= height) { x += depth; width -= depth; } else { y += depth; height -= depth; }
    total -= sum; start = end;
  }
}

// A tile for every node shown, or for every group when folded, and a frame for every group.
function mapLayout(width, height, shown, fold) {
  const found = new Map();
  for (const node of nodes) {
    if (!shown(node)) continue;
    const key = fold === "file" ? node.file || node.group : node.group;
    if (!found.has(key)) found.set(key, []);
    found.get(key).push({ node, weight: 3 + Math.sqrt(node.statements) });
  }
  const frames = [...found].map(([label, members]) => ({ label, members,
    weight: members.reduce((sum, item) => sum + item.weight, 0) })).sort((a, b) => b.weight - a.weight);
  const items = [], pad = frames.length > 400 ? 0.5 : 1.5;
  squarify(frames, 8, 8, width - 16, height - 60, (frame, x, y, w, h) => {
    Object.assign(frame, { x: x + pad, y: y + pad, w: w - 2 * pad, h: h - 2 * pad });
    const titled = frame.w > 56 && frame.h > 30 && frame.members.length > 1;
    frame.head = titled ? 15 : 0;
    if (fold !== "none") {
      items.push({ members: frame.members.map((item) => item.node), label: frame.label, ...box(frame) });
      return;
    }
    frame.members.sort((a, b) => b.weight - a.weight);
    squarify(frame.members, frame.x, frame.y + frame.head, frame.w, frame.h - frame.head,
      (item, ix, iy, iw, ih) => items.push({ node: item.node, label: item.node.short,
        x: ix + 0.5, y: iy + 0.5, w: Math.max(0.5, iw - 1), h: Math.max(0.5, ih - 1) }));
  });
  return { items, frames: fold === "none" ? frames.filter((frame) => frame.head) : [], links: [] };
}

const box = ({ x, y, w, h }) => ({ x, y, w, h });

// The neighbourhood of a node in columns: what leads to it on the left, what it leads to on the right.
function columnLayout(focus, reach, shown, fold, expanded) {
  const level = neighbourhood(focus, reach, shown), columns = new Map();
  for (const [id, step] of level) {
    if (!columns.has(step)) columns.set(step, []);
    columns.get(step).push(nodes[id]);
  }
  const items = [], holder = new Map();
  for (const [step, members] of columns)
    for (const item of columnItems(members, step, fold, expanded, focus)) {
      item.step = step;
      items.push(item);
      for (const node of item.members || [item.node]) holder.set(node.id, item);
    }
  const links = linksBetween(holder);
  arrange(items, links, reach);
  return { items, links, frames: [] };
}

function columnItems(members, step, fold, expanded, focus) {
  if (step === 0) return [{ node: focus, label: focus.short }];
  members.sort((a, b) => b.score - a.score || b.degree - a.degree || (a.name < b.name ? -1 : 1));
  const found = [];
  if (fold !== "none") {
    const byGroup = new Map();
    for (const node of members) {
      const key = fold === "file" ? node.file || node.group : node.group;
      if (!byGroup.has(key)) byGroup.set(key, []);
      byGroup.get(key).push(node);
    }
    for (const [key, inside] of byGroup) {
      if (inside.length === 1 || expanded.has(`${step} ${key}`))
        found.push(...inside.map((node) => ({ node, label: node.short })));
      else found.push({ members: inside, label: key, opens: `${step} ${key}` });
    }
  } else found.push(...members.map((node) => ({ node, label: node.short })));
  const most = expanded.has(`${step}`) ? Infinity : MOST_IN_COLUMN;
  if (found.length <= most + 1) return found;
  const rest = found.slice(most).flatMap((item) => item.members || [item.node]);
  return [...found.slice(0, most), { members: rest, label: "more", opens: `${step}`, rest: true }];
}

// Links between items, each once, with what it is made of.
function linksBetween(holder) {
  const found = new Map();
  for (const [id, source] of holder)
    for (const edge of nodes[id].out) {
      const target = holder.get(edge.target.id);
      if (!target || target === source) continue;
      if (!found.has(source)) found.set(source, new Map());
      const targets = found.get(source);
      if (!targets.has(target)) targets.set(target, []);
      targets.get(target).push(edge);
    }
  return [...found].flatMap(([source, targets]) =>
    [...targets].map(([target, edges]) => ({ source, target, edges })));
}

// Columns ordered by the mean place of their neighbours one column inward (Sugiyama's barycentres).
function arrange(items, links, reach) {
  const columns = new Map();
  for (const item of items) {
    if (!columns.has(item.step)) columns.set(item.step, []);
    columns.get(item.step).push(item);
  }
  const near = new Map(items.map((item) => [item, []]));
  const pace = BOX.width + Math.max(46, 100 - 14 * (columns.size - 1));
  for (const { source, target } of links) { near.get(source).push(target); near.get(target).push(source); }
  for (let distance = 0; distance <= reach; distance++)
    for (const step of new Set([-distance, distance])) {
      const column = columns.get(step);
      if (!column) continue;
      for (const item of column) {
        const inward = near.get(item).filter((other) => Math.abs(other.step) === distance - 1 && "y" in other);
        item.mean = inward.length ? inward.reduce((sum, other) => sum + other.y, 0) / inward.length : 0;
      }
      if (distance) column.sort((a, b) => !!a.rest - !!b.rest || a.mean - b.mean);
      const pitch = BOX.height + BOX.gap, top = -(column.length - 1) * pitch / 2;
      column.forEach((item, row) => Object.assign(item, { x: step * pace - BOX.width / 2,
        y: top + row * pitch - BOX.height / 2, w: BOX.width, h: BOX.height }));
    }
}
