/** The log: JSON lines on standard error, or short lines on a terminal. */
import pino, { type Logger } from 'pino';
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

/** Lines are buffered: a system call per line would cost more than the rest of logging a request. */
const bufferedCharacters = 16_384;
const flushMs = 250;
const infoLevel = 30;

interface LogSettings extends Pick<Settings, 'log'> {
  /** Which of the processes of a server writes. */
  readonly role: Settings['role'] | 'supervisor';
}

export function createLog({ log, role }: LogSettings, clock: Clock): Log {
  const sink = process.stderr.isTTY ? terminal() : bufferedLines();
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

function bufferedLines(): Sink {
  const destination = pino.destination({ fd: 2, sync: false });
  // A pipe without a reader: pino then writes nothing any more. A log that cannot be written must not end the server.
  let isBroken = false;
  destination.on('error', () => {
    isBroken = true;
  });
  const drained = () =>
    new Promise<void>((resolve) => {
      if (isBroken) return resolve();
      const end = () => {
        destination.off('drain', end).off('error', end);
        resolve();
      };
      destination.on('drain', end).on('error', end);
    });
  let waiting = '';
  let timer: NodeJS.Timeout | undefined;
  const writeOut = () => {
    clearTimeout(timer);
    timer = undefined;
    destination.write(waiting);
    waiting = '';
  };
  return {
    write(line) {
      waiting += line;
      if (waiting.length >= bufferedCharacters) writeOut();
      else timer ??= setTimeout(writeOut, flushMs).unref();
    },
    relay: {
      write(lines) {
        writeOut();
        return isBroken || destination.write(lines);
      },
      drained,
    },
    // Its own way, `flushSync`, never returns from a broken pipe.
    flush() {
      const written = drained();
      writeOut();
      return written;
    },
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
