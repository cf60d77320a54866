/** Checks of what running processes have reported, and of the clock that they share with stored data. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../model/clock.ts';
import { minuteMs } from '../../model/durations.ts';
import type { Settings } from '../../model/settings/settings.ts';
import {
  type DescribedHealth,
  type DescribedPart,
  describeHealth,
} from '../../product/health/describe-health.ts';
import type { Stores } from '../../stores.ts';
import { findRunning } from '../running/running-process.ts';
import { type Finding, finding, remark } from './finding.ts';

const partsShown = 3;

/** Nothing runs, or nothing reports: then there is nothing to find. */
export async function serverFindings(stores: Stores, settings: Settings, clock: Clock): Promise<Finding[]> {
  const supervised = findRunning(settings.data)?.processes ?? [];
  const described = await describeHealth({ ...stores, settings, clock, processes: () => supervised });
  return [processesFinding(described), ...restartFindings(described), partsFinding(described)];
}

function processesFinding({ processes }: DescribedHealth): Finding {
  const check = 'every worker reports';
  if (processes.length === 0) return remark(check, 'no server is running on this data directory');
  const gone = processes.filter(({ state }) => state === 'gone');
  const names = gone.map(
    ({ process: name, atMs }) => `${name} (last ${new Date(atMs).toISOString().slice(0, 19)}Z)`,
  );
  const advice = `no report from ${names.join(', ')}: it was killed, or it hangs; see its log, and start it again`;
  return finding(check, gone.length === 0, 'warn', advice);
}

/** Only of a server that supervises its processes. */
function restartFindings({ processes }: DescribedHealth): Finding[] {
  const supervised = processes.filter(({ restarts }) => restarts !== undefined);
  if (supervised.length === 0) return [];
  const ended = supervised.filter(({ restarts = 0 }) => restarts > 0);
  const texts = ended.map(({ role, restarts = 0, lastEnd, state }) => {
    const times = restarts === 1 ? 'once' : `${restarts} times`;
    return `the ${role} process was started again ${times}, the last one ${lastEnd}${state === 'working' ? '' : `, and is ${state}`}`;
  });
  const advice = `${texts.join('; ')}: see the log`;
  return [finding('no process of the server had to be started again', ended.length === 0, 'warn', advice)];
}

function partsFinding({ parts }: DescribedHealth): Finding {
  const wrong = parts.filter(
    ({ state, kind }) => state === 'failing' || (state === 'late' && kind === 'source'),
  );
  const shown = wrong.slice(0, partsShown).map(describe).join('; ');
  const more = wrong.length > partsShown ? `; and ${wrong.length - partsShown} more` : '';
  const advice = `${shown}${more}: the Health page of the web UI has all of it`;
  return finding('sources, lists and collectors work', wrong.length === 0, 'warn', advice);
}

function describe({ kind, name, state, lastError }: DescribedPart): string {
  return `${kind} ${name} is ${state}${lastError === undefined ? '' : ` (${lastError})`}`;
}

/**
 * What was written cannot be of the future. A clock that was always wrong is not found out this way: nothing on this machine knows the
 * right time.
 */
export function clockFinding({ data }: Settings, nowMs: number): Finding {
  const newest = readdirSync(data)
    .map((name) => ({ name, ms: statSync(join(data, name), { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .reduce((one, other) => (other.ms > one.ms ? other : one), { name: '', ms: 0 });
  const aheadMinutes = Math.floor((newest.ms - nowMs) / minuteMs);
  const advice = `${newest.name} was written ${aheadMinutes} minutes from now: the clock was set back, or is wrong; synchronize it (NTP)`;
  return finding('the clock is not behind stored data', aheadMinutes < 1, 'warn', advice);
}
