// The tabs at the bottom right: objects, variables, output, search.
import { useEffect, useRef, useState } from "preact/hooks";
import { backend, Variable, Variables } from "./api";
import { colorOf } from "./colors";
import { model, Tab } from "./model";
import { Cards } from "./threads";
import { Waits } from "./waits";

const nameOf = (thread: number) => model.run?.threads.find((one) => one.id === thread)?.name ?? `T${thread}`;

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? "" : "s"}`;

function Chip({ thread }: { thread: number }) {
  return (
    <span class="chip" style={{ "--color": colorOf(thread) }}>
      {nameOf(thread)}
    </span>
  );
}

function Objects() {
  const objects = model.state!.objects;
  if (objects.length === 0) return <p class="empty">there are no communication objects yet</p>;
  return (
    <table class="objects">
      <thead>
        <tr>
          <th>object</th>
          <th>value</th>
          <th>waiting</th>
          <th />
        </tr>
      </thead>
      <tbody>
        {objects.map((object) => (
          <tr key={object.id} class={object.changed ? "changed" : ""} data-object={object.name}>
            <td class="mono">
              {object.name} <span class="soft type">{object.type}</span>
            </td>
            <td class="mono value">
              {object.owner !== null && <i class="dot" style={{ background: colorOf(object.owner) }} />}
              {object.value}
            </td>
            <td>
              {object.waiters.map((thread) => (
                <Chip key={thread} thread={thread} />
              ))}
            </td>
            <td>
              {!backend.offline && (
                <button class="run-to" title="run to the next operation on it" onClick={() => model.runTo({ object: object.id })}>
                  ⇥
                </button>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Row({ variable, depth, onRemove }: { variable: Variable; depth: number; onRemove?: (name: string) => void }) {
  const isOpen = variable.parts !== undefined;
  return (
    <>
      <tr class={variable.changed ? "changed" : ""} data-variable={depth === 0 ? variable.name : undefined} data-path={variable.path}>
        <td class="mono name" style={{ paddingLeft: 10 + depth * 14 }}>
          {variable.has_parts && !backend.offline ? (
            <button class="open" aria-expanded={isOpen} title={isOpen ? "close" : "show its parts"} onClick={() => model.toggle(variable.path)}>
              {isOpen ? "▾" : "▸"}
            </button>
          ) : (
            <i class="open" />
          )}
          {variable.name}
        </td>
        <td class="soft mono">{variable.type}</td>
        <td class={"mono value" + (isOpen ? " opened" : "")} title={isOpen ? variable.value : undefined}>{variable.value}</td>
        <td>
          {onRemove && (
            <button class="run-to" title="do not watch it" onClick={() => onRemove(variable.name)}>
              ×
            </button>
          )}
        </td>
      </tr>
      {variable.parts?.map((part) => (
        <Row key={part.path} variable={part} depth={depth + 1} />
      ))}
    </>
  );
}

function Values({ title, variables, onRemove, dim }: { title: string; variables: Variable[]; onRemove?: (name: string) => void; dim?: boolean }) {
  if (variables.length === 0) return null;
  return (
    <tbody class={dim ? "dim" : ""}>
      <tr class="group">
        <th colSpan={4}>{title}</th>
      </tr>
      {variables.map((variable) => (
        <Row key={variable.path} variable={variable} depth={0} onRemove={onRemove} />
      ))}
    </tbody>
  );
}

function VariablesPanel() {
  const input = useRef<HTMLInputElement>(null);
  const variables = model.variables;
  const add = (event: Event) => {
    event.preventDefault();
    const text = input.current!.value.trim();
    if (text && !model.watches.includes(text)) model.setWatches([...model.watches, text]);
    input.current!.value = "";
  };
  const { function: shown, callers } = model.shownCall();
  const isShown = (frame: Variables["frames"][0]) => frame.function === shown && frame.callers === callers;
  // What is shown in the source comes first.
  const frames = [...(variables?.frames ?? [])].sort((a, b) => Number(isShown(b)) - Number(isShown(a)));
  return (
    <>
      {!backend.offline && (
      <form class="watch" onSubmit={add}>
        <input ref={input} id="watch" placeholder="watch: a variable, node.next->value, forks[2]" spellcheck={false} />
        <button>watch</button>
      </form>
      )}
      {!variables && <p class="empty">reading the program's memory ...</p>}
      {backend.offline && variables && variables.frames.length + variables.globals.length === 0 && <p class="empty">the variables of this step were not recorded</p>}
      {variables && (
        <table class="objects variables">
          <colgroup>
            <col style={{ width: "30%" }} />
            <col style={{ width: "22%" }} />
            <col />
            <col style={{ width: "34px" }} />
          </colgroup>
            <Values title="watched" variables={variables.watches} onRemove={(name) => model.setWatches(model.watches.filter((one) => one !== name))} />
            {frames.map((frame) => (
              <Values key={frame.thread + ":" + frame.frame} title={`${nameOf(frame.thread)}: ${frame.function}`} variables={frame.variables} dim={shown !== undefined && frames.some(isShown) && !isShown(frame)} />
            ))}
            <Values title="global" variables={variables.globals} />
        </table>
      )}
    </>
  );
}

function Output() {
  const { output, tosses } = model.state!;
  return (
    <>
      {tosses.length > 0 && <p class="tosses">tosses so far: {tosses.map(([, value]) => value).join(", ")}</p>}
      {output ? <pre class="output">{output}</pre> : <p class="empty">the program has written nothing yet</p>}
    </>
  );
}

function SearchPanel() {
  const search = model.search;
  return (
    <div class="search">
      <p>
        {search?.running ? (
          <button onClick={() => model.stopSearch()}>stop</button>
        ) : (
          <button class="primary" onClick={() => model.startSearch()}>
            search from step {model.at}
          </button>
        )}
        {search && (
          <span class="soft" data-testid="search">
            {search.running ? "searching: " : "from step " + search.root + ": "}
            {counted(search.executions, "execution")}, {counted(search.transitions, "transition")}, {search.seconds.toFixed(1)} s
          </span>
        )}
      </p>
      {!search && <p class="soft">explores all that can follow this state, and lists what is wrong with it</p>}
      {search?.trouble && <p class="bad">{search.trouble}</p>}
      {search && !search.running && search.findings && (
        <p class={search.findings.length ? "bad" : search.complete ? "good" : "soft"} data-testid="verdict">
          {search.findings.length > 0
            ? `${counted(search.findings.length, "finding")} ahead`
            : search.complete
              ? "nothing can go wrong from here on"
              : "nothing was found; not complete: " + (search.why ?? []).join("; ")}
        </p>
      )}
      {search?.findings?.map((finding, i) => (
        <button key={i} class="finding" onClick={() => model.openFinding(i)}>
          <b>{finding.kind}</b> {finding.message}
          <span class="soft">
            {counted(finding.length ?? 0, "step")}, seen {finding.count === 1 ? "once" : `${finding.count} times`}
          </span>
        </button>
      ))}
    </div>
  );
}

const kTabs: [Tab, string, string][] = [
  ["threads", "Threads", "h"],
  ["objects", "Objects", "o"],
  ["waits", "Waits", "b"],
  ["variables", "Variables", "v"],
  ["output", "Output", "u"],
  ["search", "Search", "f"],
];

// How much of the height is below the bar. A page of a file may have no storage.
function remembered(): number {
  try {
    return Number(localStorage.getItem("split") ?? 46);
  } catch {
    return 46;
  }
}

// Without a program there is no search, and no column for the threads; variables only where they were recorded.
function isThere(tab: Tab): boolean {
  if (!backend.offline) return tab !== "threads";
  return tab !== "search" && (tab !== "variables" || !backend.report);
}

export function Panels() {
  const [split, setSplit] = useState(remembered);
  useEffect(() => {
    try {
      localStorage.setItem("split", String(split));
    } catch {
      // then not for the next time
    }
  }, [split]);
  const drag = (event: PointerEvent) => {
    const bar = event.currentTarget as HTMLElement;
    const column = bar.parentElement!.parentElement!.getBoundingClientRect();
    bar.setPointerCapture(event.pointerId);
    bar.onpointermove = (move) => setSplit(Math.max(15, Math.min(80, (100 * (column.bottom - move.clientY)) / column.height)));
    bar.onpointerup = () => (bar.onpointermove = null);
  };
  return (
    <div class="panels" style={{ height: split + "%" }}>
      <div class="bar" onPointerDown={drag} />
      <nav class="tabs" role="tablist">
        {kTabs.filter(([tab]) => isThere(tab)).map(([tab, title, key]) => (
          <button key={tab} role="tab" aria-selected={model.tab === tab} class={model.tab === tab ? "on" : ""} onClick={() => model.setTab(tab)}>
            {title} <kbd>{key}</kbd>
          </button>
        ))}
      </nav>
      <div class="panel" tabIndex={0}>
        {model.tab === "threads" && (
          <div class="threads" aria-label="threads">
            <Cards />
          </div>
        )}
        {model.tab === "objects" && <Objects />}
        {model.tab === "waits" && <Waits />}
        {model.tab === "variables" && <VariablesPanel />}
        {model.tab === "output" && <Output />}
        {model.tab === "search" && <SearchPanel />}
      </div>
    </div>
  );
}
