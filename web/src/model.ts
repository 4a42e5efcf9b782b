// What the page knows: the run it shows, the place in it, the state there. Everything that the user does goes through here.
import { ask, Arrival, backend, Choice, Frame, Graph, Hello, Passing, Search, StateView, Step, Steps, Swap, Variables } from "./api";

const kWindow = 200; // steps that are fetched at a time
const kRest = 120; // ms after which somebody looks at a run and does not hurry past

export type Tab = "threads" | "objects" | "waits" | "variables" | "output" | "search";
export type View = "picture" | "graph";

function remembered(key: string): string[] {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? "[]");
  } catch {
    return []; // a page of a file may have no storage
  }
}

export class Model {
  hello: Hello | null = null;
  run: Arrival | null = null;
  at = 0;
  state: StateView | null = null;
  steps = new Map<number, Step>();
  edges = new Map<string, [number, number]>();
  trouble = "";
  note = "";
  busy = false;
  selected: number | null = null; // the thread whose source is shown; null: the one that moved last
  frame = 0;
  pin: Frame | null = null; // a place of the source that is shown instead of where the thread stands
  tab: Tab = "objects";
  view: View = "picture";
  help = false;
  swap: (Swap & { first: number }) | null = null;
  passing: Passing | null = null; // of this run, once it is known
  comparing = false;
  others: Step[] = []; // of the passing run, from where it goes another way
  open = new Set<string>(); // variables and parts that are open
  zoom: number | "fit" = "fit"; // of the graph of states
  search: Search | null = null;
  graph: Graph | null = null;
  variables: Variables | null = null;
  watches: string[] = backend.offline ? [] : remembered("watches");
  sources = new Map<string, (string | undefined)[]>(); // without lines that are not here
  milliseconds = 0; // that the last move took, with its answer shown

  private listeners = new Set<() => void>();
  private asked = new Set<number>(); // windows of steps that are on their way
  private told = new Set<string>(); // notes are shown once
  private wanted = 0; // the latest move: answers to earlier ones do not count

