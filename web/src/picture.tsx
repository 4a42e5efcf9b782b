// The picture of a run: threads in columns, time downwards, happens-before as arrows. Only what can be seen is drawn, so that
// runs of a hundred thousand steps stay quick.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { backend, Step, ThreadName } from "./api";
import { colorOf } from "./colors";
import { model } from "./model";

const kRow = 34;
const kGutter = 64;
const kLeast = 100; // width of a column
const kBox = 24;
const kTwoLines = 29;

interface Shape {
  column: Map<number, number>;
  width: number;
}

const centre = (shape: Shape, step: Step) => kGutter + (shape.column.get(step.thread) ?? 0) * shape.width + shape.width / 2;
const middle = (i: number) => i * kRow + kRow / 2;

function Arrows({ shape, first, last }: { shape: Shape; first: number; last: number }) {
  const paths = [];
  for (const [key, [from, to]] of model.edges) {
    if (to < first || from > last) continue;
    const a = model.steps.get(from);
    const b = model.steps.get(to);
    if (!a || !b) continue;
    const [x1, y1, x2, y2] = [centre(shape, a), middle(from) + kBox / 2, centre(shape, b), middle(to) - kBox / 2 - 3];
    const bend = Math.max(14, Math.min(60, (y2 - y1) / 2));
    const future = to >= model.at;
    paths.push(
      <path
        key={key}
        class={"arrow" + (future ? " future" : "") + (to === model.at - 1 ? " current" : "")}
        style={{ stroke: colorOf(a.thread) }}
        d={`M${x1} ${y1} C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2}`}
        marker-end="url(#head)"
      />,
    );
  }
  return <g>{paths}</g>;
}

// Whether the text takes two lines there. A letter is 7.3 wide.
const isLong = (text: string, width: number) => text.length * 7.3 + 18 > width;
function boxAt(i: number, text: string, width: number) {
  const height = isLong(text, width) ? kTwoLines : kBox;
  return { top: i * kRow + (kRow - height) / 2, width, height };
}

const kNoReturn = "the point of no return: after this step, every continuation fails";
const isCritical = (i: number) => model.passing?.critical === i + 1;

function Box({ shape, i, step }: { shape: Shape; i: number; step: Step }) {
  const columns = (step.threads ?? [step.thread]).map((thread) => shape.column.get(thread) ?? 0);
  const left = Math.min(...columns);
  const span = Math.max(...columns) - left + 1;
  const critical = isCritical(i);
  const width = span * shape.width - 10;
  const status = (isLong(step.what, width) ? " long" : "") + (critical ? " critical" : "") + (i >= model.at ? " future" : i === model.at - 1 ? " current" : "");
  return (
    <button
      class={"step" + status}
      tabIndex={-1}
      data-step={i + 1}
      style={{
        ...boxAt(i, step.what, width),
        left: kGutter + left * shape.width + 5,
        "--color": colorOf(step.thread),
      }}
      title={`${i + 1}. ${step.what}${step.place ? "\n" + step.place : ""}${step.preempts ? "\na preemption: the thread before it could have gone on" : ""}${critical ? "\n" + kNoReturn : ""}`}
      onClick={() => model.jump(i + 1)}
    >
      {step.what}
    </button>
  );
}

const kEnded = ["exit", "killed", "failed"];

// What the threads would do next, below the last step.
function Ghosts({ shape }: { shape: Shape }) {
  if (!model.state || !model.run || model.at < model.run.length || model.state.choices) return null;
  return (
    <>
      {model.state.threads.filter((thread) => !kEnded.includes(thread.status)).map((thread) => {
        const place = {
          ...boxAt(model.at, thread.operation, shape.width - 10),
          left: kGutter + (shape.column.get(thread.id) ?? 0) * shape.width + 5,
          "--color": colorOf(thread.id),
        };
        const choice = backend.offline ? undefined : thread.choices[0];
        return (
          <button
            key={thread.id}
            class={"step ghost " + thread.status + (isLong(thread.operation, shape.width - 10) ? " long" : "")}
            tabIndex={-1}
            style={place}
            disabled={!choice}
            title={choice ? "take this step" : (thread.why ?? thread.operation)}
            onClick={() => choice && model.take_choice({ thread: thread.id, ...choice })}
          >
            {thread.operation}
          </button>
        );
      })}
    </>
  );
}

