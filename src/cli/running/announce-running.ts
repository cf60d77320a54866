/** Writes who serves a data directory, and with which settings, so that commands beside the server use the same ones. */
import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { EffectiveSetting } from '../../config.ts';
import type { ProcessState } from '../../model/health/process-state.ts';
import { mayHoldCredential } from '../settings/may-hold-credential.ts';
import {
  announcementName,
  findProcessStart,
  isAlive,
  type RunningProcess,
  readAnnouncement,
} from './running-process.ts';

export interface Announcement {
  readonly url: string;
  readonly version: string;
  readonly role: RunningProcess['role'];
  readonly startedMs: number;
  readonly effective: readonly EffectiveSetting[];
  /** Of a supervisor. */
  readonly processes?: readonly ProcessState[];
}

export interface Announced {
  /** The processes of a supervisor have changed. */
  readonly update: (processes: readonly ProcessState[]) => void;
  /** Whether its file is still found in the data directory. */
  readonly isThere: () => boolean;
  readonly withdraw: () => void;
}

export function announceRunning(data: string, announcement: Announcement): Announced {
  const { url, version, role, startedMs, effective, processes } = announcement;
  const processStart = findProcessStart(process.pid);
  if (processStart === undefined)
    return { update: () => undefined, isThere: () => false, withdraw: () => undefined };
  const running: RunningProcess = {
    pid: process.pid,
    processStart,
    url,
    version,
    role,
    started: new Date(startedMs).toISOString(),
    ...(processes ? { processes: [...processes] } : {}),
    settings: { ...announcedSettings(effective), 'http.port': Number(new URL(url).port) || 80 },
  };
  const file = writeNew(data, textOf(running));
  const isOurs = () => readAnnouncement(file)?.pid === process.pid;
  return {
    update(current) {
      try {
        if (isOurs()) replace(file, textOf({ ...running, processes: [...current] }));
      } catch {
        // A full disk must not end a server that answers.
      }
    },
    isThere: isOurs,
    withdraw() {
      if (isOurs()) rmSync(file, { force: true });
    },
  };
}

function textOf(running: RunningProcess): string {
  return `${JSON.stringify(running, undefined, 2)}\n`;
}

function replace(file: string, text: string): void {
  const draft = `${file}.draft`;
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, file);
}

/** `running.json`, unless another living process has it. The file appears whole, or not at all. */
function writeNew(data: string, text: string): string {
  const own = join(data, `running-${process.pid}.json`);
  const draft = `${own}.draft`;
  writeFileSync(draft, text, { mode: 0o600 });
  try {
    return linkedTo(join(data, announcementName), draft) ?? linkedTo(own, draft) ?? own;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Undefined if a living process has the file. */
function linkedTo(file: string, draft: string): string | undefined {
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      linkSync(draft, file);
      return file;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const found = readAnnouncement(file);
    if (found && isAlive(found)) return undefined;
    rmSync(file, { force: true });
  }
  return undefined;
}

/** Where the data are is what the reader knows already; the others concern `serve` alone. */
const notAnnounced = new Set(['data', 'demo', 'role']);

function announcedSettings(effective: readonly EffectiveSetting[]): Record<string, unknown> {
  return Object.fromEntries(
    effective
      .filter(
        ({ key, origin, secret, value }) =>
          origin !== 'default' && !secret && !notAnnounced.has(key) && !mayHoldCredential(value),
      )
      .map(({ key, value }) => [key, isPath(key) ? absolute(value) : value]),
  );
}

/** Relative paths belong to the working directory of the server. */
const isPath = (key: string) => /Files?$|^dnstap\.socket$|^screenshots\.browser$/.test(key);

function absolute(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(absolute);
  return typeof value === 'string' && value !== '' ? resolve(value) : value;
}
