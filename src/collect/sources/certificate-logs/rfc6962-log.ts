/** Client of a log with the RFC 6962 API. Such a log may return fewer entries than requested. */
import {
  checkStatus,
  fetchFromLog,
  headBytesMax,
  isGzipped,
  type LogClient,
  type LogClientNeeds,
  pageBytesMax,
} from './log-client.ts';
import { getTreeHead } from './log-head.ts';
import type { LogPage } from './log-page.ts';

/** Stands for an entry that exceeds the size limit of a response. */
const unreadable: LogPage = { entries: 1, certificates: 0, malformed: 1, names: [], timestampMs: 0 };

export function rfc6962Log(needs: LogClientNeeds): LogClient {
  return {
    async getHead(signal) {
      const response = await fetchFromLog(needs, 'ct/v1/get-sth', headBytesMax, signal);
      checkStatus(response);
      return getTreeHead(response.body, needs.key);
    },

    async getPage({ from, to, signal }) {
      for (let count = to - from; ; count = Math.ceil(count / 2)) {
        const path = `ct/v1/get-entries?start=${from}&end=${from + count - 1}`;
        const response = await fetchFromLog(needs, path, pageBytesMax, signal);
        checkStatus(response);
        if (response.isTruncated && count === 1) return unreadable;
        if (response.isTruncated) continue;
        const contents = { body: response.body, isGzipped: isGzipped(response) };
        return needs.pages.read({ kind: 'entries', ...contents, skip: 0, entriesMax: count });
      }
    },
  };
}
