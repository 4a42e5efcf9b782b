// The questions that the page asks its server; docs/simulator.md describes them.

export interface ThreadName {
  id: number;
  name: string;
  role: string;
}

export interface Frame {
  function: string;
  file: string;
  line: number;
  module: string;
  user: boolean;
}

export interface Choice {
  thread: number;
  outcome: number;
  text: string;
}

export interface ThreadView extends ThreadName {
  process: string;
  status: "enabled" | "blocked" | "asleep" | "bound" | "exit" | "killed" | "failed" | "running";
  operation: string;
  object?: number | null;
  why?: string;
  holders?: number[]; // each must give something up first
  hopes?: number[]; // any of them could end the wait
  signals?: string[];
  stack: Frame[];
  choices: { outcome: number; text: string }[];
}

export interface ObjectView {
  id: number;
  name: string;
  type: string;
  value: string;
  owner: number | null;
  waiters: number[];
  changed: boolean;
}

export interface Access {
  thread: number;
  what: string;
  access: string;
  locks: string[];
  place: Frame | null;
  stack: Frame[];
}

export interface FindingView {
  kind: string;
  message: string;
  why?: string;
  thread?: number | null; // whom it is about
  at?: number;
  length?: number;
  count?: number;
  accesses?: Access[];
}

export interface TesterView {
  name: string;
  states: { name: string; reject: boolean; deadlock: boolean; livelock: boolean; infinite: boolean }[];
  events: string[];
}

export interface StateView {
  run: number;
  at: number;
  threads: ThreadView[];
  objects: ObjectView[];
  findings: FindingView[];
  cycle: number[];
  tosses: [number, number][];
  output: string;
  choices?: Choice[]; // of a network: the actions that can happen
  tester?: TesterView;
}

export interface Step {
  thread: number;
  threads?: number[]; // of a network: all that take part
  outcome: number;
  what: string;
  object: number | null;
  place: string;
  preempts: boolean;
}

export interface Steps {
  run: number;
  from: number;
  steps: Step[];
  edges: [number, number][];
}

export interface Arrival {
  run: number;
  length: number;
  end: string;
  fails?: boolean; // something is wrong with it, sooner or later
  threads: ThreadName[];
  at: number;
  keep: number;
  state: StateView;
  steps: Steps;
  notes: string[];
}

export interface Hello extends Arrival {
  kind: "program" | "network";
  command: string;
  directory: string;
  editor?: boolean; // lines can be opened in one
}

// What would have had to go otherwise.
export interface Passing {
  critical: number | null; // the step with which the error became certain, from 1
  doomed: boolean; // every run fails
  tried: number;
  differences: { kind: "order" | "outcome"; text: string; here: string; passing: number[]; failing: number[] }[];
  passing: { run: number; length: number; fork: number } | null;
}

export interface Swap {
  same: boolean;
  possible: boolean;
  why: string;
  changes: { name: string; now: string; other: string }[];
  other?: { run: number; length: number };
}

export interface Search {
  running: boolean;
  root: number;
  executions: number;
  transitions: number;
  seconds: number;
  count: number;
  complete?: boolean;
  why?: string[];
  trouble?: string;
  findings?: FindingView[];
}

export interface Graph {
  whole: boolean;
  nodes: { depth: number; kind: string }[];
  edges: { from: number; to: number; label: string }[];
  path: (number | null)[];
}

export interface Variable {
  name: string;
  type: string;
  value: string;
  path: string;
  has_parts: boolean;
  changed: boolean;
  parts?: Variable[]; // of one that is open
}

export interface Variables {
  frames: { thread: number; frame: number; function: string; callers: number; variables: Variable[] }[];
  globals: Variable[];
  watches: Variable[];
}

// A verdict, as `mazurka check --html` writes it.
export interface Report {
  word: string;
  verdict: string;
  search: string;
  executions: number;
  transitions: number;
  depth: number;
  seconds: number;
  notes: string[]; // what it rests on, and what was not covered
}

// A finding of a report: how it is replayed.
export interface Reported {
  kind: string;
  message: string;
  why: string;
  location: string;
  count: number;
  preemptions?: number;
  critical?: number;
  replay?: string;
  simulate?: string;
}

// Who answers: the server, or the page itself (offline.ts).
export interface Backend {
  ask(question: string, request: object): Promise<unknown>;
  offline: boolean;
  report: Report | null;
  findings: Reported[]; // by run, from 1
}

const server: Backend = {
  offline: false,
  report: null,
  findings: [],
  async ask(question, request) {
    let response: Response;
    try {
      response = await fetch("api/" + question, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(request),
      });
    } catch {
      throw new Error("the simulator does not answer: was mazurka sim ended?");
    }
    const text = await response.text();
    if (response.ok) return JSON.parse(text);
    let sentence = text.trim();
    try {
      sentence = JSON.parse(text).error ?? sentence;
    } catch {
      // a refusal is plain text
    }
    throw new Error(sentence);
  },
};

export let backend = server;
export function useBackend(other: Backend) {
  backend = other;
}

export async function ask<T>(question: string, request: object = {}): Promise<T> {
  return (await backend.ask(question, request)) as T;
}
