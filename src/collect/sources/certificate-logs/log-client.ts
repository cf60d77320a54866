/** What both log APIs (RFC 6962 and static) have in common. */
import { Problem } from '../../../model/problem.ts';
import type { Dialer, OutgoingResponse } from '../../../outgoing/guarded-dialer.ts';
import type { LogHead, LogKey } from './log-head.ts';
import type { LogPage } from './log-page.ts';
import type { PageReader } from './page-reader.ts';

export interface LogRange {
  readonly from: number;
  readonly to: number;
  /** Size of the log, which determines the width of its last tile. */
  readonly headSize: number;
  readonly signal: AbortSignal;
}

export interface LogClient {
  getHead(signal: AbortSignal): Promise<LogHead>;
  /**
   * Entries from `from` up to but not including `to`, both within one range: at least one. Throws a Problem where the log returns
   * none.
   */
  getPage(range: LogRange): Promise<LogPage>;
}

export interface LogClientNeeds {
  readonly dialer: Pick<Dialer, 'send'>;
  readonly pages: Pick<PageReader, 'read'>;
  /** As in the settings. */
  readonly url: string;
  readonly key: LogKey | undefined;
  readonly userAgent: string;
}

/** Requests are aligned to this size: the width of a tile, and a usual page size of RFC 6962 logs. */
export const rangeEntries = 256;
const timeoutMs = 30_000;
export const headBytesMax = 65_536;
export const pageBytesMax = 16 << 20;

/** Requests a path of the log; the caller checks the status. */
export function fetchFromLog(
  { dialer, url, userAgent }: LogClientNeeds,
  path: string,
  responseBytesMax: number,
  signal: AbortSignal,
): Promise<OutgoingResponse> {
  return dialer.send({
    method: 'GET',
    url: `${url.replace(/\/+$/, '')}/${path}`,
    headers: { 'user-agent': userAgent, 'accept-encoding': 'gzip' },
    timeoutMs,
    responseBytesMax,
    ports: 'configured',
    signal,
  });
}

export function checkStatus({ status }: OutgoingResponse): void {
  if (status !== 200) throw new Problem('unavailable', `the log responded with status ${status}`);
}

export function isGzipped({ headers }: OutgoingResponse): boolean {
  return headers['content-encoding'] === 'gzip';
}