  listen(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
  changed() {
    for (const listener of this.listeners) listener();
  }

  private async attempt(work: () => Promise<void>) {
    this.busy = true;
    this.changed();
    try {
      await work();
      this.trouble = "";
    } catch (error) {
      this.trouble = (error as Error).message;
    }
    this.busy = false;
    this.changed();
  }

  begin() {
    return this.attempt(async () => {
      this.hello = await ask<Hello>("hello");
      document.title = this.hello.command + (backend.report ? " - Mazurka" : " - Mazurka simulator");
      this.arrive(this.hello);
      if (backend.offline) this.tab = this.firstTab();
    });
  }

  // What a reader of a report looks for first.
  private firstTab(): Tab {
    const waits = this.state!.threads.some((thread) => (thread.holders ?? []).length > 0);
    return waits && this.state!.findings.some((finding) => finding.kind === "deadlock") ? "waits" : "threads";
  }

  // --- where we are

  private arrive(there: Arrival) {
    for (const i of [...this.steps.keys()]) if (i >= there.keep) this.steps.delete(i);
    for (const [key, [, to]] of [...this.edges]) if (to >= there.keep) this.edges.delete(key);
    this.asked.clear();
    this.run = there;
    this.take(there.steps);
    this.at = there.at;
    this.show(there.state);
    this.tell(there.notes);
    this.graph = null;
    this.passing = null;
    this.comparing = false;
    if (there.fails) void this.loadPassing();
    if (this.view === "graph" || this.hello?.kind === "network") void this.loadGraph();
  }

  // Not for runs that somebody only hurries past: it may cost hundreds of executions.
  private async loadPassing() {
    const run = this.run!.run;
    if (!backend.offline) await new Promise((resolve) => setTimeout(resolve, kRest));
    if (this.run!.run !== run) return;
    try {
      const passing = await ask<Passing>("passing", { run });
      if (this.run!.run === run) this.passing = passing;
    } catch {
      // then it is not known
    }
    this.changed();
  }

  // The state after the step with which the error became certain.
  toCritical() {
    if (this.passing?.critical) return this.jump(this.passing.critical);
    this.note = this.run?.fails
      ? this.passing?.doomed
        ? "every schedule fails: there is no point of no return"
        : "the point of no return of this run is not known"
      : "nothing is wrong with this run";
    this.changed();
  }

  async compare() {
    const other = this.passing?.passing;
    if (!other) {
      this.note = this.run?.fails ? "no run that passes is known" : "nothing is wrong with this run";
      return this.changed();
    }
    await this.attempt(async () => {
      this.others = (await ask<Steps>("steps", { run: other.run, from: other.fork, to: other.fork + kWindow })).steps;
      await this.want(other.fork, this.run!.length);
      this.comparing = true;
    });
  }

  private tell(notes: string[]) {
    const more = notes.filter((note) => !this.told.has(note));
    more.forEach((note) => this.told.add(note));
    if (more.length > 0) this.note = more.join("; ");
  }

  private take(steps: Steps) {
    if (steps.run !== this.run?.run) return;
    steps.steps.forEach((step, i) => this.steps.set(steps.from + i, step));
    for (const edge of steps.edges) this.edges.set(edge.join(), edge);
  }

  private show(state: StateView) {
    this.state = state;
    this.frame = 0;
    this.pin = null;
    if (this.selected !== null && !state.threads.some((thread) => thread.id === this.selected)) this.selected = null;
    this.variables = null;
    if (this.tab === "variables") void this.loadVariables();
  }

  private has(window: number): boolean {
    const end = Math.min((window + 1) * kWindow, this.run!.length);
    for (let i = window * kWindow; i < end; ++i) if (!this.steps.has(i)) return false;
    return true;
  }

  // Fetches what the picture shows and is not here yet.
  async want(from: number, to: number) {
    if (!this.run) return;
    const run = this.run.run;
    for (let window = Math.floor(from / kWindow); window * kWindow < Math.min(to, this.run.length); ++window) {
      if (this.asked.has(window) || this.has(window)) continue;
      this.asked.add(window);
      const steps = await ask<Steps>("steps", { run, from: window * kWindow, to: (window + 1) * kWindow });
      this.take(steps);
      this.changed();
    }
  }

  // --- moving

  private move(question: string, request: object) {
    const began = performance.now();
    const number = ++this.wanted;
    this.note = "";
    return this.attempt(async () => {
      const there = await ask<Arrival>(question, { run: this.run?.run, at: this.at, ...request });
      if (number !== this.wanted) return;
      this.arrive(there);
      requestAnimationFrame(() => (this.milliseconds = performance.now() - began));
    });
  }

  choices(): Choice[] {
    if (!this.state) return [];
    if (this.state.choices) return this.state.choices;
    return this.state.threads.flatMap((thread) =>
      thread.choices.map((choice) => ({ thread: thread.id, outcome: choice.outcome, text: choice.text })),
    );
  }

  take_choice(choice: Choice) {
    const next = this.steps.get(this.at);
    if (next && next.thread === choice.thread && next.outcome === choice.outcome) return this.jump(this.at + 1);
    this.selected = null;
    return this.move("go", { thread: choice.thread, outcome: choice.outcome });
  }

  forward() {
    if (this.run && this.at < this.run.length) return this.jump(this.at + 1);
    const choices = this.choices();
    if (choices.length > 0) return this.take_choice(choices[0]);
  }

  jump(at: number) {
    if (!this.run) return;
    at = Math.max(0, Math.min(at, this.run.length));
    if (at === this.at) return;
    const began = performance.now();
    const number = ++this.wanted;
    this.note = "";
    this.selected = null;
    return this.attempt(async () => {
      const state = await ask<StateView>("state", { run: this.run!.run, at });
      if (number !== this.wanted) return;
      this.at = at;
      this.show(state);
      requestAnimationFrame(() => (this.milliseconds = performance.now() - began));
    });
  }

  toEnd(then: "first" | "random") {
    return this.move("go", { then, seed: Math.floor(Math.random() * 2 ** 32) });
  }
  runTo(what: { thread?: number; object?: number; location?: string }) {
    return this.move("run-to", what);
  }
  openFinding(finding: number) {
    return this.move("open", { finding });
  }
  goToNode(node: number) {
    return this.move("node", { node });
  }
  goToRun(run: number, at: number) {
    return this.move("visit", { run, at });
  }

  async trySwap(first: number) {
    if (!this.run || first < 0 || first + 1 >= this.run.length) {
      this.note = "there are no two steps to reorder here";
      return this.changed();
    }
    await this.attempt(async () => {
      this.swap = { ...(await ask<Swap>("swap", { run: this.run!.run, first })), first };
    });
  }

  // --- schedules

  async save() {
    await this.attempt(async () => {
      const { text } = await ask<{ text: string }>("save", { run: this.run!.run, at: this.at });
      this.keep(text, "text/plain", ".schedule");
    });
  }
  private keep(text: string, type: string, ending: string) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type }));
    link.download = (this.hello!.command.split(" ")[0].split("/").pop() || "program") + ending;
    link.click();
    URL.revokeObjectURL(link.href);
  }
  // One file that shows this run without the program.
  async export() {
    await this.attempt(async () => {
      const { text } = await ask<{ text: string }>("export", { run: this.run!.run, at: this.at });
      this.keep(text, "text/html", ".html");
    });
  }
  async edit(file: string, line: number) {
    if (!this.hello?.editor) {
      this.note = "mazurka sim --editor='code -g {file}:{line}' opens lines in an editor";
      return this.changed();
    }
    await this.attempt(async () => void (await ask("edit", { file, line })));
  }
  async load(file: File) {
    const text = await file.text();
    return this.move("load", { text });
  }

  // --- search, graph, variables, source

  async startSearch() {
    this.tab = "search";
    await this.attempt(async () => {
      this.search = await ask<Search>("search", { do: "start", run: this.run!.run, at: this.at });
    });
    while (this.search?.running) {
      await new Promise((resolve) => setTimeout(resolve, 200));
      try {
        this.search = await ask<Search>("search", { do: "look" });
      } catch (error) {
        this.trouble = (error as Error).message;
        break;
      }
      this.changed();
    }
  }
  async stopSearch() {
    await this.attempt(async () => {
      this.search = await ask<Search>("search", { do: "stop" });
    });
  }

  async loadGraph() {
    const run = this.run!.run;
    await this.attempt(async () => {
      const graph = await ask<Graph>("graph", { run });
      if (this.run!.run === run) this.graph = graph;
    });
  }
  setView(view: View) {
    if (this.hello?.kind === "network" || backend.offline) return; // both are shown, or there is no graph
    this.view = view;
    if (view === "graph" && !this.graph) void this.loadGraph();
    this.changed();
  }
  setTab(tab: Tab) {
    this.tab = tab;
    if (tab === "variables" && !this.variables) void this.loadVariables();
    this.changed();
  }

  async loadVariables() {
    const { run, at } = { run: this.run!.run, at: this.at };
    try {
      const variables = await ask<Variables>("variables", {
        run,
        at,
        thread: this.shown(),
        watches: this.watches,
        open: [...this.open],
        ...this.shownCall(),
      });
      if (this.run!.run === run && this.at === at) this.variables = variables;
    } catch (error) {
      if (backend.offline) this.variables = { frames: [], globals: [], watches: [] };
      else this.trouble = (error as Error).message;
    }
    this.changed();
  }
  // Of the frame that is shown: its function, and how many calls of the same function are around it.
  shownCall(): { function?: string; callers?: number } {
    const stack = this.state?.threads.find((one) => one.id === this.shown())?.stack ?? [];
    const frame = stack[this.frame];
    if (!frame) return {};
    return { function: frame.function, callers: stack.slice(this.frame + 1).filter((one) => one.function === frame.function).length };
  }
  toggle(path: string) {
    if (!this.open.delete(path)) this.open.add(path);
    void this.loadVariables();
  }
  setWatches(watches: string[]) {
    this.watches = watches;
    sessionStorage.setItem("watches", JSON.stringify(watches));
    void this.loadVariables();
  }

  // The thread whose source is shown: the one that was selected, that a finding is about, or that moved last.
  shown(): number {
    if (this.selected !== null) return this.selected;
    const last = this.at > 0 ? this.steps.get(this.at - 1) : undefined;
    const about = this.state?.findings.filter((finding) => typeof finding.thread === "number").pop();
    const blamed = this.state?.threads.find((one) => one.id === about?.thread && one.stack.length > 0);
    if (blamed) return blamed.id;
    const thread = this.state?.threads.find((one) => one.id === last?.thread && one.stack.length > 0);
    const enabled = this.state?.threads.find((one) => one.status === "enabled");
    return thread?.id ?? enabled?.id ?? this.state?.threads[0]?.id ?? 0;
  }
  select(thread: number, frame = 0) {
    this.selected = thread;
    this.frame = frame;
    this.pin = null;
    if (this.tab === "variables") void this.loadVariables();
    this.changed();
  }

  // The next finding's run, of a report.
  goToFinding(number: number) {
    const count = backend.findings.length;
    if (count > 0) return this.goToRun(((number - 1 + count) % count) + 1, Number.MAX_SAFE_INTEGER);
  }

  setZoom(zoom: number | "fit") {
    this.zoom = zoom === "fit" ? zoom : Math.max(0.05, Math.min(4, zoom));
    this.changed();
  }

  // The source there, wherever the thread stands.
  showPlace(thread: number, place: Frame) {
    this.select(thread);
    this.pin = place;
    this.changed();
  }

  async wantSource(file: string) {
    if (!file || this.sources.has(file)) return;
    this.sources.set(file, []);
    try {
      this.sources.set(file, (await ask<{ lines: (string | undefined)[] }>("source", { file })).lines);
    } catch {
      this.sources.set(file, []);
    }
    this.changed();
  }
}

export const model = new Model();
