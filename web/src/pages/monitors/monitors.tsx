/** Every monitor with what it has found, and whether it runs. */
import '../../styles/monitors.css';
import { Link, useNavigate } from '@tanstack/react-router';
import { Pause, Play, Plus } from 'lucide-react';
import { type Counts, useCounts } from '../../data/detect.ts';
import { useMissing } from '../../data/me.ts';
import { type Monitor, useChangeMonitor, useMonitors } from '../../data/monitors.ts';
import { spelledOut } from '../../data/unseen.ts';
import { useKeys } from '../../keys/use-keys.ts';
import { Empty, Failure, Skeletons } from '../../parts/region.tsx';
import { Sparkline } from '../../parts/sparkline.tsx';
import { TableHead } from '../../parts/table-head.tsx';
import { Text } from '../../parts/text.tsx';
import { useTitle } from '../../parts/use-title.ts';
import { WideTable } from '../../parts/wide-table.tsx';
import { number } from '../../words/language.ts';
import { monitorWords as words } from '../../words/monitors.ts';
import { showFailure } from '../triage/decision-messages.tsx';
import { Declared } from './declared.tsx';
import { LearningPanel } from './learning.tsx';
import { OwnDomainList } from './own-domains.tsx';

export function Monitors() {
  useTitle(words.title);
  const navigate = useNavigate();
  const missing = useMissing('manage');
  const monitors = useMonitors();
  const counts = useCounts().data;
  useKeys([
    {
      keys: 'n',
      label: words.newOne,
      group: 'Lists',
      disabled: missing,
      run: () => void navigate({ to: '/monitors/new' }),
    },
  ]);
  return (
    <div className="page-body monitors-page">
      <header className="page-head">
        <h1>
          {words.title} {monitors.data && <span className="count">{number(monitors.data.total)}</span>}
        </h1>
        <div className="grow" />
        <NewMonitor missing={missing} />
      </header>
      {monitors.isPending && <Skeletons count={6} label={words.loading} />}
      {monitors.isError && (
        <Failure error={monitors.error} what={words.theMonitors} retry={() => void monitors.refetch()} />
      )}
      {monitors.data && monitors.data.monitors.length === 0 && (
        <Empty title={words.none}>
          <p>{words.noneHint}</p>
          <NewMonitor missing={missing} />
        </Empty>
      )}
      {monitors.data && monitors.data.monitors.length > 0 && (
        <WideTable label={words.title} panel>
          <table className="data-table monitor-table">
            <TableHead
              columns={[
                words.term,
                words.state,
                { label: words.new, number: true },
                { label: words.watched, number: true },
                { label: words.blocked, number: true },
                words.foundIn30,
                { unseen: words.actions },
              ]}
            />
            <tbody>
              {monitors.data.monitors.map((monitor) => (
                <MonitorRow
                  key={monitor.id}
                  monitor={monitor}
                  counts={counts?.monitors.find(({ id }) => id === monitor.id)}
                  missing={missing}
                />
              ))}
            </tbody>
          </table>
        </WideTable>
      )}
      {monitors.data && monitors.data.monitors.length > 0 && <LearningPanel />}
      <OwnDomainList />
    </div>
  );
}

function NewMonitor({ missing }: { missing: string | undefined }) {
  if (missing !== undefined)
    return (
      <button type="button" disabled title={missing}>
        <Plus size={15} aria-hidden /> {words.newOne}
      </button>
    );
  return (
    <Link to="/monitors/new" className="button primary">
      <Plus size={15} aria-hidden /> {words.newOne} <kbd>n</kbd>
    </Link>
  );
}

interface MonitorRowProps {
  readonly monitor: Monitor;
  readonly counts: Counts['monitors'][number] | undefined;
  readonly missing: string | undefined;
}

function MonitorRow({ monitor, counts, missing }: MonitorRowProps) {
  const { id, term, state, status, searched } = monitor;
  const change = useChangeMonitor(id);
  const isPaused = state === 'inactive';
  const percent = searched.of_names === 0 ? 0 : Math.round((searched.names / searched.of_names) * 100);
  return (
    <tr>
      <th scope="row">
        <Link to="/monitors/$id" params={{ id }} className="mono">
          <Text of={term} />
        </Link>
        {monitor.declared && <Declared declared={monitor.declared} />}
      </th>
      <td>{isPaused ? words.paused : status === 'pending' ? words.searching(percent) : words.active}</td>
      <td className="number">
        {counts && (
          <Link to="/triage" search={{ monitor: [id] }}>
            {number(counts.new)}
          </Link>
        )}
      </td>
      <td className="number">
        {counts && (
          <Link to="/triage" search={{ s: 'watched', monitor: [id] }}>
            {number(counts.watched)}
          </Link>
        )}
      </td>
      <td className="number">
        {counts && (
          <Link to="/triage" search={{ s: 'blocked', monitor: [id] }}>
            {number(counts.blocked)}
          </Link>
        )}
      </td>
      <td>{counts && <Sparkline days={counts.days} label={words.found} />}</td>
      <td className="number">
        <button
          type="button"
          className="ghost"
          disabled={missing !== undefined || change.isPending}
          title={missing}
          aria-label={(isPaused ? words.resumeOf : words.pauseOf)(spelledOut(term))}
          onClick={() => change.mutate({ state: isPaused ? 'active' : 'inactive' }, { onError: showFailure })}
        >
          {isPaused ? <Play size={15} aria-hidden /> : <Pause size={15} aria-hidden />}
          {isPaused ? words.resume : words.pause}
        </button>
      </td>
    </tr>
  );
}
