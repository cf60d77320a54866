/** A log of tiles (static-ct-api): 256 entries each, the last one as long as it has become. */
import { Problem } from '../../../model/problem.ts';
import {
  askLog,
  checkStatus,
  headBytesMax,
  isPacked,
  type LogClient,
  type LogClientNeeds,
  pageBytesMax,
  rangeEntries as tileEntries,
} from './log-client.ts';
import { getCheckpoint } from './log-head.ts';

export function staticLog(needs: LogClientNeeds): LogClient {
  const getTile = async (path: string, signal: AbortSignal) => askLog(needs, path, pageBytesMax, signal);
  return {
    async getHead(signal) {
      const answer = await askLog(needs, 'checkpoint', headBytesMax, signal);
      checkStatus(answer);
      return getCheckpoint(answer.body, needs.key);
    },

    async getPage(from, to, headSize, signal) {
      const tile = Math.floor(from / tileEntries);
      const first = tile * tileEntries;
      const width = Math.min(headSize - first, tileEntries);
      const whole = `tile/data/${pathOf(tile)}`;
      let answer = await getTile(width < tileEntries ? `${whole}.p/${width}` : whole, signal);
      // A part may be gone as soon as the whole is there.
      if (answer.status === 404 && width < tileEntries) answer = await getTile(whole, signal);
      checkStatus(answer);
      if (answer.cut) throw new Problem('unavailable', `tile ${tile} is larger than ${pageBytesMax} bytes`);
      return needs.pages.read({
        kind: 'tile',
        body: answer.body,
        isPacked: isPacked(answer),
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
