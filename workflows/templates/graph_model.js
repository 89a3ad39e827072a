"use strict";
// The graph as the page uses it: nodes with their neighbours, classes, neighbourhoods, searches.

const data = JSON.parse(document.getElementById("data").textContent);
const CLASSES = [
  ["ready", "may run in parallel"], ["partly", "partly"], ["not", "not as it stands"],
  ["device", "on a device already"], ["none", "no loops"], ["outside", "outside the model"],
  ["variable", "variable"],
];
const VERDICTS = ["parallel", "reduction", "atomic", "rewrite", "serial", "host", "unknown"];
const VERDICT_CLASS = { parallel: "ready", reduction: "ready", atomic: "ready", rewrite: "partly",
  serial: "not", host: "not", unknown: "none" };
const WORDS = {
  call: { what: "calls", into: "Called by", out: "Calls", things: "procedures" },
  use: { what: "module use", into: "Used by", out: "Uses", things: "units" },
  data: { what: "data flow", into: "Comes from", out: "Goes to", things: "procedures and variables" },
}[data.graph];

const nodes = data.nodes.map((row, id) => {
  const [name, label, kind, group, file, line, statements, live, state, share, open, clarity, score, verdicts] = row;
  const short = label || name.slice(name.lastIndexOf("::") + 1).replace(/^:+/, "");
  return { id, name, short, kind, group: data.groups[group], file: data.files[file], line, statements,
    live: !!live, state, share, open, clarity, score, verdicts, into: [], out: [], degree: 0 };
});
for (const [source, target, kind, count, sites] of data.edges) {
  const edge = { source: nodes[source], target: nodes[target], kind, count,
    sites: sites.map(([file, line]) => `${data.files[file]}:${line}`) };
  edge.source.out.push(edge);
  edge.target.into.push(edge);
  edge.source.degree++;
  edge.target.degree++;
}
const groups = new Map();
for (const node of nodes) {
  if (!groups.has(node.group)) groups.set(node.group, []);
  groups.get(node.group).push(node);
}

const FILTERS = {
  all: ["everything", () => true],
  live: ["without dead code", (node) => node.live],
  dead: ["dead code only", (node) => !node.live],
  inside: ["without externals", (node) => node.state !== "outside"],
};

// Nodes within `reach` steps: id -> level, negative on the way back (callers), positive onward.
function neighbourhood(focus, reach, shown) {
  const level = new Map([[focus.id, 0]]);
  for (const [side, sign] of [["into", -1], ["out", 1]]) {
    let edge = [focus];
    for (let step = 1; step <= reach && edge.length; step++) {
      const next = [];
      for (const node of edge)
        for (const link of node[side]) {
          const other = side === "into" ? link.source : link.target;
          if (!level.has(other.id) && shown(other)) { level.set(other.id, sign * step); next.push(other); }
        }
      edge = next;
    }
  }
  return level;
}

// Nodes whose name holds the words, whole short names first, then by worth.
function search(text, shown) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = nodes.filter((node) => shown(node)
    && words.every((word) => node.name.toLowerCase().includes(word) || node.file.toLowerCase().includes(word)));
  const grade = (node) => !words.length ? 0 : node.short.toLowerCase() === words[0] ? 0
    : node.short.toLowerCase().startsWith(words[0]) ? 1 : node.name.toLowerCase().includes(words[0]) ? 2 : 3;
  return found.sort((a, b) => grade(a) - grade(b) || b.score - a.score || b.degree - a.degree
    || (a.name < b.name ? -1 : 1));
}

function percent(part) {
  if (part > 0 && part < 0.001) return "<0.1 %";
  return `${(100 * part).toFixed(part >= 0.9995 ? 0 : 1)} %`;
}
