/** What stands over a list or instead of it: that more has arrived, and why there is nothing. */
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useCounts } from '../../data/detect.ts';
import { useMissing } from '../../data/me.ts';
import { useStore } from '../../data/store.ts';
import { arrivals } from '../../data/use-live-events.ts';
import { Empty } from '../../parts/region.tsx';
import { triageWords as words } from '../../words/triage.ts';
import { hasFilter, withoutFilters } from './triage-search.ts';
import type { TriageState } from './use-triage.ts';

const FirstMonitor = lazy(async () => ({
  default: (await import('../monitors/new-monitor.tsx')).FirstMonitor,
}));

const announceMs = 10_000;

export function Arrivals({ refresh }: { refresh: () => void }) {
  const count = useStore(arrivals);
  const [said, setSaid] = useState('');
  const lastMs = useRef(0);
  useEffect(() => {
    if (count === 0 || Date.now() - lastMs.current < announceMs) return;
    lastMs.current = Date.now();
    setSaid(words.arrived(count));
  }, [count]);
  return (
    <>
      <span className="sr" aria-live="polite">
        {said}
      </span>
      {count > 0 && (
        <button type="button" className="arrivals" onClick={refresh}>
          {words.new(count)} <kbd>n</kbd>
        </button>
      )}
    </>
  );
}

export function NothingLeft({ triage: { search, list, change } }: { triage: TriageState }) {
  const monitors = useCounts().data?.monitors;
  const missing = useMissing('manage');
  if (hasFilter(search))
    return (
      <Empty title={words.noMatch}>
        <button type="button" onClick={() => change(withoutFilters)}>
          {words.clearFilter}
        </button>
      </Empty>
    );
  if (monitors?.length === 0)
    return (
      <div className="first-monitor">
        <Empty title={words.noMonitors}>
          <p>{words.noMonitorsHint}</p>
          {missing !== undefined && <p>{missing}</p>}
        </Empty>
        {missing === undefined && (
          <Suspense>
            <FirstMonitor />
          </Suspense>
        )}
      </div>
    );
  if (list !== 'new') return <Empty title={words.noneIn(list)} />;
  return (
    <Empty title={words.nothingLeft}>
      <p>{words.nothingLeftHint}</p>
      <Link to="/triage" search={{ s: 'changed' }} className="button">
        {words.showChanged}
      </Link>
    </Empty>
  );
}
