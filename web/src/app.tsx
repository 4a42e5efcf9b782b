import { render } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Backend, backend, useBackend } from "./api";
import { Compare } from "./compare";
import { Findings, Reported } from "./findings";
import { GraphView } from "./graph";
import { onKey } from "./keys";
import { Help, SwapDialog } from "./dialogs";
import { model } from "./model";
import { Panels } from "./panels";
import { Picture } from "./picture";
import { Source } from "./source";
import { Threads } from "./threads";

const kEnds: Record<string, [string, string]> = {
  finished: ["ended", "good"],
  deadlock: ["deadlock", "bad"],
  open: ["can go on", "soft"],
  bounded: ["stands at its bound", "soft"],
  nondeterminism: ["nondeterminism: the program did something else this time", "bad"],
  divergence: ["divergence: it runs without end", "bad"],
  livelock: ["livelock", "bad"],
  hung: ["hangs in a call that Mazurka does not know", "bad"],
  lost: ["a process of it vanished", "bad"],
  trouble: ["it destroyed Mazurka's memory", "bad"],
};

function Verdict() {
  const state = model.state!;
  const kinds = [...new Set(state.findings.map((finding) => finding.kind))];
  const atEnd = model.at === model.run!.length;
  const [text, kind] = kinds.length > 0 ? [kinds.join(", "), "bad"] : atEnd ? (kEnds[model.run!.end] ?? kEnds.open) : kEnds.open;
  return (
    <span class={"verdict " + kind} data-testid="verdict-line" data-end={atEnd ? model.run!.end : "open"} title={text}>
      {text}
    </span>
  );
}

function Icon({ path }: { path: string }) {
  return (
    <svg class="sign" viewBox="0 0 16 16" width="13" height="13">
      <path d={path} />
    </svg>
  );
}

function Controls() {
  const file = useRef<HTMLInputElement>(null);
  const { length } = model.run!;
  return (
    <nav class="controls">
      <button id="first" title="to the start (Home)" disabled={model.at === 0} onClick={() => model.jump(0)}><Icon path="M3 3v10M13 3 6 8l7 5z" /></button>
      <button id="back" title="one step back (←)" disabled={model.at === 0} onClick={() => model.jump(model.at - 1)}><Icon path="M11 3 4 8l7 5z" /></button>
      <span class="at">
        step{" "}
        <input
          id="at"
          value={model.at}
          aria-label="step"
          onChange={(event) => model.jump(Number((event.target as HTMLInputElement).value) || 0)}
        />{" "}
        of {length}
      </span>
      <button id="forward" title="one step forward (→)" disabled={model.at === length && (backend.offline || model.choices().length === 0)} onClick={() => model.forward()}><Icon path="M5 3l7 5-7 5z" /></button>
      <button id="last" title="to the end of the timeline (End)" disabled={model.at === length} onClick={() => model.jump(length)}><Icon path="M13 3v10M3 3l7 5-7 5z" /></button>
      {!backend.offline && <i class="gap" />}
      {!backend.offline && <button id="to-end" title="go on to the end, always with the first choice (e)" onClick={() => model.toEnd("first")}>run</button>}
      {!backend.offline && <button id="random" title="go on at random (r)" onClick={() => model.toEnd("random")}>random</button>}
      {model.hello!.kind === "program" && !backend.offline && (
        <>
          <i class="gap" />
          <button id="save" title="save the schedule until here (Ctrl+S)" onClick={() => model.save()}>save</button>
          <button id="load" title="load a schedule (Ctrl+O)" onClick={() => file.current!.click()}>load</button>
          <button id="export" title="keep this run as one page that needs no program" onClick={() => model.export()}>export</button>
        </>
      )}
      <input
        ref={file}
        type="file"
        hidden
        onChange={() => {
          const chosen = file.current!.files?.[0];
          if (chosen) void model.load(chosen);
          file.current!.value = "";
        }}
      />
    </nav>
  );
}

function toggleTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  try {
    localStorage.setItem("theme", root.dataset.theme);
  } catch {
    // then not for the next time
  }
}

// A report without findings.
function Nothing() {
  return (
    <>
      <header class="top">
        <span class="logo">Mazurka</span>
        <code class="command" id="command">{document.title.replace(/^Mazurka: (\S*\/)?/, "")}</code>
        <button class="icon" style={{ marginLeft: "auto" }} title="light or dark (d)" onClick={toggleTheme}>◐</button>
      </header>
      <Reported />
    </>
  );
}

function App() {
  const [, redraw] = useState(0);
  // Before the first answer: that of a page without a server is there at once.
  useLayoutEffect(() => model.listen(() => redraw((n) => n + 1)), []);
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event, toggleTheme);
    addEventListener("keydown", listener);
    return () => removeEventListener("keydown", listener);
  }, []);
  if (!model.run || !model.state) {
    if (backend.report) return <Nothing />;
    return <main class="loading">{model.trouble || "starting the program ..."}</main>;
  }
  return (
    <>
      <header class="top">
        <span class="logo">Mazurka</span>
        <code class="command" id="command" title={`${model.hello!.command}\nin ${model.hello!.directory}`}>{model.hello!.command.replace(/^\S*\//, "")}</code>
        <Controls />
        <Verdict />
        <button class="icon" title="light or dark (d)" onClick={toggleTheme}>◐</button>
        <button class="icon" title="all keys (?)" onClick={() => ((model.help = true), model.changed())}>?</button>
      </header>
      {(model.trouble || model.note) && (
        <p class={"trouble" + (model.trouble ? "" : " note")} role="alert">
          {model.trouble || model.note}
          <button onClick={() => ((model.trouble = model.note = ""), model.changed())}>×</button>
        </p>
      )}
      <Reported />
      <Findings />
      <main class={backend.offline ? "offline" : ""} data-run={model.run.run} data-at={model.at} data-length={model.run.length} data-busy={model.busy}>
        {!backend.offline && <Threads />}
        <section class="middle">
          {model.hello!.kind === "program" && !backend.offline && (
          <nav class="tabs" role="tablist">
            <button role="tab" id="view-picture" aria-selected={model.view === "picture"} class={model.view === "picture" ? "on" : ""} onClick={() => model.setView("picture")}>
              Timeline <kbd>t</kbd>
            </button>
            <button role="tab" id="view-graph" aria-selected={model.view === "graph"} class={model.view === "graph" ? "on" : ""} onClick={() => model.setView("graph")}>
              States <kbd>g</kbd>
            </button>
          </nav>
          )}
          {model.view === "picture" ? <Picture /> : <GraphView />}
        </section>
        {/* A network has no source and no memory: its states are all there is. */}
        <section class="right">{model.hello!.kind === "program" ? <><Source /><Panels /></> : <GraphView />}</section>
      </main>
      {model.swap && <SwapDialog />}
      {model.comparing && <Compare />}
      {model.help && <Help />}
    </>
  );
}

function remember(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null; // a page of a file may have no storage
  }
}

// Without a backend, the server answers.
export function start(other?: Backend) {
  if (other) useBackend(other);
  document.documentElement.dataset.theme = remember("theme") ?? "";
  if (!document.documentElement.dataset.theme) delete document.documentElement.dataset.theme;
  // For tests and for the curious: what the page knows.
  Object.assign(window, { mazurka: model });
  render(<App />, document.getElementById("app")!);
  if (!backend.report || backend.findings.length > 0) return model.begin();
}
