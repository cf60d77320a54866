/** The log: JSON lines on standard error, or short lines on a terminal. */
import pino, { type Logger } from 'pino';
import type { Clock } from './model/clock.ts';
import { escapeForTerminal } from './model/escape-for-terminal.ts';
import type { Settings } from './model/settings/settings.ts';

export interface Log {
  readonly logger: Logger;
  /** Writes one info line without the overhead of the logger, for hot paths; undefined if that level is disabled. */
  readonly line: ((fields: object) => void) | undefined;
  readonly flush: () => void;
}

/** Lines are buffered: a system call per line would cost more than the rest of logging a request. */
const bufferedCharacters = 16_384;
const flushMs = 250;
const infoLevel = 30;

export function createLog({ log }: Pick<Settings, 'log'>, clock: Clock): Log {
  const sink = process.stderr.isTTY ? terminal() : bufferedLines();
  const logger = pino({ level: log.level, base: null, timestamp: () => `,"time":${clock.now()}` }, sink);
  const line = (fields: object) =>
    sink.write(`${JSON.stringify({ level: infoLevel, time: clock.now(), ...fields })}\n`);
  return { logger, line: logger.isLevelEnabled('info') ? line : undefined, flush: sink.flush };
}

interface Sink {
  readonly write: (line: string) => void;
  readonly flush: () => void;
}

function bufferedLines(): Sink {
  const destination = pino.destination({ fd: 2, sync: false });
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
    flush() {
      writeOut();
      destination.flushSync();
    },
  };
}

function terminal(): Sink {
  return { write: (line) => process.stderr.write(terminalText(line)), flush: () => {} };
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
