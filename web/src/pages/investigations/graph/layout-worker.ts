/** The layout of a graph by forces, in a thread of its own: positions are posted several times a second until they have settled. */
import {
  forceCollide,
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type SimulationLinkDatum,
  type SimulationNodeDatum,
} from 'd3-force';

export interface LayoutRequest {
  /** Radii of the nodes. */
  readonly sizes: readonly number[];
  readonly edges: readonly (readonly [number, number])[];
  /** x and y of each node that has a position already; NaN for the others. */
  readonly start: Float32Array;
  /** What has a position keeps it. */
  readonly isFixed: boolean;
}

export interface LayoutProgress {
  /** x and y of each node. */
  readonly positions: Float32Array;
  readonly isDone: boolean;
}

interface Body extends SimulationNodeDatum {
  readonly size: number;
}

const ticks = 240;
const postMs = 300;

addEventListener('message', ({ data }: MessageEvent<LayoutRequest>) => {
  const { sizes, edges, start, isFixed } = data;
  const bodies = sizes.map((size, index): Body => {
    const [x = Number.NaN, y = Number.NaN] = [start[index * 2], start[index * 2 + 1]];
    if (!Number.isFinite(x) || !Number.isFinite(y)) return { size };
    return { size, x, y, ...(isFixed && { fx: x, fy: y }) };
  });
  const links = edges.map(([source, target]): SimulationLinkDatum<Body> => ({ source, target }));
  const simulation = forceSimulation(bodies)
    .force('link', forceLink(links).distance(40).strength(0.5).iterations(1))
    .force('charge', forceManyBody().strength(-60).theta(1.1).distanceMax(900))
    .force('x', forceX(0).strength(0.03))
    .force('y', forceY(0).strength(0.03))
    .force(
      'collide',
      forceCollide<Body>(({ size }) => size + 2),
    )
    .alphaDecay(1 - 0.001 ** (1 / ticks))
    .stop();
  let postedMs = performance.now();
  for (let tick = 1; tick <= ticks; tick += 1) {
    simulation.tick();
    const nowMs = performance.now();
    if (tick < ticks && nowMs - postedMs < postMs) continue;
    postedMs = nowMs;
    post(bodies, tick === ticks);
  }
});

function post(bodies: readonly Body[], isDone: boolean): void {
  const positions = new Float32Array(bodies.length * 2);
  for (const [index, { x = 0, y = 0 }] of bodies.entries()) positions.set([x, y], index * 2);
  const progress: LayoutProgress = { positions, isDone };
  postMessage(progress, { transfer: [positions.buffer] });
}
