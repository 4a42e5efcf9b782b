// The source of one thread, with the line marked that it stands at, and where the others stand.
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { backend, ThreadView } from "./api";
import { commented, Line } from "./code";
import { colorOf } from "./colors";
import { model } from "./model";

// Which threads stand at which line of the file.
function standing(file: string): Map<number, number[]> {
  const lines = new Map<number, number[]>();
  for (const thread of model.state?.threads ?? []) {
    const frame = thread.stack.find((one) => one.user);
    if (frame?.file !== file) continue;
    lines.set(frame.line, [...(lines.get(frame.line) ?? []), thread.id]);
  }
  return lines;
}

// The line that is shown; another number runs to that line.
function LineInput({ file, line }: { file: string; line?: number }) {
  if (!file) return <span class="file">no source</span>;
  return (
    <label class="file" title={backend.offline ? file : `${file}\nanother number: run to that line (l)`}>
      {file.split("/").pop() + ":"}
      <input
        id="line"
        aria-label="line"
        readOnly={backend.offline}
        style={{ width: String(line).length + 1 + "ch" }}
        value={line}
        onChange={(event) => {
          const wanted = Number((event.target as HTMLInputElement).value);
          if (wanted > 0 && wanted !== line) void model.runTo({ location: `${file}:${wanted}` });
        }}
      />
    </label>
  );
}

function whyNoSource(thread: ThreadView, file: string): string {
  if (file) return backend.offline ? "this file is not in the page" : "this file cannot be read here";
  if (thread.stack.length > 0) return "there is no debug information for this place";
  return thread.status === "exit" || thread.status === "killed" ? `${thread.name} has ended` : `where ${thread.name} is, is not known`;
}

export function Source() {
  const area = useRef<HTMLDivElement>(null);
  const thread = model.state?.threads.find((one) => one.id === model.shown());
  const frame = model.pin ?? thread?.stack[Math.min(model.frame, (thread?.stack.length ?? 1) - 1)];
  const file = frame?.file ?? "";
  useEffect(() => void model.wantSource(file), [file]);
  const lines = model.sources.get(file) ?? [];
  const within = useMemo(() => commented(lines), [lines]);
  useLayoutEffect(() => {
    const marked = area.current?.querySelector<HTMLElement>(".line.marked");
    if (!marked || !area.current) return;
    area.current.scrollTop = marked.offsetTop - area.current.clientHeight / 2 + 10;
  }, [file, frame?.line, lines.length]);
  if (!thread) return <div class="source empty">there is no thread</div>;
  // What called the user's outermost function is the library's own business.
  const outermost = thread.stack.map((one) => one.user).lastIndexOf(true);
  const stack = outermost < 0 ? thread.stack : thread.stack.slice(0, outermost + 1);
  const others = standing(file);
  return (
    <div class="source" aria-label="source">
      <nav class="stack">
        <b style={{ color: colorOf(thread.id) }}>{thread.name}</b>
        <LineInput file={file} line={frame?.line} />
        {model.pin && <em class="soft">{model.pin.function}</em>}
        {stack.slice(0, 12).map((one, i) => (
          <button key={i} class={(i === model.frame && !model.pin ? "on" : "") + (one.user ? "" : " system")} title={one.file ? `${one.file}:${one.line}` : one.module} onClick={() => model.select(thread.id, i)}>
            {one.function || one.module || "?"}
          </button>
        ))}
      </nav>
      <div class="code" ref={area} tabIndex={0}>
        {Array.from(lines, (text, i) => {
          // Lines that are not here are one row of dots.
          if (text === undefined) return i > 0 && lines[i - 1] === undefined ? null : <div key={i} class="line gap">⋯</div>;
          const here = others.get(i + 1) ?? [];
          const marked = i + 1 === frame?.line;
          return (
            <div key={i} class={"line" + (marked ? " marked" : "")} style={marked ? { "--color": colorOf(thread.id) } : {}}>
              {backend.offline ? (
                <span class="line-number">{i + 1}</span>
              ) : (
                <button class="line-number" tabIndex={-1} title={`run to line ${i + 1}`} onClick={() => model.runTo({ location: `${file}:${i + 1}` })}>
                  {i + 1}
                </button>
              )}
              <span class="pins">
                {here.slice(0, 4).map((id) => (
                  <i key={id} class="dot" style={{ background: colorOf(id) }} title={model.state!.threads.find((one) => one.id === id)?.name} />
                ))}
              </span>
              <Line text={text} inComment={within[i]} onOpen={model.hello?.editor ? () => void model.edit(file, i + 1) : undefined} />
            </div>
          );
        })}
        {lines.length === 0 && <p class="empty">{whyNoSource(thread, file)}</p>}
      </div>
    </div>
  );
}
