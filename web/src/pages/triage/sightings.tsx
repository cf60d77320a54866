/** Whether our own sensors saw a domain resolved: a mark for rows, and what is known about it for cards and pages. */
import type { Domain } from '../../data/detect.ts';
import { Text } from '../../parts/text.tsx';
import { Ago } from '../../parts/time.tsx';
import { timeWords, sightingWords as words } from '../../words/parts.ts';

type Sightings = NonNullable<Domain['sightings']>;

/** One element: lists may have thousands of rows. */
export function ResolvedMark({ sightings }: { sightings: Sightings }) {
  const text = words.mark(sightings.count);
  return <span className="resolved-mark" role="img" aria-label={text} title={text} />;
}

export function Resolved({ sightings }: { sightings: Sightings | undefined }) {
  if (!sightings) return <p className="pale">{words.never}</p>;
  return (
    <>
      <p className="resolved">
        <span className="resolved-mark" aria-hidden="true" />{' '}
        {words.times(
          sightings.count,
          <Ago at={sightings.first} suffix={timeWords.ago} />,
          <Ago at={sightings.last} suffix={timeWords.ago} />,
        )}
      </p>
      <ul className="values">
        {sightings.sensors.map(({ sensor, count, last }) => (
          <li key={sensor}>
            <span className="chip">{words.sensors[sensor]}</span>{' '}
            {words.ofSensor(count, <Ago at={last} suffix={timeWords.ago} />)}
          </li>
        ))}
        {sightings.clients && (
          <li>{words.clients(sightings.clients.count, <Text of={sightings.clients.day} />)}</li>
        )}
      </ul>
    </>
  );
}
