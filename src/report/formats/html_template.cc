// The page of html_report: markup, style and script. The script only draws what is in the data.
#include "report/formats/html_report.h"

namespace mazurka {

const char kHtmlTemplate[] = R"html(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Mazurka</title>
<style>
:root { --ink: #1d2433; --dim: #6b7385; --line: #d9dde5; --paper: #fff; --soft: #f5f6f9; --red: #b3261e;
  --green: #1b7f4b; --amber: #a96500; --blue: #2257c4; --mark: #fff3c4; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e7ee; --dim: #9aa3b5; --line: #363d4d; --paper: #171b24; --soft: #1f2430; --red: #ff8a80;
    --green: #6fd6a0; --amber: #ffc46b; --blue: #8db4ff; --mark: #4a4220; }
}
* { box-sizing: border-box; }
body { margin: 0; font: 15px/1.45 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
header { padding: 14px 22px; border-bottom: 1px solid var(--line); }
h1 { font-size: 16px; margin: 0 0 4px; font-weight: 600; }
h1 code { font-weight: 400; }
.word { font-weight: 700; text-transform: uppercase; letter-spacing: .04em; margin-right: .4em; }
.error { color: var(--red); } .ok { color: var(--green); } .incomplete { color: var(--amber); }
.dim { color: var(--dim); }
nav { padding: 8px 22px 0; display: flex; gap: 6px; flex-wrap: wrap; }
nav button.on { border-color: var(--blue); color: var(--blue); }
button { font: inherit; padding: 3px 11px; border: 1px solid var(--line); border-radius: 6px; background: var(--soft);
  color: inherit; cursor: pointer; }
button:disabled { opacity: .45; cursor: default; }
main { display: grid; grid-template-columns: minmax(0, 1.15fr) minmax(0, 1fr); gap: 18px; padding: 10px 22px 24px; }
@media (max-width: 900px) { main { grid-template-columns: minmax(0, 1fr); } }
h2 { font-size: 15px; margin: 6px 0; overflow-wrap: anywhere; }
.bar { display: flex; gap: 8px; align-items: center; margin: 8px 0; flex-wrap: wrap; }
#diagram { position: relative; overflow-x: auto; border: 1px solid var(--line); border-radius: 8px; }
#grid { display: grid; position: relative; font: 13px/1.3 ui-monospace, monospace; }
#grid > div { padding: 5px 9px; min-width: 0; }
.head { font-weight: 700; border-bottom: 1px solid var(--line); background: var(--soft); }
.number { color: var(--dim); text-align: right; }
.step { border-radius: 6px; cursor: pointer; border: 1px solid var(--line); background: var(--paper); margin: 3px 7px;
  overflow-wrap: anywhere; position: relative; z-index: 2; }
.step.preempts { border-left: 4px solid var(--blue); }
.step.critical { border-color: var(--amber); border-width: 2px; }
.step.plain { opacity: .6; }
.step.on { background: var(--mark); outline: 2px solid var(--blue); }
.step.later { opacity: .35; }
.end { color: var(--red); font-style: italic; cursor: pointer; }
svg { position: absolute; left: 0; top: 0; pointer-events: none; z-index: 1; }
svg path { fill: none; stroke: var(--dim); stroke-width: 1.3; }
svg path.on { stroke: var(--blue); stroke-width: 2.2; }
svg marker path { fill: var(--dim); stroke: none; }
#source { border: 1px solid var(--line); border-radius: 8px; overflow: auto; max-height: 76vh; position: sticky; top: 10px; }
#source pre { margin: 0; font: 13px/1.5 ui-monospace, monospace; }
#source .file { padding: 6px 10px; background: var(--soft); border-bottom: 1px solid var(--line); font-size: 13px;
  overflow-wrap: anywhere; position: sticky; top: 0; }
#source .row { display: block; padding: 0 10px; white-space: pre; }
#source .row.on { background: var(--mark); font-weight: 600; }
#source .row span { display: inline-block; width: 3.4em; color: var(--dim); user-select: none; }
code { font-family: ui-monospace, monospace; overflow-wrap: anywhere; }
</style>
</head>
<body>
<header>
  <h1>mazurka check <code id="command"></code></h1>
  <div><span id="word" class="word"></span><span id="verdict"></span></div>
  <div id="counts" class="dim"></div>
</header>
<nav id="findings"></nav>
<main id="main" hidden>
  <section>
    <h2 id="message"></h2>
    <p id="why"></p>
    <div class="bar">
      <button id="first" title="Home">first</button><button id="back" title="Left">back</button>
      <button id="next" title="Right">next</button><button id="last" title="End">last</button>
      <span id="where" class="dim"></span>
    </div>
    <div id="diagram"><div id="grid"></div></div>
    <p class="dim">Blue edge: a preemption. Thick edge: the critical step, until which it could have ended well.
      Arrows: what must come before what.</p>
    <p id="replay"></p>
  </section>
  <section id="source"></section>
</main>
<script>
"use strict";
const data = /*data*/null;
const $ = (id) => document.getElementById(id);
const make = (tag, name, text) => {
  const made = document.createElement(tag);
  if (name) made.className = name;
  if (text !== undefined) made.textContent = text;
  return made;
};
let finding = null;  // the present one
let at = 0;          // its present step; the number of steps: where the threads stand in the end

function showHeader() {
  document.title = "Mazurka: " + data.command;
  $("command").textContent = data.command;
  $("word").textContent = data.word;
  $("word").classList.add(data.word);
  $("verdict").textContent = data.verdict.slice(data.verdict.indexOf(":") + 1).trim();
  $("counts").textContent = data.executions + " executions, " + data.transitions + " transitions, depth " + data.depth +
    ", " + data.seconds.toFixed(2) + " s, search " + data.search;
  data.findings.forEach((one, i) => {
    const button = make("button", "", one.kind + " " + (i + 1));
    button.onclick = () => choose(i, one.steps.length);
    $("findings").append(button);
  });
}

function choose(number, step) {
  finding = data.findings[number];
  [...$("findings").children].forEach((button, i) => button.classList.toggle("on", i === number));
  $("main").hidden = false;
  $("message").textContent = finding.kind + ": " + finding.message;
  $("why").textContent = finding.why;
  $("replay").replaceChildren();
  if (finding.replay) $("replay").append("Replay: ", make("code", "", finding.replay));
  drawGrid();
  go(step);
}

function put(element, row, column) {
  element.style.gridRow = row;
  element.style.gridColumn = column;
  $("grid").append(element);
  return element;
}

function drawGrid() {
  const grid = $("grid");
  grid.replaceChildren();
  grid.style.gridTemplateColumns = "3.2em repeat(" + finding.threads.length + ", minmax(11em, 1fr))";
  put(make("div", "head", ""), 1, 1);
  finding.threads.forEach((thread, i) => put(make("div", "head", thread.name + " " + thread.role), 1, i + 2));
  finding.steps.forEach((step, i) => {
    put(make("div", "number", i + 1), i + 2, 1);
    const box = put(make("div", "step", step.what), i + 2, step.thread + 2);
    box.id = "step" + i;
    box.classList.toggle("preempts", step.preempts);
    box.classList.toggle("critical", step.critical);
    box.classList.toggle("plain", !step.matters);
    box.onclick = () => go(i);
  });
  finding.ends.forEach((end) => {
    const held = end.holders.length ? " (" + end.holders.join(", ") + ")" : "";
    const box = put(make("div", "end", end.what + held), finding.steps.length + 2, end.thread + 2);
    box.onclick = () => { go(finding.steps.length); showSource(end.place); };
  });
  drawArrows();
}

function drawArrows() {
  const names = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(names, "svg");
  const grid = $("grid");
  svg.setAttribute("width", grid.scrollWidth);
  svg.setAttribute("height", grid.scrollHeight);
  svg.innerHTML = '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" ' +
    'orient="auto"><path d="M0 0 L8 4 L0 8 z"/></marker></defs>';
  for (const [from, to] of finding.edges) {
    const a = $("step" + from), b = $("step" + to);
    const right = a.offsetLeft < b.offsetLeft;
    const x1 = right ? a.offsetLeft + a.offsetWidth : a.offsetLeft, y1 = a.offsetTop + a.offsetHeight / 2;
    const x2 = right ? b.offsetLeft : b.offsetLeft + b.offsetWidth, y2 = b.offsetTop + b.offsetHeight / 2;
    const path = document.createElementNS(names, "path");
    const bend = right ? 22 : -22;
    path.setAttribute("d", `M${x1} ${y1} C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`);
    path.setAttribute("marker-end", "url(#tip)");
    path.dataset.from = from;
    path.dataset.to = to;
    svg.append(path);
  }
  grid.append(svg);
}

function go(step) {
  const count = finding.steps.length;
  at = Math.max(0, Math.min(step, count));
  finding.steps.forEach((_, i) => {
    $("step" + i).classList.toggle("on", i === at);
    $("step" + i).classList.toggle("later", i > at);
  });
  document.querySelectorAll("svg path[data-from]").forEach((path) =>
    path.classList.toggle("on", +path.dataset.from === at || +path.dataset.to === at));
  $("first").disabled = $("back").disabled = at === 0;
  $("next").disabled = $("last").disabled = at === count;
  $("where").textContent = at === count ? "the end" : "step " + (at + 1) + " of " + count;
  showSource(at === count ? finding.place : finding.steps[at].place);
  history.replaceState(null, "", "#finding=" + (data.findings.indexOf(finding) + 1) + "&step=" + (at + 1));
}

function showSource(place) {
  const source = $("source");
  source.replaceChildren();
  if (!place) return source.append(make("div", "file", "the place is not known"));
  source.append(make("div", "file", place.file + ":" + place.line));
  const rows = make("pre");
  let before = null;
  for (const [number, text] of data.sources[place.file] || []) {
    if (before !== null && number > before + 1) rows.append(make("span", "row dim", "..."));
    const row = make("span", "row");
    row.append(make("span", "", number), text);
    row.classList.toggle("on", number === place.line);
    rows.append(row);
    before = number;
  }
  source.append(rows);
  const marked = rows.querySelector(".on");
  if (marked) source.scrollTop = marked.offsetTop - source.clientHeight / 2;
}

$("first").onclick = () => go(0);
$("back").onclick = () => go(at - 1);
$("next").onclick = () => go(at + 1);
$("last").onclick = () => go(finding.steps.length);
document.addEventListener("keydown", (event) => {
  const button = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last" }[event.key];
  if (!button || !finding) return;
  event.preventDefault();
  $(button).click();
});
window.addEventListener("resize", () => { if (finding) { const step = at; drawGrid(); go(step); } });

showHeader();
if (data.findings.length > 0) {
  const wanted = new URLSearchParams(location.hash.slice(1));
  const number = Math.max(1, Math.min(+wanted.get("finding") || 1, data.findings.length)) - 1;
  choose(number, wanted.has("step") ? +wanted.get("step") - 1 : data.findings[number].steps.length);
}
</script>
</body>
</html>
)html";

}  // namespace mazurka
