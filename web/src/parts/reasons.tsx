import type { Foreign } from '../data/foreign.ts';
import { riskWords } from '../words/parts.ts';
import { Text } from './text.tsx';

export interface ShownReason {
  readonly code: string;
  readonly text: Foreign;
  readonly value?: Foreign | null;
  readonly points: number;
  /** Parts of the score that it moves. */
  readonly components: readonly string[];
}

/** `threat_profile_phishing` is the profile of phishing. */
export const componentWord = (component: string): string =>
  component.replace(/^threat_profile_/, '').replaceAll('_', ' ');

/** What raised the score and what lowered it, the strongest first. */
export function Reasons({ reasons, max = 8 }: { reasons: readonly ShownReason[]; max?: number }) {
  if (reasons.length === 0) return <p className="pale">{riskWords.noReasons}</p>;
  const strongest = reasons.toSorted((a, b) => Math.abs(b.points) - Math.abs(a.points)).slice(0, max);
  return (
    <ul className="reasons">
      {strongest.map(({ code, text, value, points, components }, index) => (
        <li key={`${code}-${index}`}>
          <span className="points">{points > 0 ? `+${points}` : `−${Math.abs(points)}`}</span>
          <span className="track" aria-hidden="true">
            <i
              className={points > 0 ? 'up' : 'down'}
              style={{ width: `${Math.min(100, Math.abs(points))}%` }}
            />
          </span>
          <span className="reason">
            <Text of={text} />
            {value !== undefined && value !== null && (
              <>
                {': '}
                <Text of={value} />
              </>
            )}{' '}
            <small>{components.map(componentWord).join(', ')}</small>
          </span>
        </li>
      ))}
    </ul>
  );
}
