/** A thread of the store: it does one job after another on a connection of its own. */
import { parentPort, workerData } from 'node:worker_threads';
import { Problem } from '../../../model/problem.ts';
import type { RecordUpdate, UpsertCounts } from '../../domain-store.ts';
import { write } from '../database.ts';
import type { DomainJob, Failure, JobAnswer } from './domain-jobs.ts';
import { openDomains } from './open-domains.ts';
import { Search } from './search.ts';
import { statisticsOf } from './statistics.ts';
import { Tagging } from './tags.ts';
import { Tally } from './tally.ts';
import { type Outcome, Upserts } from './upserts.ts';
import { verifyCounts } from './verify.ts';

const database = openDomains((workerData as { path: string }).path);
const upserts = new Upserts(database);
const tagging = new Tagging(database);
const search = new Search(database);
const tally = new Tally(database);

let last: Promise<void> = Promise.resolve();

parentPort?.on('message', ({ id, job }: { id: number; job: DomainJob }) => {
  last = last.then(async () => {
    try {
      answer({ id, result: await perform(job, id) });
    } catch (error) {
      answer({ id, ...failure(error) });
    }
  });
});

function answer(message: JobAnswer): void {
  parentPort?.postMessage(message);
}

/** A thread cannot hand over an error as it is. */
function failure(error: unknown): Failure {
  if (error instanceof Problem) return { problem: { code: error.code, message: error.message } };
  return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

function perform(job: DomainJob, id: number): unknown {
  switch (job.kind) {
    case 'upsert':
      return write(database, () => upsert(job.updates));
    case 'tag':
      return write(database, () => tagging.tag(job));
    case 'search':
      return search.find(job.condition, job.order, job.limit);
    case 'top-values':
      return tally.listTopValues(job.ids, job.attribute, job.limit);
    case 'average-risks':
      return tally.averageRisksOf(job.values);
    case 'statistics':
      return statisticsOf(database);
    case 'verify':
      return verifyCounts(database, (done, all) => answer({ id, progress: [done, all] }));
  }
}

function upsert(pieces: readonly Uint8Array[]): UpsertCounts {
  const counts: Record<Outcome, number> = { added: 0, changed: 0, unchanged: 0 };
  upserts.begin();
  for (const piece of pieces) {
    const lines = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString();
    for (const update of JSON.parse(lines) as RecordUpdate[]) counts[upserts.take(update)] += 1;
  }
  upserts.finish();
  return counts;
}
