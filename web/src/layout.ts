// A layered layout of the graph of states: a state's layer is its distance from the first one, and within the layers the order
// is improved by barycentres (Sugiyama, Tagawa, Toda 1981).
import { Graph } from "./api";

export interface Placed {
  x: number;
  y: number;
}

const kRounds = 12;
const kLetter = 6.7; // width of what is written beside the arrows

export function layout(graph: Graph, dx: number, dy: number): { places: Placed[]; width: number; height: number } {
  const layers: number[][] = [];
  graph.nodes.forEach((node, i) => (layers[node.depth] ??= []).push(i));
  const before: number[][] = graph.nodes.map(() => []);
  const after: number[][] = graph.nodes.map(() => []);
  for (const edge of graph.edges) {
    if (edge.from === edge.to) continue;
    after[edge.from].push(edge.to);
    before[edge.to].push(edge.from);
  }
  const x = new Array<number>(graph.nodes.length).fill(0);
  const spread = (layer: number[]) => layer.forEach((node, i) => (x[node] = i - (layer.length - 1) / 2));
  const mean = (nodes: number[], otherwise: number) => (nodes.length ? nodes.reduce((sum, node) => sum + x[node], 0) / nodes.length : otherwise);
  layers.forEach(spread);
  for (let round = 0; round < kRounds; ++round) {
    const down = round % 2 === 0;
    for (const layer of down ? layers : [...layers].reverse()) {
      const wish = new Map(layer.map((node) => [node, mean(down ? before[node] : after[node], x[node])]));
      layer.sort((a, b) => wish.get(a)! - wish.get(b)! || a - b);
      spread(layer);
    }
  }
  const widest = Math.max(...layers.map((layer) => layer.length));
  const longest = Math.max(0, ...graph.edges.map((edge) => edge.label.length)) * kLetter;
  const width = Math.max(1, widest) * dx + Math.max(80, Math.min(500, 2 * (longest - 80)));
  const places = graph.nodes.map((node, i) => ({ x: width / 2 + x[i] * dx, y: 40 + node.depth * dy }));
  return { places, width, height: layers.length * dy + 60 };
}
