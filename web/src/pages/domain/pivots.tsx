import { Link } from '@tanstack/react-router';
import { Compass } from 'lucide-react';
import { useState } from 'react';
import { usePivots } from '../../data/domain.ts';
import { wordsOfField } from '../../data/field-words.ts';
import { plain } from '../../data/foreign.ts';
import { groupPivots, type PivotGroup } from '../../data/pivot-groups.ts';
import { Failure, Skeletons } from '../../parts/region.tsx';
import { Text } from '../../parts/text.tsx';
import { WideTable } from '../../parts/wide-table.tsx';

const shownAtFirst = 8;

/** Values of the record, how many domains share each, how risky those are, and the first of them. */
export function Pivots({ name }: { name: string }) {
  const pivots = usePivots(name);
  const [all, setAll] = useState(false);
  if (pivots.isError)
    return <Failure error={pivots.error} what="What it shares" retry={() => void pivots.refetch()} />;
  if (!pivots.data) return <Skeletons count={6} label="what it shares" />;
  const shared = groupPivots(pivots.data.pivots.filter(({ domains }) => domains > 1));
  if (!pivots.data.known) return <p className="pale">There is no record yet.</p>;
  if (shared.length === 0) return <p className="pale">Nothing that is known of it occurs elsewhere.</p>;
  return (
    <>
      <WideTable label="Shared values">
        <table className="data-table pivots">
          <thead>
            <tr>
              <th scope="col">Value</th>
              <th scope="col" className="number">
                Domains
              </th>
              <th scope="col" className="number">
                Average risk
              </th>
              <th scope="col">Riskiest others</th>
            </tr>
          </thead>
          <tbody>
            {(all ? shared : shared.slice(0, shownAtFirst)).map((group, index) => (
              <PivotRow key={index} group={group} />
            ))}
          </tbody>
        </table>
      </WideTable>
      <div className="pivots-foot">
        {shared.length > shownAtFirst && (
          <button type="button" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? 'Show fewer' : `Show all ${shared.length}`}
          </button>
        )}
        <p className="pale">
          <Compass size={13} aria-hidden /> Shared by at most {pivots.data.threshold.toLocaleString('en')}{' '}
          domains: worth following.{pivots.data.more && ' The record has more values than were counted.'}
        </p>
      </div>
    </>
  );
}

function PivotRow({ group: { values, domains, average_risk, guided, first_names } }: { group: PivotGroup }) {
  return (
    <tr>
      <td>
        <dl className="shared-values">
          {values.map(({ attribute, value }, index) => (
            <div key={index}>
              <dt>
                <Text of={wordsOfField(attribute)} />
              </dt>
              <dd className="mono">
                <Text of={value} />
              </dd>
            </div>
          ))}
        </dl>
      </td>
      <td className="number">
        {guided ? (
          <span className="guided" title="Shared by few: worth following">
            <Compass size={12} aria-label="worth following" /> {domains.toLocaleString('en')}
          </span>
        ) : (
          domains.toLocaleString('en')
        )}
      </td>
      <td className="number">{average_risk === null ? '–' : Math.round(average_risk)}</td>
      <td className="names">
        {first_names.map((other, index) => (
          <Link key={index} to="/domain/$name" params={{ name: plain(other) }} className="mono">
            <Text of={other} />
          </Link>
        ))}
      </td>
    </tr>
  );
}
