import { foreign } from '../data/foreign.ts';
import { valueWords } from '../words/parts.ts';
import { Text } from './text.tsx';

const membersMax = 200;
const linesShown = 3;

/** When and from where something was fetched is not part of it. */
const unshown: ReadonlySet<string> = new Set(['fetched', 'sources']);

/** Any JSON value of a record. Every text in it is somebody else's. */
export function Value({ of }: { of: unknown }) {
  if (of === null || of === undefined || of === '') return <span className="pale">–</span>;
  if (typeof of === 'boolean') return <span>{of ? valueWords.yes : valueWords.no}</span>;
  if (typeof of !== 'object') return <Scalar of={String(of)} />;
  if (Array.isArray(of)) return <Values of={of} />;
  const members = Object.entries(of).filter(([name, value]) => !unshown.has(name) && !isEmpty(value));
  if (members.length === 0) return <span className="pale">–</span>;
  const [only] = members;
  if (members.length === 1 && only?.[0] === 'value') return <Value of={only[1]} />;
  return (
    <dl className="members">
      {members.slice(0, membersMax).map(([name, value]) => (
        <div key={name}>
          <dt>
            <Text of={foreign(name.replaceAll('_', ' '))} />
          </dt>
          <dd>
            <Value of={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** A long text, such as a WHOIS record, is opened on demand. */
function Scalar({ of }: { of: string }) {
  const lines = of.split('\n').length;
  if (lines <= linesShown) return <Text of={foreign(of)} lines />;
  return (
    <details className="long-text">
      <summary>{valueWords.lines(lines)}</summary>
      <Text of={foreign(of)} lines />
    </details>
  );
}

function Values({ of }: { of: readonly unknown[] }) {
  const values = of.filter((value) => !isEmpty(value));
  if (values.length === 0) return <span className="pale">–</span>;
  return (
    <ul className="values">
      {values.slice(0, membersMax).map((value, index) => (
        <li key={index}>
          <Value of={value} />
        </li>
      ))}
      {values.length > membersMax && <li className="pale">{valueWords.more(values.length - membersMax)}</li>}
    </ul>
  );
}

/** Counts of a record's values have pages of their own. */
function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  if (Array.isArray(value)) return value.every(isEmpty);
  return typeof value === 'object' && Object.values(value).every(isEmpty);
}
