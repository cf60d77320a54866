import { Link } from '@tanstack/react-router';
import type { AuditAnswer } from '../../../../../src/http/web/account/audit-wire.ts';
import { type Foreign, foreign, plain, type Received } from '../../../data/foreign.ts';
import { Text } from '../../../parts/text.tsx';
import { Moment } from '../../../parts/time.tsx';
import { WideTable } from '../../../parts/wide-table.tsx';
import { auditWords as words } from '../../../words/account.ts';
import { number } from '../../../words/language.ts';
import type { AuditSearchState } from './audit-search.ts';
import { detailLines } from './detail-lines.ts';

type Entry = Received<AuditAnswer>['entries'][number];

interface AuditTableProps {
  readonly entries: readonly Entry[];
  readonly filter: AuditSearchState;
}

export function AuditTable({ entries, filter }: AuditTableProps) {
  const { at, actor, action, whom, detail, number: entry } = words.columns;
  return (
    <WideTable label={words.title} panel>
      <table className="data-table audit-table">
        <thead>
          <tr>
            {[at, actor, action, whom, detail].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
            <th scope="col" className="number">
              {entry}
            </th>
          </tr>
        </thead>
        <tbody>
          {entries.map((one) => (
            <tr key={one.number}>
              <td>
                <Moment at={one.at} />
              </td>
              <td>
                <Actor of={one.actor} filter={filter} />
              </td>
              <td className="mono">
                <Text of={one.action} />
              </td>
              <td>{one.username !== null && <Text of={one.username} />}</td>
              <td>
                <Detail of={one.detail} />
              </td>
              <td className="number">{number(one.number)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </WideTable>
  );
}

function Detail({ of }: { of: Foreign }) {
  const lines = detailLines(plain(of)).map((line, index) => (
    <span key={index} className="line">
      <Text of={foreign(line)} />
    </span>
  ));
  return <div>{lines}</div>;
}

function Actor({ of, filter }: { of: Foreign; filter: AuditSearchState }) {
  return (
    <Link to="/account/audit" search={{ ...filter, actor: plain(of) }}>
      {plain(of) === 'operator' ? words.operator : <Text of={of} />}
    </Link>
  );
}
