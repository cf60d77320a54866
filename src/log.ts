/** The logger: JSON lines on standard error, or short lines when a person is looking. */
import pino, { type Logger } from 'pino';
import { harmless } from './model/harmless-text.ts';
import type { Settings } from './model/settings.ts';

/** Lines are written together: a write for each would cost a request more than the rest of its log line. */
const bufferedBytes = 8192;
const flushMs = 250;

export function createLogger({ log }: Pick<Settings, 'log'>): Logger {
  const options = { level: log.level, base: null };
  if (process.stderr.isTTY) return pino(options, { write: (line) => process.stderr.write(forPeople(line)) });
  const destination = pino.destination({
    fd: 2,
    sync: false,
    minLength: bufferedBytes,
    periodicFlush: flushMs,
  });
  return pino(options, destination);
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

function forPeople(text: string): string {
  const line = JSON.parse(text) as Line;
  const time = new Date(line.time).toISOString().slice(11, 19);
  const level = line.level >= 50 ? 'ERROR ' : line.level >= 40 ? 'warn ' : '';
  const request = line.method && `${line.status} ${line.method} ${line.url} ${line.ms} ms ${line.user ?? ''}`;
  return `${time} ${level}${harmless(request ?? line.msg ?? '')}\n${line.err?.stack ? `${line.err.stack}\n` : ''}`;
}
