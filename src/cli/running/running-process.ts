/**
 * The servers that run on a data directory, as they announce themselves there: `running.json`, or `running-PID.json` beside it for every
 * further process. A file of a process that is gone counts for nothing: the process id and the time the process started are compared,
 * because ids are used again.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { findStartTicks } from '../../concurrency/process-start.ts';

const RunningProcess = Type.Object({
  pid: Type.Integer({ minimum: 1 }),
  /** When the kernel started the process, as text of its own that is compared only. */
  processStart: Type.String({ minLength: 1 }),
  url: Type.String(),
  version: Type.String(),
  role: Type.Union([Type.Literal('all'), Type.Literal('api'), Type.Literal('worker')]),
  /** ISO 8601. */
  started: Type.String(),
  /** Those that a supervisor keeps running, with how often each was started again. */
  processes: Type.Optional(
    Type.Array(
      Type.Object({
        role: Type.Union([Type.Literal('api'), Type.Literal('worker')]),
        name: Type.String(),
        pid: Type.Optional(Type.Integer({ minimum: 1 })),
        state: Type.Union([Type.Literal('starting'), Type.Literal('running'), Type.Literal('restarting')]),
        restarts: Type.Integer({ minimum: 0 }),
        sinceMs: Type.Number(),
        lastEnd: Type.Optional(Type.String()),
      }),
    ),
  ),
  /** Values that are not the default, by key; none that is or may hold a secret. */
  settings: Type.Record(Type.String(), Type.Unknown()),
});

export type RunningProcess = Static<typeof RunningProcess>;

export const announcementName = 'running.json';
const announcementNames = /^running(?:-\d+)?\.json$/;

/** The server that answers requests on a data directory, or else its worker; undefined while none runs. */
export function findRunning(data: string): RunningProcess | undefined {
  const answers = ({ role }: RunningProcess) => role !== 'worker';
  const running = listRunning(data);
  return running.find(answers) ?? running[0];
}

/** Every server that runs on a data directory, the oldest first. */
export function listRunning(data: string): readonly RunningProcess[] {
  return announcementsIn(data)
    .flatMap((file) => readAnnouncement(file) ?? [])
    .filter(isAlive)
    .sort((a, b) => (a.started < b.started ? -1 : 1));
}

function announcementsIn(data: string): readonly string[] {
  try {
    return readdirSync(data)
      .filter((name) => announcementNames.test(name))
      .map((name) => join(data, name));
  } catch {
    // No directory, or not ours to read: a command that needs it says so itself.
    return [];
  }
}

/** Undefined for a file that is gone, or that no server has written. */
export function readAnnouncement(file: string): RunningProcess | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return Value.Check(RunningProcess, value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function isAlive({ pid, processStart }: Pick<RunningProcess, 'pid' | 'processStart'>): boolean {
  return findProcessStart(pid) === processStart;
}

/** Undefined where no such process runs, or where the kernel does not say. */
export function findProcessStart(pid: number): string | undefined {
  const ticks = findStartTicks(pid);
  if (ticks === undefined) return undefined;
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${ticks}`;
  } catch {
    return undefined;
  }
}
