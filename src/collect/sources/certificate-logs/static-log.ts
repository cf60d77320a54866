/** Client of a log with the static API (https://c2sp.org/static-ct-api): tiles of 256 entries, the last one partial. */
import { Problem } from '../../../model/problem.ts';
import {
  checkStatus,
  fetchFromLog,
  headBytesMax,
  isGzipped,
  type LogClient,
  type LogClientNeeds,
  pageBytesMax,
  rangeEntries as tileEntries,
} from './log-client.ts';
import { getCheckpoint } from './log-head.ts';

export function staticLog(needs: LogClientNeeds): LogClient {
  const getTile = async (path: string, signal: AbortSignal) =>
    fetchFromLog(needs, path, pageBytesMax, signal);
  return {
    async getHead(signal) {
      const response = await fetchFromLog(needs, 'checkpoint', headBytesMax, signal);
      checkStatus(response);
      return getCheckpoint(response.body, needs.key);
    },

    async getPage({ from, to, headSize, signal }) {
      const tile = Math.floor(from / tileEntries);
      const first = tile * tileEntries;
      const width = Math.min(headSize - first, tileEntries);
      const whole = `tile/data/${pathOf(tile)}`;
      let response = await getTile(width < tileEntries ? `${whole}.p/${width}` : whole, signal);
      // A partial tile may be deleted once the full tile exists.
      if (response.status === 404 && width < tileEntries) response = await getTile(whole, signal);
      checkStatus(response);
      if (response.isTruncated)
        throw new Problem('unavailable', `tile ${tile} is larger than ${pageBytesMax} bytes`);
      return needs.pages.read({
        kind: 'tile',
        body: response.body,
        isGzipped: isGzipped(response),
        skip: from - first,
        entriesMax: Math.min(to, first + width) - from,
      });
    },
  };
}

/** 1234067 as `x001/x234/067`. */
export function pathOf(tile: number): string {
  const [last = '', ...higher] = thousandsOf(tile);
  return [...higher.toReversed().map((digits) => `x${digits}`), last].join('/');
}

/** Lowest first. */
function thousandsOf(number: number): string[] {
  const digits = String(number % 1000).padStart(3, '0');
  return number < 1000 ? [digits] : [digits, ...thousandsOf(Math.floor(number / 1000))];
}
