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

export interface FindingView {
  kind: string;
  message: string;
  at?: number;
  length?: number;
  count?: number;
  accesses?: { thread: number; what: string; place: Frame | null }[];
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
  changed: boolean;
}

export interface Variables {
  frames: { thread: number; frame: number; function: string; variables: Variable[] }[];
  globals: Variable[];
  watches: Variable[];
}

export async function ask<T>(question: string, request: object = {}): Promise<T> {
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
  if (response.ok) return JSON.parse(text) as T;
  let sentence = text.trim();
  try {
    sentence = JSON.parse(text).error ?? sentence;
  } catch {
    // a refusal is plain text
  }
  throw new Error(sentence);
}
