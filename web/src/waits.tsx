// Who waits for whom: the wait-for graph of the state. An arrow leads from a thread to whoever must give something up first, or,
// dashed, to those of whom any could end the wait.
import { ThreadView } from "./api";
import { colorOf } from "./colors";
import { model } from "./model";
import { Edge, kHeight, kWidth, place, Point } from "./wait_layout";

const kMostThreads = 40;
const kApart = 8; // of two opposite arrows

function labelOf(thread: ThreadView): string {
  return model.state!.objects.find((one) => one.id === thread.object)?.name ?? "";
}

function edgesOf(thread: ThreadView): Edge[] {
  const holders = thread.holders ?? [];
  const hope = holders.length === 0;
  return (hope ? (thread.hopes ?? []) : holders).map((to) => ({ from: thread.id, to, label: labelOf(thread), hope }));
}

const short = (text: string, most: number) => (text.length > most ? text.slice(0, most - 1) + "…" : text);

// From border to border of the two boxes, and where to write beside it.
function arrow(a: Point, b: Point, hasOpposite: boolean) {
  if (a === b) {
    const right = a.x + kWidth / 2;
    return { d: `M${right} ${a.y - 6} C${right + 34} ${a.y - 24} ${right + 34} ${a.y + 24} ${right + 2} ${a.y + 6}`, x: right, y: a.y - 20 };
  }
  const length = Math.hypot(b.x - a.x, b.y - a.y);
  const [ux, uy] = [(b.x - a.x) / length, (b.y - a.y) / length];
  const reach = Math.min(kWidth / 2 / Math.max(Math.abs(ux), 0.001), kHeight / 2 / Math.max(Math.abs(uy), 0.001)) + 3;
  const side = hasOpposite ? kApart : 0;
  const [sx, sy] = [uy * side, -ux * side];
  const start = { x: a.x + ux * reach + sx, y: a.y + uy * reach + sy };
  const end = { x: b.x - ux * reach + sx, y: b.y - uy * reach + sy };
  const beside = (ux < 0 ? 13 : -5) * Math.abs(ux);
  return { d: `M${start.x} ${start.y} L${end.x} ${end.y}`, x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 + beside + (Math.abs(ux) < 0.5 ? 4 : 0) };
}

function Drawing({ edges }: { edges: Edge[] }) {
  const cycle = model.state!.cycle;
  const { places, width, height } = place(edges, cycle);
  return (
    <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
      <defs>
        <marker id="wait-head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
          <path d="M0 0.8 L7 4 L0 7.2 z" fill="context-stroke" />
        </marker>
      </defs>
      {edges.map((edge, i) => {
        const hasOpposite = edges.some((other) => other.from === edge.to && other.to === edge.from);
        const { d, x, y } = arrow(places.get(edge.from)!, places.get(edge.to)!, hasOpposite);
        const inCycle = !edge.hope && cycle.includes(edge.from) && cycle.includes(edge.to);
        return (
          <g key={i} class={"wait" + (edge.hope ? " hope" : "") + (inCycle ? " cycle" : "")}>
            <path d={d} marker-end="url(#wait-head)" />
            <title>{edge.label}</title>
            <text x={x} y={y}>{short(edge.label, 26)}</text>
          </g>
        );
      })}
      {[...places].map(([id, { x, y }]) => {
        const thread = model.state!.threads.find((one) => one.id === id)!;
        return (
          <g key={id} class={"waiter" + (cycle.includes(id) ? " cycle" : "")} style={{ "--color": colorOf(id) }} transform={`translate(${x} ${y})`} data-thread={thread.name}>
            <rect x={-kWidth / 2} y={-kHeight / 2} width={kWidth} height={kHeight} rx="7" />
            <text dy="4">{short(`${thread.name} ${thread.role}`, 21)}</text>
            <title>{`${thread.name} ${thread.role}\n${thread.operation}\n${thread.why ?? ""}`}</title>
          </g>
        );
      })}
    </svg>
  );
}

export function Waits() {
  const all = model.state!.threads.filter((thread) => thread.status === "blocked" || thread.status === "asleep");
  if (all.length === 0) return <p class="empty">no thread waits in this state</p>;
  const waiting = all.slice(0, kMostThreads);
  const edges = waiting.flatMap(edgesOf);
  const alone = waiting.filter((thread) => edgesOf(thread).length === 0);
  return (
    <div class="waits" data-testid="waits">
      {edges.length > 0 && <Drawing edges={edges} />}
      <p class="soft">
        {model.state!.cycle.length > 0 && "red: each waits for the next, and the last for the first. "}
        {edges.some((edge) => edge.hope) && "dashed: any of them could end the wait. "}
        {all.length > waiting.length && `These are the first ${waiting.length} of ${all.length} that wait.`}
      </p>
      {alone.map((thread) => (
        <p key={thread.id}>
          <i class="dot" style={{ background: colorOf(thread.id) }} /> <b>{thread.name}</b> {thread.role}: <code>{thread.operation}</code>, {thread.why}
        </p>
      ))}
    </div>
  );
}
