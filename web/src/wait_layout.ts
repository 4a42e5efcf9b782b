// Where the wait-for graph's threads stand: those that wait for each other in a circle as a ring, or else those that wait for nobody,
// and above them, row by row, who waits for them.

export interface Edge {
  from: number;
  to: number;
  label: string;
  hope: boolean; // any of several could end the wait
}
export interface Point {
  x: number;
  y: number;
}

export const kWidth = 158; // of a thread's box
export const kHeight = 28;
const kAcross = 262; // from one thread of the ring to the next
const kBeside = 172; // within the other rows
const kDown = 76;
const kMostInRow = 6;

function targets(edges: Edge[], from: number): number[] {
  return edges.filter((edge) => edge.from === from).map((edge) => edge.to);
}

// Each waits for the next, and the last for the first; empty if there is none among these threads.
function circle(edges: Edge[], threads: number[]): number[] {
  for (const start of threads) {
    const paths = [[start]];
    const seen = new Set<number>();
    while (paths.length > 0) {
      const path = paths.shift()!;
      for (const next of targets(edges, path[path.length - 1])) {
        if (next === start) return path;
        if (seen.has(next) || !threads.includes(next)) continue;
        seen.add(next);
        paths.push([...path, next]);
      }
    }
  }
  return [];
}

// The first of it from left to right, the others below them from right to left.
function ring(threads: number[], places: Map<number, Point>, left: number, top: number) {
  const above = threads.length === 2 ? 2 : Math.ceil(threads.length / 2);
  threads.forEach((thread, i) => {
    const below = i >= above;
    const odd = below && threads.length % 2 === 1 ? 0.5 : 0;
    const column = below ? threads.length - 1 - i + odd : i;
    places.set(thread, { x: left + column * kAcross, y: top + (below ? kDown : 0) });
  });
}

function row(threads: number[], places: Map<number, Point>, centre: number, y: number) {
  threads.forEach((thread, i) => places.set(thread, { x: centre + (i - (threads.length - 1) / 2) * kBeside, y }));
}

// Rows of who waits for somebody in the row below.
function rowsAbove(edges: Edge[], core: number[], rest: Set<number>): number[][] {
  const rows: number[][] = [];
  for (let below = core; below.length > 0; ) {
    const next = [...rest].filter((thread) => targets(edges, thread).some((to) => below.includes(to)));
    next.forEach((thread) => rest.delete(thread));
    for (let i = 0; i < next.length; i += kMostInRow) rows.push(next.slice(i, i + kMostInRow));
    below = next;
  }
  return rows;
}

export function place(edges: Edge[], cycle: number[]): { places: Map<number, Point>; width: number; height: number } {
  const rest = new Set(edges.flatMap((edge) => [edge.from, edge.to]));
  const places = new Map<number, Point>();
  let right = 0;
  for (let core = cycle; rest.size > 0; core = []) {
    if (core.length === 0) core = circle(edges, [...rest]);
    const isRing = core.length > 0;
    if (!isRing) core = [...rest].filter((thread) => targets(edges, thread).every((to) => !rest.has(to)));
    core.forEach((thread) => rest.delete(thread));
    const rows = rowsAbove(edges, core, rest);
    const across = isRing ? (core.length === 2 ? kAcross : (Math.ceil(core.length / 2) - 1) * kAcross) : (core.length - 1) * kBeside;
    const span = Math.max(across, ...rows.map((one) => (one.length - 1) * kBeside));
    const centre = right + span / 2;
    if (isRing) ring(core, places, centre - across / 2, 0);
    else row(core, places, centre, 0);
    rows.forEach((one, i) => row(one, places, centre, -(i + 1) * kDown));
    right += span + kBeside;
  }
  return framed(places);
}

function framed(places: Map<number, Point>) {
  const all = [...places.values()];
  const [left, top] = [Math.min(...all.map((point) => point.x)), Math.min(...all.map((point) => point.y))];
  const [dx, dy] = [kWidth / 2 + 34 - left, kHeight / 2 + 16 - top];
  for (const point of all) (point.x += dx), (point.y += dy);
  return { places, width: Math.max(...all.map((point) => point.x)) + kWidth / 2 + 34, height: Math.max(...all.map((point) => point.y)) + kHeight / 2 + 16 };
}
