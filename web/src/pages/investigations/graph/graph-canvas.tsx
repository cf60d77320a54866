/** Draws the graph. It is never the only way: the table beside it has the same domains and the same selection. */
import { UndirectedGraph } from 'graphology';
import { type Ref, type RefObject, useEffect, useImperativeHandle, useRef } from 'react';
import { Sigma } from 'sigma';
import { foreign } from '../../../data/foreign.ts';
import { riskLevel } from '../../../data/risk-level.ts';
import { spelledOut } from '../../../data/unseen.ts';
import { useStable } from '../../../parts/use-stable.ts';
import { graphWords as words } from '../../../words/investigations.ts';
import { type Colours, coloursIn, watchTheme } from './colours.ts';
import { dragNodes } from './drag-nodes.ts';
import { drawHover } from './draw-hover.ts';
import type { Position } from './gexf.ts';
import type { GraphModel, GraphNode } from './graph-model.ts';
import type { LayoutProgress, LayoutRequest } from './layout-worker.ts';
import { pngOf } from './png.ts';
import { startLayout } from './start-layout.ts';

export interface GraphHandle {
  png(): Promise<Blob>;
  positions(): ReadonlyMap<string, Position>;
  /** Above 1: closer. */
  zoom(factor: number): void;
  fit(): void;
}

export interface GraphCanvasProps {
  readonly model: GraphModel;
  /** Domains. */
  readonly selected: ReadonlySet<string>;
  readonly select: (domains: ReadonlySet<string>) => void;
  /** The domain that the table is at. */
  readonly current: string | undefined;
  readonly isLocked: boolean;
  /** Has an element of the colour of each kind of node. */
  readonly legend: RefObject<HTMLElement | null>;
  readonly onLayout: (isRunning: boolean) => void;
  readonly handle: Ref<GraphHandle>;
}

const labelMax = 48;

export function labelOf({ kind, name, count }: GraphNode): string {
  if (count > 1) return words.alike(count, kind);
  const text = spelledOut(foreign(name));
  return text.length > labelMax ? `${text.slice(0, labelMax - 1)}…` : text;
}

const sizeOf = ({ kind, count, domains }: GraphNode): number =>
  kind === 'domain' ? 3 + Math.min(9, Math.sqrt(count - 1)) : 4 + Math.min(9, Math.sqrt(domains.length));

export function GraphCanvas(props: GraphCanvasProps) {
  const { model, selected, current, isLocked, legend, handle } = props;
  const container = useRef<HTMLDivElement>(null);
  const sigma = useRef<Sigma>(undefined);
  const positions = useRef(new Map<string, Position>());
  const shown = useRef({ selected, current, isLocked });
  shown.current = { selected, current, isLocked };
  const colours = useRef<Colours>(undefined);
  const running = useRef<AbortController>(undefined);
  const onLayout = useStable(props.onLayout);
  const click = useStable((domains: readonly string[], adds: boolean) => {
    const all = domains.every((domain) => selected.has(domain));
    const kept = adds ? [...selected].filter((domain) => !domains.includes(domain)) : [];
    const isOnly = all && (adds || selected.size === domains.length);
    props.select(new Set(isOnly ? kept : [...kept, ...domains]));
  });

  useEffect(() => {
    const element = container.current;
    if (!element || !legend.current) return undefined;
    colours.current = coloursIn(legend.current);
    const drawn = newSigma(element, () => colours.current as Colours, shown);
    sigma.current = drawn;
    drawn.on('clickNode', ({ node, event: { original } }) => {
      const { domains } = drawn.getGraph().getNodeAttributes(node) as { domains: readonly string[] };
      click(domains, original.ctrlKey || original.metaKey || original.shiftKey);
    });
    const stopDragging = dragNodes(
      drawn,
      () => !shown.current.isLocked,
      (key, position) => positions.current.set(key, position),
    );
    const stopWatching = watchTheme(() => {
      if (!legend.current) return;
      colours.current = coloursIn(legend.current);
      drawn.setSetting('labelColor', { color: colours.current.ink });
      drawn.refresh({ skipIndexation: true });
    });
    // Sigma follows the size of the window, but the toolbar of a selection takes height too.
    const sizes = new ResizeObserver(() => drawn.scheduleRender());
    sizes.observe(element);
    return () => {
      sizes.disconnect();
      stopWatching();
      stopDragging();
      drawn.kill();
    };
  }, [legend, click]);

  useEffect(() => {
    const drawn = sigma.current;
    if (!drawn) return undefined;
    const ended = new AbortController();
    running.current = ended;
    onLayout(true);
    // A task of its own, after the one that has made the page.
    const timer = setTimeout(() => {
      const graph = graphOf(model, positions.current);
      drawn.setGraph(graph);
      const isPlaced = model.nodes.every(({ key }) => positions.current.has(key));
      if (model.nodes.length === 0 || (shown.current.isLocked && isPlaced)) {
        onLayout(false);
        return;
      }
      const onProgress = ({ positions: found, isDone }: LayoutProgress) => {
        for (const [index, { key }] of model.nodes.entries())
          positions.current.set(key, { x: found[index * 2] ?? 0, y: found[index * 2 + 1] ?? 0 });
        graph.updateEachNodeAttributes(
          (key, attributes) => ({ ...attributes, ...positions.current.get(key) }),
          { attributes: ['x', 'y'] },
        );
        if (isDone) onLayout(false);
      };
      startLayout(layoutRequest(model, positions.current, shown.current.isLocked), onProgress, ended.signal);
    });
    return () => {
      clearTimeout(timer);
      ended.abort();
      onLayout(false);
    };
  }, [model, onLayout]);

  useEffect(() => {
    if (!isLocked || positions.current.size === 0) return;
    running.current?.abort();
    onLayout(false);
  }, [isLocked, onLayout]);

  const drawnState = useRef(new Map<string, string>());
  useEffect(() => {
    const next = new Map(model.nodes.map((node) => [node.key, stateOf(node.domains, { selected, current })]));
    const nodes = [...next]
      .filter(([key, state]) => drawnState.current.get(key) !== state)
      .map(([key]) => key);
    drawnState.current = next;
    const known = nodes.filter((key) => sigma.current?.getGraph().hasNode(key));
    if (known.length > 0)
      sigma.current?.refresh({ partialGraph: { nodes: known }, skipIndexation: true, schedule: true });
  }, [selected, current, model]);

  useImperativeHandle(
    handle,
    () => ({
      png: () => pngOf(sigma.current as Sigma, colours.current?.paper ?? 'white'),
      positions: () => positions.current,
      zoom: (factor) => {
        const camera = sigma.current?.getCamera();
        void camera?.animate({ ratio: camera.ratio / factor }, { duration: 0 });
      },
      fit: () => void sigma.current?.getCamera().animate({ x: 0.5, y: 0.5, ratio: 1 }, { duration: 0 }),
    }),
    [],
  );
  return <div ref={container} className="graph-canvas" role="img" aria-label={words.canvas} />;
}

