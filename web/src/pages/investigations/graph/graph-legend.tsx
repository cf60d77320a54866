/** What the colours of a graph mean; the canvas reads them from here. */
import type { RefObject } from 'react';
import { riskLevels } from '../../../data/risk-level.ts';
import { graphWords as words } from '../../../words/investigations.ts';
import type { GraphKind } from './graph-model.ts';

interface GraphLegendProps {
  readonly element: RefObject<HTMLUListElement | null>;
  /** Kinds of values that may be in the graph. */
  readonly kinds: readonly GraphKind[];
}

export function GraphLegend({ element, kinds }: GraphLegendProps) {
  return (
    <ul className="graph-legend" ref={element} aria-label={words.legend}>
      {riskLevels.map(({ name, word }) => (
        <li key={name}>
          <i data-colour={name} aria-hidden /> {word}
        </li>
      ))}
      {kinds.map((kind) => (
        <li key={kind}>
          <i data-colour={kind} aria-hidden /> {words.kinds[kind]}
        </li>
      ))}
      <li hidden>
        <i data-colour="ink" />
        <i data-colour="line" />
        <i data-colour="selected" />
      </li>
    </ul>
  );
}
