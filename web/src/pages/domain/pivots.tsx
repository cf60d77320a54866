import { Link } from '@tanstack/react-router';
import { Compass } from 'lucide-react';
import { useRef, useState } from 'react';
import { usePivots } from '../../data/domain.ts';
import { wordsOfField } from '../../data/field-words.ts';
import { plain } from '../../data/foreign.ts';
import { Failure, Skeletons } from '../../parts/region.tsx';
import { TableHead } from '../../parts/table-head.tsx';
import { Text } from '../../parts/text.tsx';
import { ValueMenu } from '../../parts/value-menu.tsx';
import { WideTable } from '../../parts/wide-table.tsx';
import { pivotWords as words } from '../../words/domain.ts';
import { PivotCount } from './pivot-count.tsx';
import { groupPivots, type PivotGroup } from './pivot-groups.ts';
import { usePivotKeys } from './use-pivot-keys.ts';

const shownAtFirst = 8;

/** Values of the record, how many domains share each, how risky those are, and the first of them. */
export function Pivots({ name }: { name: string }) {
  const pivots = usePivots(name);
  const [all, setAll] = useState(false);
  const table = useRef<HTMLDivElement>(null);
  usePivotKeys(table);
  if (pivots.isError)
    return <Failure error={pivots.error} what={words.what} retry={() => void pivots.refetch()} />;
  if (!pivots.data) return <Skeletons count={6} label={words.loading} />;
  const shared = groupPivots(pivots.data.pivots.filter(({ domains }) => domains > 1));
  if (!pivots.data.known) return <p className="pale">{words.noRecord}</p>;
  if (shared.length === 0) return <p className="pale">{words.none}</p>;
  return (
    <div ref={table}>
      <WideTable label={words.label}>
        <table className="data-table pivots">
          <TableHead
            columns={[
              words.value,
              { label: words.domains, number: true },
              { label: words.averageRisk, number: true },
              words.riskiest,
            ]}
          />
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
            {all ? words.showFewer : words.showAll(shared.length)}
          </button>
        )}
        <p className="pale">
          <Compass size={13} aria-hidden /> {words.guidedUpTo(pivots.data.threshold)}
          {pivots.data.more && words.more}
        </p>
      </div>
    </div>
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
                <ValueMenu field={plain(attribute)} value={value}>
                  <Text of={value} />
                </ValueMenu>
              </dd>
            </div>
          ))}
        </dl>
      </td>
      <td className="number">
        {guided ? (
          <span className="guided" title={words.guided}>
            <Compass size={12} aria-label={words.guidedLabel} />{' '}
            <PivotCount values={values} domains={domains} />
          </span>
        ) : (
          <PivotCount values={values} domains={domains} />
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
