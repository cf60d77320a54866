/** Queues, processes, the disk and the last backup. */
import { type Foreign, foreign, plain } from '../../data/foreign.ts';
import type { Health } from '../../data/health.ts';
import { TableHead } from '../../parts/table-head.tsx';
import { Text } from '../../parts/text.tsx';
import { Ago } from '../../parts/time.tsx';
import { WideTable } from '../../parts/wide-table.tsx';
import { queueWords, healthWords as words } from '../../words/health.ts';
import { byteSize, number } from '../../words/language.ts';
import { StateWord } from './state-word.tsx';

export function Queues({ queues }: Pick<Health, 'queues'>) {
  const { queueColumns: columns } = words;
  if (queues.length === 0) return null;
  return (
    <WideTable label={words.queues} panel>
      <h2>{words.queues}</h2>
      <table className="data-table">
        <TableHead
          columns={[
            words.columns.state,
            columns.name,
            { label: columns.due, number: true },
            { label: columns.leased, number: true },
            { label: columns.later, number: true },
            { label: columns.oldest, number: true },
          ]}
        />
        <tbody>
          {queues.map(({ code, state, due, leased, waiting, oldest_due_seconds: oldest }) => (
            <tr key={code}>
              <td>
                <StateWord state={state} />
              </td>
              <th scope="row">{queueWords(code)}</th>
              <td className="number">{number(due)}</td>
              <td className="number">{number(leased)}</td>
              <td className="number">{number(waiting)}</td>
              <td className="number">{oldest === null ? '–' : words.minutes(oldest)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </WideTable>
  );
}

const wordOf = { working: 'working', starting: 'starting', restarting: 'failing', gone: 'failing' } as const;

/** The node has a column of its own. */
const withoutNode = (name: Foreign) => foreign(plain(name).replace(/@.*$/, ''));

export function Processes({ processes }: Pick<Health, 'processes'>) {
  const { processColumns: columns } = words;
  if (processes.length === 0) return null;
  return (
    <WideTable label={words.processes} panel>
      <h2>{words.processes}</h2>
      <table className="data-table">
        <TableHead
          columns={[
            words.columns.state,
            columns.name,
            columns.node,
            columns.version,
            columns.started,
            columns.seen,
            { label: columns.restarts, number: true },
            { label: columns.memory, number: true },
          ]}
        />
        <tbody>
          {processes.map(({ name, node, version, state, started, seen, restarts, memory_bytes: memory }) => (
            <tr key={plain(name)}>
              <td>
                <StateWord state={wordOf[state]} />
              </td>
              <th scope="row" className="mono">
                <Text of={withoutNode(name)} />
              </th>
              <td>{node === null ? '–' : <Text of={node} />}</td>
              <td>{version}</td>
              <td>
                <Ago at={started} />
              </td>
              <td>
                <Ago at={seen} />
              </td>
              <td className="number">{restarts === null ? '' : number(restarts)}</td>
              <td className="number">{byteSize(memory)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </WideTable>
  );
}

export function Disk({ health: { disk, stores } }: { health: Health }) {
  const { storeColumns: columns } = words;
  const used = disk.total_bytes - disk.free_bytes;
  return (
    <WideTable label={words.disk} panel>
      <h2>{words.disk}</h2>
      <p>
        <meter
          aria-label={words.disk}
          min={0}
          max={disk.total_bytes}
          high={disk.total_bytes - disk.reserve_bytes}
          value={used}
        />{' '}
        {words.diskFree(byteSize(disk.free_bytes), byteSize(disk.total_bytes), byteSize(disk.reserve_bytes))}
      </p>
      <table className="data-table">
        <TableHead columns={[columns.name, { label: columns.size, number: true }]} />
        <tbody>
          {stores.map(({ name, bytes, partial }) => (
            <tr key={plain(name)}>
              <th scope="row" className="mono">
                <Text of={name} />
              </th>
              <td className="number">{partial ? words.atLeast(byteSize(bytes)) : byteSize(bytes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </WideTable>
  );
}

export function Backup({ backup: { last, bytes, location, overdue } }: Pick<Health, 'backup'>) {
  return (
    <section className="panel">
      <h2>{words.backup}</h2>
      {last === null ? (
        <p>{overdue === null ? words.backupElsewhere : words.noBackup}</p>
      ) : (
        <p>
          {words.backupLast} <Ago at={last} />: {byteSize(bytes ?? 0)},{' '}
          <span className="mono">{location !== null && <Text of={location} />}</span>
        </p>
      )}
    </section>
  );
}
