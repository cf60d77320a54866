/** A log that is asked by RFC 6962. It gives as many entries at once as it likes; whoever wants more asks again. */
import {
  askLog,
  checkStatus,
  headBytesMax,
  isPacked,
  type LogClient,
  type LogClientNeeds,
  pageBytesMax,
} from './log-client.ts';
import { getTreeHead } from './log-head.ts';
import type { LogPage } from './log-page.ts';

/** An entry that no answer of a bearable size holds. */
const unreadable: LogPage = { entries: 1, certificates: 0, malformed: 1, names: [], timestampMs: 0 };

export function rfc6962Log(needs: LogClientNeeds): LogClient {
  return {
    async getHead(signal) {
      const answer = await askLog(needs, 'ct/v1/get-sth', headBytesMax, signal);
      checkStatus(answer);
      return getTreeHead(answer.body, needs.key);
    },

    async getPage(from, to, _headSize, signal) {
      for (let asked = to - from; ; asked = Math.ceil(asked / 2)) {
        const path = `ct/v1/get-entries?start=${from}&end=${from + asked - 1}`;
        const answer = await askLog(needs, path, pageBytesMax, signal);
        checkStatus(answer);
        if (answer.cut && asked === 1) return unreadable;
        if (answer.cut) continue;
        const packing = { body: answer.body, isPacked: isPacked(answer) };
        return needs.pages.read({ kind: 'entries', ...packing, skip: 0, entriesMax: asked });
      }
    },
  };
}
