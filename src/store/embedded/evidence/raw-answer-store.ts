/** Raw answers of collectors, in images.db. Writes are done in the thread of the job store: answers come with jobs, and a thread of their own takes 12 MB. */
import { hash } from 'node:crypto';
import { join } from 'node:path';
import type { WorkerClient } from '../../../concurrency/worker-client.ts';
import { DamagedData } from '../../damage.ts';
import type { KeptAnswer, RawAnswerStore } from '../../evidence/raw-answer-store.ts';
import { openDatabase } from '../database.ts';
import { packAnswers } from './packed-answers.ts';
import type { RawAnswerCalls } from './raw-answer-calls.ts';

type Threads = Pick<WorkerClient<RawAnswerCalls, 'write'>, 'runTransferring'>;

type AnswerRow = Omit<KeptAnswer, 'isTruncated' | 'address'> & {
  readonly isTruncated: number;
  readonly address: string | null;
};

export function openRawAnswerStore(data: string, threads: Threads): RawAnswerStore {
  const path = join(data, 'images.db');
  const database = openDatabase(path, 'images', 'full');
  const columns = `domain, kind, asked, hash, collector, first_ms as firstMs, seen_ms as seenMs, address, request,
    media_type as mediaType, is_truncated as isTruncated, bytes as size`;
  const listed = database.prepare(
    `select ${columns} from raw_answer join raw_body using (hash) where domain = ? order by seen_ms desc, kind, asked, hash limit ?`,
  );
  const bodyOf = database.prepare('select body from raw_body where hash = ?').pluck();
  const total = database.prepare('select answers, bytes from raw_total');
  return {
    async saveAnswers(answers, limits) {
      const packed = packAnswers(answers);
      await threads.runTransferring([packed.bytes.buffer], 'write', 'saveAnswers', packed, limits);
    },
    listAnswers: async (domain, limit) =>
      (listed.all(domain, limit) as AnswerRow[]).map((row) => ({
        ...row,
        address: row.address ?? undefined,
        isTruncated: row.isTruncated === 1,
      })),
    async findBytes(name) {
      const body = bodyOf.get(name) as Buffer | undefined;
      if (!body || hash('sha256', body) === name) return body;
      throw new DamagedData({ file: path, problem: `the raw answer ${name} does not match its hash` });
    },
    statistics: async () => total.get() as { answers: number; bytes: number },
    close: async () => void database.close(),
  };
}
