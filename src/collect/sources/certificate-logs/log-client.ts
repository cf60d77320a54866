/** What both kinds of logs are to whoever reads them. */
import { Problem } from '../../../model/problem.ts';
import type { Dialer, OutgoingAnswer } from '../../../outgoing/guarded-dialer.ts';
import type { LogHead, LogKey } from './log-head.ts';
import type { LogPage } from './log-page.ts';
import type { PageReader } from './page-reader.ts';

export interface LogClient {
  getHead(signal: AbortSignal): Promise<LogHead>;
  /**
   * Entries from one index on, up to but not including another, both within one range: at least one of them. Throws a Problem where the log
   * gives none.
   */
  getPage(from: number, to: number, headSize: number, signal: AbortSignal): Promise<LogPage>;
}

export interface LogClientNeeds {
  readonly dialer: Pick<Dialer, 'send'>;
  readonly pages: Pick<PageReader, 'read'>;
  /** As in settings. */
  readonly url: string;
  readonly key: LogKey | undefined;
  readonly userAgent: string;
}

/** Entries are asked for in ranges that begin and end at multiples of this: the width of a tile, and what many logs give at once. */
export const rangeEntries = 256;
const timeoutMs = 30_000;
export const headBytesMax = 65_536;
export const pageBytesMax = 16 << 20;

/** Gets something of a log, whatever the status. */
export function askLog(
  { dialer, url, userAgent }: LogClientNeeds,
  path: string,
  answerBytesMax: number,
  signal: AbortSignal,
): Promise<OutgoingAnswer> {
  return dialer.send({
    method: 'GET',
    url: `${url.replace(/\/+$/, '')}/${path}`,
    headers: { 'user-agent': userAgent, 'accept-encoding': 'gzip' },
    timeoutMs,
    answerBytesMax,
    ports: 'configured',
    signal,
  });
}

export function checkStatus({ status }: OutgoingAnswer): void {
  if (status !== 200) throw new Problem('unavailable', `the log answers with status ${status}`);
}

export function isPacked({ headers }: OutgoingAnswer): boolean {
  return headers['content-encoding'] === 'gzip';
}
