/** How every part of the server is: what is wrong comes first. */
import '../../styles/health.css';
import { Link } from '@tanstack/react-router';
import { plain } from '../../data/foreign.ts';
import {
  type Health as HealthData,
  type HealthPart,
  lastMinute,
  partId,
  useHealth,
} from '../../data/health.ts';
import { spelledOut } from '../../data/unseen.ts';
import { Failure, Skeletons } from '../../parts/region.tsx';
import { Sparkline } from '../../parts/sparkline.tsx';
import { TableHead } from '../../parts/table-head.tsx';
import { Text } from '../../parts/text.tsx';
import { Ago } from '../../parts/time.tsx';
import { useTitle } from '../../parts/use-title.ts';
import { WideTable } from '../../parts/wide-table.tsx';
import { kindWords, unitWords, healthWords as words } from '../../words/health.ts';
import { number } from '../../words/language.ts';
import { Backup, Disk, Processes, Queues } from './server-tables.tsx';
import { StateWord } from './state-word.tsx';

export function Health() {
  useTitle(words.title);
  const health = useHealth();
  return (
    <div className="page-body health-page">
      <header className="page-head">
        <h1>{words.title}</h1>
        {health.data && <Summary health={health.data} />}
      </header>
      {health.isPending && <Skeletons count={10} label={words.region} />}
      {health.isError && !health.data && (
        <Failure error={health.error} what={words.what} retry={() => void health.refetch()} />
      )}
      {health.data && (
        <>
          <Warnings health={health.data} />
          {health.data.parts.length > 0 && <Parts health={health.data} />}
          <Queues queues={health.data.queues} />
          <Processes processes={health.data.processes} />
          <Disk health={health.data} />
          <Backup backup={health.data.backup} />
        </>
      )}
    </div>
  );
}

function Summary({ health: { parts, queues, faults } }: { health: HealthData }) {
  const count = (state: string) => [...parts, ...queues].filter((each) => each.state === state).length;
  const [failing, late] = [count('failing'), count('late')];
  const well = faults.length === 0 ? words.allWell : words.storesLack;
  return (
    <p className={failing > 0 ? 'health-summary failing' : 'health-summary'} role="status">
      {failing + late === 0 ? well : words.wrong(failing, late)}
    </p>
  );
}

function Warnings({ health: { processes, disk, backup, faults } }: { health: HealthData }) {
  const gone = processes.filter(({ state }) => state === 'gone').length;
  return (
    <>
      {faults.map(({ part, message }) => (
        <p className="banner" key={plain(part)}>
          {words.storeFault} <Text of={message} />.
        </p>
      ))}
      {disk.low && <p className="banner">{words.diskLow}</p>}
      {processes.length === 0 && <p className="banner">{words.noProcess}</p>}
      {gone > 0 && <p className="banner">{words.gone(gone)}</p>}
      {processes
        .filter(({ state }) => state === 'starting' || state === 'restarting')
        .map(({ name, role, last_end: end }) => (
          <p className="banner" key={plain(name)}>
            {words.restarting(plain(role) === 'worker')}
            {end !== null && (
              <span>
                {` ${words.previousProcess} `}
                <Text of={end} />.
              </span>
            )}
          </p>
        ))}
      {backup.overdue && <p className="banner">{words.backupOverdue}</p>}
    </>
  );
}

function Parts({ health: { parts, processes } }: { health: HealthData }) {
  const { columns } = words;
  const isOneNode = new Set(processes.map(({ node }) => node && plain(node))).size <= 1;
  return (
    <WideTable label={words.parts} panel>
      <table className="data-table">
        <caption className="sr">{words.parts}</caption>
        <TableHead
          columns={[
            columns.state,
            columns.part,
            columns.success,
            columns.rate,
            { label: columns.perMinute, number: true },
            { label: columns.backlog, number: true },
          ]}
        />
        <tbody>
          {parts.map((part) => (
            <PartRow key={`${plain(part.process)} ${partId(part)}`} part={part} isOneNode={isOneNode} />
          ))}
        </tbody>
      </table>
    </WideTable>
  );
}

function PartRow({ part, isOneNode }: { part: HealthPart; isOneNode: boolean }) {
  const { kind, name, node, state, last_success: success, backlog } = part;
  const wrong = part.off ?? (state === 'failing' || state === 'late' ? part.last_error : null);
  return (
    <tr>
      <td>
        <StateWord state={state} />
      </td>
      <th scope="row">
        <Link to="/health/$part" params={{ part: partId(part) }} className="mono">
          <Text of={name} />
        </Link>
        <small className="line">
          {kindWords[kind]}
          {!isOneNode && node !== null && (
            <>
              {` ${words.onNode} `}
              <Text of={node} />
            </>
          )}
        </small>
        {wrong !== null && (
          <small className="line part-error">
            <Text of={wrong} />
          </small>
        )}
      </th>
      <td>{success === null ? <span className="pale">{words.never}</span> : <Ago at={success} />}</td>
      <td>
        <Sparkline days={part.per_minute} label={spelledOut(name)} each="minute" />
      </td>
      <td className="number">
        {number(lastMinute(part))}
        <small className="line">{unitWords[part.unit]}</small>
      </td>
      <td className="number">{backlog === null ? '–' : number(backlog)}</td>
    </tr>
  );
}
