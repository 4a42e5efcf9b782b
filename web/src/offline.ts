// Answers the page's questions from the data that the page itself holds: the page of `mazurka check --html`, and what the simulator
// has recorded. src/sim/offline writes the data.
import { Arrival, Backend, FindingView, ObjectView, Passing, Report, Reported, StateView, Steps, ThreadView, Variables } from "./api";

type Change = [number] | [number, number]; // an id, and its place in the table; without one, it has gone

interface RecordedState {
  at: number;
  threads: Change[];
  objects: Change[];
  findings: FindingView[];
  cycle: number[];
}

interface RecordedRun extends Omit<Arrival, "state"> {
  record: { threads: ThreadView[]; objects: ObjectView[]; states: RecordedState[]; outputs: [number, string][]; tosses: [number, number][] };
  finding?: Reported;
  passing?: Passing;
  variables?: Record<string, Variables>;
}

export interface Recording extends Partial<Report> {
  kind: "report" | "recording";
  command: string;
  directory: string;
  runs: RecordedRun[];
  others: RecordedRun[];
  sources: Record<string, [number, string[]][]>;
}

function apply(changes: Change[], known: Map<number, number>) {
  for (const [id, place] of changes) {
    if (place === undefined) known.delete(id);
    else known.set(id, place);
  }
}

const inOrder = (known: Map<number, number>) => [...known].sort((a, b) => a[0] - b[0]).map(([, place]) => place);

function stateOf(run: RecordedRun, at: number): StateView {
  const { record } = run;
  const threads = new Map<number, number>();
  const objects = new Map<number, number>();
  for (const state of record.states) {
    apply(state.threads, threads);
    apply(state.objects, objects);
    if (state.at !== at) continue;
    return {
      run: run.run,
      at,
      threads: inOrder(threads).map((place) => record.threads[place]),
      objects: inOrder(objects).map((place) => record.objects[place]),
      findings: state.findings,
      cycle: state.cycle,
      tosses: record.tosses.filter(([step]) => step < at),
      output: record.outputs.filter(([step]) => step <= at).map(([, text]) => text).join(""),
    };
  }
  const kept = record.states.map((state) => state.at);
  const gap = kept.find((one, i) => i > 0 && one > kept[i - 1] + 1)!;
  throw new Error(`this page has the states up to step ${kept[kept.indexOf(gap) - 1]} and from step ${gap} on: mazurka sim shows all`);
}

export function recorded(data: Recording): Backend {
  const all = [...data.runs, ...data.others];
  const find = (number: number) => {
    const run = all.find((one) => one.run === number);
    if (!run) throw new Error("that run is not in this page");
    return run;
  };
  const arrive = (run: RecordedRun, at: number) => ({ ...run, at: Math.min(at, run.length), state: stateOf(run, Math.min(at, run.length)), keep: 0 });
  const stepsOf = (run: RecordedRun, from: number, to: number): Steps => ({
    run: run.run,
    from,
    steps: run.steps.steps.slice(from, to),
    edges: run.steps.edges.filter(([first, last]) => last < run.length && (first >= from || (last >= from && last < to))),
  });
  const answers: Record<string, (request: any) => unknown> = {
    hello: () => {
      const first = data.runs[0];
      return { ...arrive(first, first.at), kind: "program", command: data.command, directory: data.directory, editor: false };
    },
    visit: ({ run, at }) => arrive(find(run), at),
    state: ({ run, at }) => stateOf(find(run), at),
    steps: ({ run, from, to }) => stepsOf(find(run), from, to),
    passing: ({ run }) => find(run).passing ?? { critical: find(run).finding?.critical ?? null, doomed: false, tried: 0, differences: [], passing: null },
    variables: ({ run, at }) => {
      const variables = find(run).variables?.[at];
      if (!variables) throw new Error("the variables of this step were not recorded");
      return variables;
    },
    source: ({ file }) => {
      const parts = data.sources[file];
      if (!parts) throw new Error("this file is not in this page");
      const lines: string[] = [];
      for (const [first, texts] of parts) texts.forEach((text, i) => (lines[first - 1 + i] = text));
      return { lines };
    },
  };
  return {
    offline: true,
    report: data.kind === "report" ? (data as unknown as Report) : null,
    findings: data.runs.flatMap((run) => (run.finding ? [run.finding] : [])),
    async ask(question, request) {
      const answer = answers[question];
      if (!answer) throw new Error("this page has no program: mazurka sim goes on from here");
      return answer(request);
    },
  };
}
