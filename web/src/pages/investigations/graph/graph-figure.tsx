/** A drawn graph with its legend, and the buttons that move it. Where nothing can be drawn, it says so. */
import { Maximize, ZoomIn, ZoomOut } from 'lucide-react';
import { lazy, type RefObject, Suspense, useRef, useState } from 'react';
import { graphWords as words } from '../../../words/investigations.ts';
import type { GraphCanvasProps, GraphHandle } from './graph-canvas.tsx';
import { GraphLegend } from './graph-legend.tsx';
import type { GraphKind } from './graph-model.ts';

/** Loaded only where it can be drawn. */
const GraphCanvas = lazy(async () => ({ default: (await import('./graph-canvas.tsx')).GraphCanvas }));

interface GraphFigureProps
  extends Pick<GraphCanvasProps, 'model' | 'selected' | 'select' | 'current' | 'isLocked' | 'handle'> {
  readonly canDraw: boolean;
  readonly kinds: readonly GraphKind[];
}

export function GraphFigure({ canDraw, kinds, ...canvas }: GraphFigureProps) {
  const [isLaying, setLaying] = useState(false);
  const legend = useRef<HTMLUListElement>(null);
  if (!canDraw) return <p className="banner">{words.noGl}</p>;
  return (
    <figure className="graph-figure">
      <Suspense>
        <GraphCanvas {...canvas} legend={legend} onLayout={setLaying} />
      </Suspense>
      <GraphLegend element={legend} kinds={kinds} />
      <p className="graph-state pale" role="status">
        {isLaying ? words.laying : ''}
      </p>
    </figure>
  );
}

const zoomStep = 1.5;

export function ZoomButtons({ canvas }: { canvas: RefObject<GraphHandle | null> }) {
  return (
    <>
      <button type="button" aria-label={words.zoomIn} onClick={() => canvas.current?.zoom(zoomStep)}>
        <ZoomIn size={15} aria-hidden />
      </button>
      <button type="button" aria-label={words.zoomOut} onClick={() => canvas.current?.zoom(1 / zoomStep)}>
        <ZoomOut size={15} aria-hidden />
      </button>
      <button type="button" aria-label={words.fit} onClick={() => canvas.current?.fit()}>
        <Maximize size={15} aria-hidden />
      </button>
    </>
  );
}
