/** Monitors as code: the file that a monitor is from, and what has changed since it was applied. */
import { plain } from '../../data/foreign.ts';
import type { Monitor } from '../../data/monitors.ts';
import { Text } from '../../parts/text.tsx';
import { monitorWords as words } from '../../words/monitors.ts';

type Declaration = NonNullable<Monitor['declared']>;

export function Declared({ declared }: { readonly declared: Declaration }) {
  return (
    <small className="declared">
      <span className="pale">{words.fromFile(<Text of={declared.file} />)}</span>
      <Drift declared={declared} />
    </small>
  );
}

export function Drift({ declared: { changed } }: { readonly declared: Declaration }) {
  if (changed.length === 0) return null;
  const settings = changed.map(plain).map((setting) => words.settings[setting] ?? setting);
  return <span className="chip drift">{words.changedSince(settings)}</span>;
}