/** How a node is drawn apart from what it is. */
function stateOf(domains: readonly string[], { selected, current }: Shown): string {
  const isSelected = domains.length > 0 && domains.every((domain) => selected.has(domain));
  const isCurrent = current !== undefined && domains.length === 1 && domains[0] === current;
  return `${isSelected ? 'selected' : ''} ${isCurrent ? 'current' : ''}`;
}

function layoutRequest(
  { nodes, edges }: GraphModel,
  positions: ReadonlyMap<string, Position>,
  isLocked: boolean,
): LayoutRequest {
  const start = Float32Array.from(nodes.flatMap(({ key }) => startOf(positions.get(key))));
  return { sizes: nodes.map(sizeOf), edges, start, isFixed: isLocked };
}

const startOf = (position: Position | undefined): readonly [number, number] =>
  position ? [position.x, position.y] : [Number.NaN, Number.NaN];

/** What has no position yet is on a circle, until the layout has one. */
function graphOf({ nodes, edges }: GraphModel, positions: ReadonlyMap<string, Position>): UndirectedGraph {
  const graph = new UndirectedGraph();
  for (const [index, node] of nodes.entries()) {
    const angle = (index / nodes.length) * 2 * Math.PI;
    const { x, y } = positions.get(node.key) ?? { x: Math.cos(angle) * 100, y: Math.sin(angle) * 100 };
    graph.addNode(node.key, {
      x,
      y,
      size: sizeOf(node),
      label: labelOf(node),
      kind: node.kind === 'domain' ? riskLevel(node.risk).name : node.kind,
      domains: node.domains,
    });
  }
  for (const [source, target] of edges) {
    const [from, to] = [nodes[source]?.key, nodes[target]?.key];
    if (from !== undefined && to !== undefined) graph.addEdge(from, to);
  }
  return graph;
}

interface Shown {
  readonly selected: ReadonlySet<string>;
  readonly current: string | undefined;
}

function newSigma(element: HTMLElement, colours: () => Colours, shown: RefObject<Shown>): Sigma {
  return new Sigma(new UndirectedGraph(), element, {
    allowInvalidContainer: true,
    labelFont: 'JetBrains Mono Variable, monospace',
    labelSize: 12,
    labelColor: { color: colours().ink },
    labelRenderedSizeThreshold: 6,
    labelDensity: 0.4,
    defaultDrawNodeHover: (context, data, settings) => drawHover(context, data, settings, colours()),
    nodeReducer: (_key, { kind, domains, ...data }) => {
      const { selected } = shown.current;
      const state = stateOf(domains as readonly string[], shown.current);
      const isSelected = state.startsWith('selected');
      return {
        ...data,
        color: isSelected ? colours().selected : (colours().kinds[kind as string] ?? colours().ink),
        highlighted: state.endsWith('current'),
        ...(isSelected && {
          size: (data['size'] as number) * 1.4,
          zIndex: 1,
          forceLabel: selected.size < 20,
        }),
      };
    },
    edgeReducer: (_key, data) => ({ ...data, color: colours().line, size: 0.5 }),
    zIndex: true,
  });
}
