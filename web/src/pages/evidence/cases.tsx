/** All cases: evidence packs, whom they are for, and what became of them. */
import '../../styles/evidence.css';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { FileSearch } from 'lucide-react';
import { plain } from '../../data/foreign.ts';
import { Name } from '../../parts/name.tsx';
import { Empty, Failure, Skeletons } from '../../parts/region.tsx';
import { TableHead } from '../../parts/table-head.tsx';
import { Text } from '../../parts/text.tsx';
import { Ago } from '../../parts/time.tsx';
import { useTitle } from '../../parts/use-title.ts';
import { WideTable } from '../../parts/wide-table.tsx';
import { outcomeWords, recipientWords, caseListWords as words } from '../../words/evidence/cases.ts';
import { number } from '../../words/language.ts';
import { timeWords } from '../../words/parts.ts';
import { type CaseLine, type Outcome, outcomes, useCases } from './case-data.ts';

export function Cases() {
  useTitle(words.title);
  const cases = useCases();
  const { outcome } = useSearch({ from: '/app/evidence' });
  const navigate = useNavigate();
  const all = cases.data?.cases ?? [];
  const shown = outcome === undefined ? all : all.filter((one) => one.outcome === outcome);
  return (
    <div className="page-body evidence-page">
      <header className="page-head">
        <h1>
          {words.title} {cases.data && <span className="count">{number(all.length)}</span>}
        </h1>
        <div className="grow" />
        {all.length > 0 && (
          <select
            aria-label={words.filter}
            value={outcome ?? ''}
            onChange={({ target }) =>
              void navigate({
                to: '/evidence',
                search: target.value === '' ? {} : { outcome: target.value as Outcome },
                replace: true,
              })
            }
          >
            <option value="">{words.any}</option>
            {outcomes.map((one) => (
              <option key={one} value={one}>
                {outcomeWords[one]}
              </option>
            ))}
          </select>
        )}
        <Link to="/evidence/verify" className="button">
          <FileSearch size={15} aria-hidden /> {words.verify}
        </Link>
      </header>
      {cases.isLoading && <Skeletons count={6} label={words.loading} />}
      {cases.isError && (
        <Failure error={cases.error} what={words.theCases} retry={() => void cases.refetch()} />
      )}
      {cases.data && all.length === 0 && (
        <Empty title={words.empty}>
          <p>{words.emptyHint}</p>
          <Link to="/triage" className="button">
            {words.toTriage}
          </Link>
        </Empty>
      )}
      {all.length > 0 && shown.length === 0 && <Empty title={words.noneMatch} />}
      {shown.length > 0 && <CaseTable cases={shown} />}
      {cases.data && (
        <p className="pale fingerprint">
          {words.key(<Text className="mono" of={cases.data.key.fingerprint} />)}
        </p>
      )}
    </div>
  );
}

function CaseTable({ cases }: { cases: readonly CaseLine[] }) {
  const { domains, recipient, made, by, sent, answered, outcome } = words.columns;
  return (
    <WideTable label={words.all} panel>
      <table className="data-table">
        <TableHead columns={[domains, recipient, made, by, sent, answered, outcome]} />
        <tbody>
          {cases.map((one) => (
            <CaseRow key={one.id} line={one} />
          ))}
        </tbody>
      </table>
    </WideTable>
  );
}

function CaseRow({ line }: { line: CaseLine }) {
  const [first] = line.domains;
  return (
    <tr>
      <th scope="row">
        <Link to="/evidence/$id" params={{ id: line.id }}>
          {first !== undefined && words.domainsOf(<Name host={first} />, line.domains.length - 1)}
        </Link>
      </th>
      <td>
        {recipientWords[line.recipient]} <Text className="pale" of={line.recipient_name} />
      </td>
      <td>
        <Ago at={line.created} suffix={timeWords.ago} />
      </td>
      <td>
        <Text of={line.created_by} />
      </td>
      <td>{line.sent === null ? '–' : <Ago at={plain(line.sent)} suffix={timeWords.ago} />}</td>
      <td>{line.answered === null ? '–' : <Ago at={plain(line.answered)} suffix={timeWords.ago} />}</td>
      <td>
        <span className={`chip outcome ${line.outcome}`}>{outcomeWords[line.outcome]}</span>
      </td>
    </tr>
  );
}
