// Everything can be done from the keyboard.
import { model } from "./model";

export const kKeys: [string, string][] = [
  ["← / k", "one step back"],
  ["→ / j", "one step forward: along the timeline, or the first choice"],
  ["1 … 9", "take that choice"],
  ["Home, End", "to the start, to the end of the timeline"],
  ["PgUp, PgDn", "ten steps back, ten steps forward"],
  ["e", "go on to the end, always with the first choice"],
  ["r", "go on at random"],
  ["n / p", "show the next, the previous thread's source"],
  ["x", "run to the next operation of the thread that is shown"],
  ["l", "run to a line of the source that is shown"],
  ["s", "reorder the last two steps"],
  ["t, g", "the timeline, the graph of states"],
  ["o, b, v, u, f", "objects, who waits for whom, variables, output, search"],
  ["F", "search from here"],
  ["w", "watch an expression"],
  ["#", "go to a step by its number"],
  ["Ctrl+S, Ctrl+O", "save, load a schedule"],
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
  model.trouble = model.note = "";
  (document.activeElement as HTMLElement | null)?.blur();
  model.changed();
}

export function onKey(event: KeyboardEvent, toggleTheme: () => void) {
  if (!model.run || !model.state) return;
  if (event.key === "Escape") return close();
  if (event.ctrlKey || event.metaKey) {
    if (event.key === "s") void model.save();
    else if (event.key === "o") document.getElementById("load")?.click();
    else return;
    return event.preventDefault();
  }
  if (event.altKey || event.target instanceof HTMLInputElement) return;
  const choice = /^[1-9]$/.test(event.key) ? model.choices()[Number(event.key) - 1] : undefined;
  const action = kActions[event.key];
  if (!choice && !action) return;
  event.preventDefault();
  if (choice) void model.take_choice(choice);
  else action(toggleTheme);
}
