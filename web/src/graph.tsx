// The graph of global states, as figure 1 of VeriSoft's paper has it: the current state is marked, a click goes to another.
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { zoomBy } from "./keys";
import { layout } from "./layout";
import { model } from "./model";

const kNames: Record<string, string> = { deadlock: "deadlock", end: "the program ends here", error: "something is wrong here", bound: "a bound is reached" };

const kCaption = 44; // above the drawing

export function GraphView() {
  const graph = model.graph;
  const area = useRef<HTMLDivElement>(null);
  const small = (graph?.nodes.length ?? 0) <= 60;
  const drawing = useMemo(() => graph && layout(graph, small ? 120 : 34, small ? 72 : 46), [graph]);
  const here = graph?.path[model.at] ?? null;
  const [room, setRoom] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = area.current;
    if (!element) return;
    const watch = new ResizeObserver(() => setRoom({ width: element.clientWidth, height: element.clientHeight - kCaption }));
    watch.observe(element);
    return () => watch.disconnect();
  }, [graph]);
  // All of it, but never larger than life.
  const fit = drawing && room.width > 0 ? Math.min(1, room.width / drawing.width, room.height / drawing.height) : 1;
  const zoom = model.zoom === "fit" ? fit : model.zoom;
  useLayoutEffect(() => {
    area.current?.querySelector(".node.here")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [here, zoom]);
  if (!graph || !drawing) return <div class="graph empty">exploring the states ...</div>;
  const path = new Set<string>();
  for (let i = 0; i < model.at; ++i) path.add(graph.path[i] + ">" + graph.path[i + 1]);
  const outgoing = graph.edges.filter((edge) => edge.from === here);
  return (
    <div class="graph" ref={area} data-testid="graph" data-zoom={zoom}>
      <nav class="zoom">
        <button title="smaller (−)" onClick={() => zoomBy(0.8)}>−</button>
        <button title="as large as fits (0)" class={model.zoom === "fit" ? "on" : ""} onClick={() => model.setZoom("fit")}>
          {Math.round(zoom * 100)} %
        </button>
        <button title="larger (+)" onClick={() => zoomBy(1.25)}>+</button>
      </nav>
      <p class="caption" data-states={graph.nodes.length} data-transitions={graph.edges.length}>
        {graph.nodes.length} states, {graph.edges.length} transitions
        {!graph.whole && " (and more: this program is too large to draw)"}
      </p>
      <svg
        width={drawing.width * zoom}
        height={drawing.height * zoom}
        viewBox={`0 0 ${drawing.width} ${drawing.height}`}
        onWheel={(event) => {
          if (!event.ctrlKey) return;
          event.preventDefault();
          zoomBy(event.deltaY < 0 ? 1.1 : 1 / 1.1);
        }}
      >
        <defs>
          <marker id="graph-head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
            <path d="M0 0.8 L7 4 L0 7.2 z" fill="context-stroke" />
          </marker>
        </defs>
        {graph.edges.map((edge, i) => {
          const a = drawing.places[edge.from];
          const b = drawing.places[edge.to];
          const back = b.y <= a.y;
          const bend = back ? 60 : 0;
          const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
          const [ux, uy] = [(b.x - a.x) / length, (b.y - a.y) / length];
          const d = `M${a.x + ux * 13} ${a.y + uy * 13} Q${(a.x + b.x) / 2 + bend} ${(a.y + b.y) / 2} ${b.x - ux * 14} ${b.y - uy * 14}`;
          const on = path.has(edge.from + ">" + edge.to);
          return (
            <path key={i} d={d} class={"edge" + (on ? " on" : "") + (edge.from === here ? " next" : "")} marker-end="url(#graph-head)">
              <title>{edge.label}</title>
            </path>
          );
        })}
        {small &&
          outgoing.map((edge, i) => {
            const [a, b] = [drawing.places[edge.from], drawing.places[edge.to]];
            return (
              <text key={"t" + i} class="label" x={a.x + (b.x - a.x) * 0.55} y={a.y + (b.y - a.y) * 0.55} text-anchor={b.x < a.x ? "end" : "start"}>
                {edge.label}
              </text>
            );
          })}
        {graph.nodes.map((node, i) => (
          <g
            key={i}
            class={"node " + node.kind + (i === here ? " here" : "") + (graph.path.slice(0, model.at).includes(i) ? " on" : "")}
            transform={`translate(${drawing.places[i].x} ${drawing.places[i].y})`}
            onClick={() => model.goToNode(i)}
            onKeyDown={(event) => event.key === "Enter" && model.goToNode(i)}
            tabindex={0}
            role="button"
            data-node={i}
            data-kind={node.kind}
          >
            <circle r={small ? 12 : 8} />
            {small && <text dy="4">{i}</text>}
            <title>{`state ${i}${kNames[node.kind] ? ": " + kNames[node.kind] : ""}`}</title>
          </g>
        ))}
      </svg>
    </div>
  );
}
