// Everything can be done from the keyboard.
import { backend } from "./api";
import { model } from "./model";

// Key, what it does, and whether that takes a program that runs.
export const kKeys: [string, string, boolean?][] = [
  ["← / k", "one step back"],
  ["→ / j", "one step forward: along the timeline, or the first choice"],
  ["1 … 9", "take that choice", true],
  ["Home, End", "to the start, to the end of the timeline"],
  ["PgUp, PgDn", "ten steps back, ten steps forward"],
  ["e", "go on to the end, always with the first choice", true],
  ["r", "go on at random", true],
  ["n / p", "show the next, the previous thread's source"],
  ["x", "run to the next operation of the thread that is shown", true],
  ["l", "run to a line of the source that is shown", true],
  ["s", "reorder the last two steps", true],
  ["c", "to the point of no return: the step after which every continuation fails"],
  ["C", "compare with the nearest run that passes"],
  ["t, g", "the timeline, the graph of states", true],
  ["+, −, 0", "the graph larger, smaller, as large as fits", true],
  ["o, b, v, u, f", "objects, who waits for whom, variables, output, search"],
  ["E", "open the line that is shown in the editor (--editor)", true],
  ["[ ]", "of a report: the finding before, the next one"],
  ["F", "search from here", true],
  ["w", "watch an expression", true],
  ["#", "go to a step by its number"],
  ["Ctrl+S, Ctrl+O", "save, load a schedule", true],
  ["d", "light or dark"],
  ["?", "this help"],
  ["Tab, Enter", "to the next button, choice, object or state, and press it"],
  ["Esc", "close what is open"],
];

function showOther(by: number) {
  const threads = model.state!.threads;
  const here = threads.findIndex((thread) => thread.id === model.shown());
  model.select(threads[(here + by + threads.length) % threads.length].id);
}

function focus(id: string) {
  const input = document.getElementById(id) as HTMLInputElement | null;
  if (!input) return void requestAnimationFrame(() => focus(id)); // its tab is being opened
  input.focus();
  input.select();
}

function openShown() {
  const thread = model.state!.threads.find((one) => one.id === model.shown());
  const frame = model.pin ?? thread?.stack[model.frame];
  if (frame?.file) void model.edit(frame.file, frame.line);
}

export function zoomBy(factor: number) {
  const shown = Number(document.querySelector<HTMLElement>('[data-testid="graph"]')?.dataset.zoom);
  if (shown) model.setZoom(shown * factor);
}

// What only a program that runs can do.
const kLive = "erxsgfFwlE";

const kActions: Record<string, (toggleTheme: () => void) => void> = {
  ArrowLeft: () => model.jump(model.at - 1),
  k: () => model.jump(model.at - 1),
  ArrowRight: () => model.forward(),
  j: () => model.forward(),
  Home: () => model.jump(0),
  End: () => model.jump(model.run!.length),
  PageUp: () => model.jump(model.at - 10),
  PageDown: () => model.jump(model.at + 10),
  e: () => model.toEnd("first"),
  r: () => model.toEnd("random"),
  n: () => showOther(1),
  p: () => showOther(-1),
  x: () => model.runTo({ thread: model.shown() }),
  c: () => model.toCritical(),
  C: () => model.compare(),
  E: () => openShown(),
  h: () => backend.offline && model.setTab("threads"),
  "+": () => zoomBy(1.25),
  "=": () => zoomBy(1.25),
  "-": () => zoomBy(0.8),
  "0": () => model.setZoom("fit"),
  "[": () => model.goToFinding(model.run!.run - 1),
  "]": () => model.goToFinding(model.run!.run + 1),
  s: () => model.trySwap(model.at - 2),
  t: () => model.setView("picture"),
  g: () => model.setView("graph"),
  o: () => model.setTab("objects"),
  b: () => model.setTab("waits"),
  v: () => model.setTab("variables"),
  u: () => model.setTab("output"),
  f: () => model.setTab("search"),
  F: () => model.startSearch(),
  w: () => (model.setTab("variables"), focus("watch")),
  l: () => document.getElementById("line") && focus("line"),
  "#": () => focus("at"),
  d: (toggleTheme) => toggleTheme(),
  "?": () => ((model.help = true), model.changed()),
};

function close() {
  model.help = false;
  model.swap = null;
  model.comparing = false;
  model.trouble = model.note = "";
  (document.activeElement as HTMLElement | null)?.blur();
  model.changed();
}

export function onKey(event: KeyboardEvent, toggleTheme: () => void) {
  if (!model.run || !model.state) return;
  if (event.key === "Escape") return close();
  if (event.ctrlKey || event.metaKey) {
    if (backend.offline) return;
    if (event.key === "s") void model.save();
    else if (event.key === "o") document.getElementById("load")?.click();
    else return;
    return event.preventDefault();
  }
  if (event.altKey || event.target instanceof HTMLInputElement) return;
  const choice = /^[1-9]$/.test(event.key) ? model.choices()[Number(event.key) - 1] : undefined;
  const action = kActions[event.key];
  if (!choice && !action) return;
  if (backend.offline && (choice || kLive.includes(event.key))) return;
  event.preventDefault();
  if (choice) void model.take_choice(choice);
  else action(toggleTheme);
}
