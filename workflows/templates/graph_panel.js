"use strict";
// The list of names on the left, and what is known of one node on the right. Text, never markup.

const LISTED = 300, SITES = 4;

function make(tag, content, name) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  for (const part of [content].flat())
    if (part !== undefined && part !== "") element.append(part);
  return element;
}

function dot(node) {
  const found = make("span", "", "dot");
  found.style.background = colourNode(node);
  return found;
}

function nodeRow(node, figure) {
  const name = make("span", node.short, node.live ? "name" : "name dead");
  const row = make("li", [dot(node), name, make("span", figure, "figure")]);
  row.title = node.name + (node.live ? "" : " (dead code)");
  row.dataset.id = node.id;
  return row;
}

function fillList() {
  const list = document.getElementById("list");
  state.found = search(document.getElementById("find").value, shown);
  const total = state.found.length;
  document.getElementById("count").textContent =
    `${total.toLocaleString("en")} ${WORDS.things}${total > LISTED ? `, the first ${LISTED}` : ""}`;
  list.replaceChildren(...state.found.slice(0, LISTED).map((node, place) => {
    const row = nodeRow(node, node.score >= 0.0005 ? percent(node.score) : "");
    row.setAttribute("role", "option");
    row.setAttribute("aria-selected", String(place === state.row));
    return row;
  }));
}

function chooseRow(place) {
  const list = document.getElementById("list"), last = Math.min(state.found.length, LISTED) - 1;
  list.children[state.row]?.setAttribute("aria-selected", "false");
  state.row = Math.max(0, Math.min(place, last));
  const row = list.children[state.row];
  if (!row) return;
  row.setAttribute("aria-selected", "true");
  row.scrollIntoView({ block: "nearest" });
  state.hover = state.where.get(state.found[state.row].id) || null;
  redraw();
}

function fillPanel() {
  const panel = document.getElementById("panel");
  panel.replaceChildren(...(state.focus ? nodePanel(state.focus) : modelPanel()));
  panel.scrollTop = 0;
}

function modelPanel() {
  const count = (test) => nodes.filter(test).length.toLocaleString("en");
  const own = (node) => node.state !== "outside" && node.state !== "variable";
  const rows = [["In the model", count(own)], ["Outside it", count((node) => node.state === "outside")]];
  if (data.graph === "data") rows.push(["Variables", count((node) => node.state === "variable")]);
  rows.push(["Links", data.edges.length.toLocaleString("en")], ["Dead code", count((node) => !node.live)]);
  const top = nodes.filter((node) => node.score > 0).sort((a, b) => b.score - a.score).slice(0, 12);
  return [
    make("h2", data.name), make("p", `${WORDS.what}, ${groups.size.toLocaleString("en")} modules and files`, "soft"),
    table(rows),
    ...(top.length ? [make("h3", "Most worth porting"),
      make("ol", top.map((node) => nodeRow(node, percent(node.score)))),
      make("p", `Share of the model's time (${data.measured ? "measured" : "estimated from trip counts"}) in loops that may run in parallel, less what is unclear.`, "soft")] : []),
    make("p", "Click a tile to see what stands around it.", "soft"),
  ];
}

function table(rows) {
  return make("dl", rows.flatMap(([name, value]) => [make("dt", name), make("dd", value)]));
}

function nodePanel(node) {
  const place = node.file ? `${node.file}:${node.line}` : "outside the model";
  const parts = [make("h2", node.short), make("div", node.name === node.short ? "" : node.name, "soft"),
    make("div", place, "place"), make("span", node.kind, "chip")];
  if (!node.live) parts.push(make("span", "dead code: no program reaches it", "chip"));
  const loops = node.verdicts.reduce((sum, n) => sum + n, 0);
  if (loops) parts.push(verdictBar(node, loops));
  if (node.state !== "outside" && node.state !== "variable")
    parts.push(table([["Worth porting", percent(node.score)], ["Share of time", percent(node.share)],
      ["Open to run", percent(node.open)], ["Clear", percent(node.clarity)],
      ["Statements", node.statements.toLocaleString("en")]]));
  for (const [side, title] of [["into", WORDS.into], ["out", WORDS.out]])
    parts.push(make("h3", `${title} ${node[side].length}`), neighbours(node, side));
  return parts;
}

function verdictBar(node, loops) {
  const bar = make("div", node.verdicts.map((n, i) => {
    const piece = make("span");
    piece.style.cssText = `width: ${100 * n / loops}%; background: ${palette[VERDICT_CLASS[VERDICTS[i]]]}`;
    return piece;
  }), "bar");
  const words = node.verdicts.map((n, i) => n && `${n} ${VERDICTS[i]}`).filter(Boolean).join(", ");
  return make("div", [bar, make("div", `${loops} loop${loops === 1 ? "" : "s"}: ${words}`, "soft")]);
}

function neighbours(node, side, most = 40) {
  const ends = node[side].map((edge) => [side === "into" ? edge.source : edge.target, edge])
    .sort((a, b) => b[0].score - a[0].score || (a[0].name < b[0].name ? -1 : 1));
  const list = make("ol", ends.slice(0, most).map(([other, edge]) => {
    const rest = edge.count - edge.sites.length;
    const sites = edge.sites.join(", ") + (rest > 0 ? ` and ${rest} more` : "");
    const row = make("li", [dot(other), " ", make("span", other.short, other.live ? "" : "dead"),
      make("div", edge.kind === "names" ? "named, not called" : `${edge.kind === "calls" || edge.kind === "uses" ? "" : `${edge.kind} `}${sites}`, "site")]);
    row.dataset.id = other.id;
    row.title = other.name;
    return row;
  }));
  if (ends.length > most) {
    const rest = make("li", `${ends.length - most} more`, "rest");
    rest.addEventListener("click", (event) => {
      event.stopPropagation();
      list.replaceWith(neighbours(node, side, Infinity));
    });
    list.append(rest);
  }
  return list;
}

function fillLegend() {
  const legend = document.getElementById("legend"), rows = [];
  const sample = (colour, words) => {
    const spot = make("span", "", "dot");
    spot.style.background = colour;
    rows.push(make("span", [spot, words]));
  };
  const there = new Set(nodes.map((node) => node.state));
  for (const [name, words] of CLASSES)
    if (there.has(name) && (state.colour === "loops" || name === "outside" || name === "variable"))
      sample(palette[name], words);
  if (state.colour !== "loops") {
    sample(mixed(1), { score: "most worth porting", share: "most time", clarity: "clear" }[state.colour]);
    sample(mixed(0), { score: "least", share: "least", clarity: "doubtful" }[state.colour]);
  }
  legend.replaceChildren(...rows);
}
