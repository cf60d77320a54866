/** The log: JSON lines on standard error, or short lines on a terminal. */
import pino, { type Logger } from 'pino';
import { LogWriter } from './log-writer.ts';
import type { Clock } from './model/clock.ts';
import { escapeForTerminal } from './model/escape-for-terminal.ts';
import type { Settings } from './model/settings/settings.ts';

export interface Log {
  readonly logger: Logger;
  /** Writes one info line without the overhead of the logger, for hot paths; undefined if that level is disabled. */
  readonly line: ((fields: object) => void) | undefined;
  /** Lines of other processes. `write` returns false while there are more than can be written. */
  readonly relay: { readonly write: (lines: string) => boolean; readonly drained: () => Promise<void> };
  /** Resolves when everything is written, or when nobody reads it any more. */
  readonly flush: () => Promise<void>;
}

const bufferedCharacters = 16_384;
const bufferedMs = 250;
/** A reader that has paused; about what a busy server logs in ten seconds. */
const waitingCharactersMax = 8 << 20;
const infoLevel = 30;
const warningLevel = 40;

interface LogSettings extends Pick<Settings, 'log'> {
  /** Which of the processes of a server writes. */
  readonly role: Settings['role'] | 'supervisor';
}

export function createLog({ log, role }: LogSettings, clock: Clock): Log {
  const sink = process.stderr.isTTY ? terminal() : standardError(clock, role);
  const logger = pino({ level: log.level, base: { role }, timestamp: () => `,"time":${clock.now()}` }, sink);
  const roleText = `,"role":${JSON.stringify(role)},`;
  const line = (fields: object) =>
    sink.write(`{"level":${infoLevel},"time":${clock.now()}${roleText}${JSON.stringify(fields).slice(1)}\n`);
  const { relay, flush } = sink;
  return { logger, line: logger.isLevelEnabled('info') ? line : undefined, relay, flush };
}

interface Sink extends Pick<Log, 'relay' | 'flush'> {
  readonly write: (line: string) => void;
}

function standardError(clock: Clock, role: string): Sink {
  const writer = new LogWriter({
    descriptor: 2,
    plentyCharacters: bufferedCharacters,
    waitMs: bufferedMs,
    charactersMax: waitingCharactersMax,
    lostLine: (count) =>
      `{"level":${warningLevel},"time":${clock.now()},"role":"${role}","msg":"${count} lines of the log were left out, since they could not be written in time"}\n`,
  });
  return {
    write: (line) => writer.add(line),
    relay: { write: (lines) => writer.write(lines), drained: () => writer.drained() },
    flush: () => writer.flush(),
  };
}

function terminal(): Sink {
  return {
    write: (line) => process.stderr.write(terminalText(line)),
    // Processes on the same terminal write there themselves.
    relay: { write: () => true, drained: async () => undefined },
    flush: async () => undefined,
  };
}

interface Line {
  readonly level: number;
  readonly time: number;
  readonly msg?: string;
  readonly method?: string;
  readonly url?: string;
  readonly status?: number;
  readonly ms?: number;
  readonly user?: string;
  readonly err?: { readonly stack?: string };
}

function terminalText(text: string): string {
  const line = JSON.parse(text) as Line;
  const time = new Date(line.time).toISOString().slice(11, 19);
  const level = line.level >= 50 ? 'ERROR ' : line.level >= 40 ? 'warn ' : '';
  const request = line.method && `${line.status} ${line.method} ${line.url} ${line.ms} ms ${line.user ?? ''}`;
  const stack = (line.err?.stack ?? '').split('\n').filter(Boolean);
  return [`${time} ${level}${request ?? line.msg ?? ''}`, ...stack]
    .map((row) => `${escapeForTerminal(row)}\n`)
    .join('');
}