function Gutter({ i, step }: { i: number; step: Step | undefined }) {
  const canSwap = model.run && i + 1 < model.run.length;
  return (
    <div class={"gutter" + (i === model.at - 1 ? " current" : "")} style={{ top: i * kRow, height: kRow, width: kGutter }}>
      {step?.preempts && (
        <span class="preempts" title="a preemption: the thread before it could have gone on">
          ⚡
        </span>
      )}
      {isCritical(i) && (
        <span class="flag" title={kNoReturn}>
          ⚑
        </span>
      )}
      <span class="number">{i + 1}</span>
      {canSwap && !backend.offline && (
        <button class="swap" tabIndex={-1} title={`reorder steps ${i + 1} and ${i + 2}`} onClick={() => model.trySwap(i)}>
          ⇅
        </button>
      )}
    </div>
  );
}

function Heads({ shape, threads }: { shape: Shape; threads: ThreadName[] }) {
  return (
    <div class={"heads" + (shape.width < 140 ? " narrow" : "")} style={{ width: kGutter + threads.length * shape.width }}>
      <span class="head" style={{ width: kGutter }} />
      {threads.map((thread) => (
        <span key={thread.id} class="head" style={{ width: shape.width }} title={thread.name + " " + thread.role}>
          <i class="dot" style={{ background: colorOf(thread.id) }} />
          <b>{thread.name}</b> {thread.role}
        </span>
      ))}
    </div>
  );
}

export function Picture() {
  const area = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [size, setSize] = useState({ width: 600, height: 600 });
  const run = model.run!;
  const threads = run.threads;
  const shape: Shape = {
    column: new Map(threads.map((thread, i) => [thread.id, i])),
    width: Math.max(kLeast, Math.min(300, (size.width - kGutter - 8) / Math.max(1, threads.length))),
  };

  useLayoutEffect(() => {
    const element = area.current!;
    const watch = new ResizeObserver(() => setSize({ width: element.clientWidth, height: element.clientHeight }));
    watch.observe(element);
    return () => watch.disconnect();
  }, []);

  const first = Math.max(0, Math.floor(top / kRow) - 8);
  const last = Math.min(run.length, Math.ceil((top + size.height) / kRow) + 8);
  useEffect(() => void model.want(first, last), [first, last, run.run]);

  useLayoutEffect(() => {
    const element = area.current!;
    const here = model.at * kRow;
    const seen = element.scrollTop;
    if (here < seen + 3 * kRow || here > seen + element.clientHeight - 4 * kRow) {
      element.scrollTop = Math.max(0, here - element.clientHeight / 2);
    }
    const step = model.steps.get(model.at - 1);
    if (!step) return;
    const left = centre(shape, step) - shape.width / 2;
    const isSeen = left >= element.scrollLeft + kGutter && left + shape.width <= element.scrollLeft + element.clientWidth;
    if (!isSeen) element.scrollLeft = left + shape.width / 2 - element.clientWidth / 2;
  }, [model.at, run.run]);

  const width = kGutter + threads.length * shape.width;
  const height = (run.length + 2) * kRow;
  const rows = [];
  for (let i = first; i < last; ++i) {
    const step = model.steps.get(i);
    rows.push(<Gutter key={"g" + i} i={i} step={step} />);
    if (step) rows.push(<Box key={i} shape={shape} i={i} step={step} />);
  }
  return (
    <div class="picture" ref={area} onScroll={() => setTop(area.current!.scrollTop)} tabIndex={-1} data-testid="picture">
      <Heads shape={shape} threads={threads} />
      <div class="canvas" style={{ width, height }}>
        {threads.map((thread, i) => (
          <div key={thread.id} class="lifeline" style={{ left: kGutter + (i + 0.5) * shape.width, "--color": colorOf(thread.id) }} />
        ))}
        {model.passing?.critical && (
          <div class="no-return" style={{ top: model.passing.critical * kRow - 1, width }} title={kNoReturn}>
            <span>point of no return</span>
          </div>
        )}
        <div class="now" style={{ top: model.at * kRow - 1, width }} />
        <svg width={width} height={(last - first + 2) * kRow} style={{ top: first * kRow }} viewBox={`0 ${first * kRow} ${width} ${(last - first + 2) * kRow}`}>
          <defs>
            <marker id="head" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="7" markerHeight="7" orient="auto">
              <path d="M0 0.8 L7 4 L0 7.2 z" fill="context-stroke" />
            </marker>
          </defs>
          <Arrows shape={shape} first={first} last={last} />
        </svg>
        {rows}
        <Ghosts shape={shape} />
      </div>
    </div>
  );
}
