/** What a worker thread does with raw answers: all writes. A transaction writes a quarter of a megabyte, so that other writes of the thread do not wait for long. */
import { hash } from 'node:crypto';
import { yieldToEventLoop } from '../../../concurrency/event-loop-slices.ts';
import type { RawAnswer } from '../../../model/evidence/raw-answer.ts';
import { answerOverheadBytes, type RawAnswerLimits } from '../../evidence/raw-answer-store.ts';
import { type Database, write } from '../database.ts';
import { answersIn, type PackedAnswers } from './packed-answers.ts';

const transactionBytesMax = 1 << 18;
/** Deleted per transaction, for lack of room. */
const removedMax = 100;

interface AnswerKey {
  readonly domain: string;
  readonly kind: string;
  readonly asked: string;
  readonly hash: string;
}

export type RawAnswerCalls = ReturnType<typeof rawAnswerCalls>;

export function rawAnswerCalls(database: Database) {
  const rows = answerWrites(database);
  return {
    async saveAnswers(packed: PackedAnswers, limits: RawAnswerLimits): Promise<void> {
      for (const some of inTransactions(answersIn(packed))) {
        await write(database, () => {
          rows.putAll(some);
          for (const domain of new Set(some.map((answer) => answer.domain))) rows.trimDomain(domain, limits);
        });
        await yieldToEventLoop();
      }
      // Usually there is room, and no transaction is needed to see that.
      while (rows.bytes() > limits.totalBytesMax) {
        if ((await write(database, () => rows.trimAll(limits))) === 0) break;
        await yieldToEventLoop();
      }
    },
  };
}

function* inTransactions(answers: readonly RawAnswer[]): Generator<readonly RawAnswer[]> {
  let some: RawAnswer[] = [];
  let bytes = 0;
  for (const answer of answers) {
    some.push(answer);
    bytes += answer.bytes.length + answerOverheadBytes;
    if (bytes < transactionBytesMax) continue;
    yield some;
    [some, bytes] = [[], 0];
  }
  if (some.length > 0) yield some;
}

/** Called within a write transaction, apart from `bytes`. */
function answerWrites(database: Database) {
  const seen = database.prepare(
    'update raw_answer set seen_ms = max(seen_ms, ?) where domain = ? and kind = ? and asked = ? and hash = ?',
  );
  const addBody = database
    .prepare(
      'insert into raw_body values (?, ?, ?, 1) on conflict do update set answers = answers + 1 returning answers',
    )
    .pluck();
  const addAnswer = database.prepare('insert into raw_answer values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const removeAnswer = database.prepare(
    'delete from raw_answer where domain = :domain and kind = :kind and asked = :asked and hash = :hash',
  );
  const release = database.prepare(
    'update raw_body set answers = answers - 1 where hash = ? returning answers, bytes',
  );
  const removeBody = database.prepare('delete from raw_body where hash = ?');
  const count = database.prepare('update raw_total set answers = answers + ?, bytes = bytes + ?');
  const total = database.prepare('select bytes from raw_total').pluck();
  const sizeOfDomain = database
    .prepare('select total(bytes + ?) from raw_answer cross join raw_body using (hash) where domain = ?')
    .pluck();
  const ofDomain = database.prepare(
    `select domain, kind, asked, hash, bytes from raw_answer join raw_body using (hash) where domain = ? order by seen_ms desc, first_ms desc`,
  );
  const oldest = database.prepare(
    'select domain, kind, asked, hash from raw_answer order by seen_ms limit ?',
  );

  const remove = (key: AnswerKey): void => {
    const { domain, kind, asked, hash: name } = key;
    removeAnswer.run({ domain, kind, asked, hash: name });
    const left = release.get(name) as { answers: number; bytes: number };
    if (left.answers === 0) removeBody.run(name);
    count.run(-1, -answerOverheadBytes - (left.answers === 0 ? left.bytes : 0));
  };

  /** Whether the answer is new, and so is its body. */
  const put = (answer: RawAnswer): 'seen' | 'new' | 'new body' => {
    const { domain, kind, asked, collector, atMs, request, mediaType, bytes } = answer;
    const name = hash('sha256', bytes);
    if (seen.run(atMs, domain, kind, asked, name).changes > 0) return 'seen';
    const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const answers = addBody.get(name, bytes.length, body);
    const isTruncated = answer.isTruncated ? 1 : 0;
    const asStored = [collector, atMs, atMs, answer.address ?? null, request, mediaType, isTruncated];
    addAnswer.run(domain, kind, asked, name, ...asStored);
    return answers === 1 ? 'new body' : 'new';
  };

  return {
    putAll(some: readonly RawAnswer[]): void {
      let [added, bytes] = [0, 0];
      for (const answer of some) {
        const outcome = put(answer);
        if (outcome === 'seen') continue;
        added += 1;
        bytes += answerOverheadBytes + (outcome === 'new body' ? answer.bytes.length : 0);
      }
      if (added > 0) count.run(added, bytes);
    },

    trimDomain(domain: string, { domainBytesMax }: RawAnswerLimits): void {
      if ((sizeOfDomain.get(answerOverheadBytes, domain) as number) <= domainBytesMax) return;
      let bytes = 0;
      for (const row of ofDomain.all(domain) as (AnswerKey & { bytes: number })[]) {
        bytes += row.bytes + answerOverheadBytes;
        if (bytes > domainBytesMax) remove(row);
      }
    },

    /** Returns how many were removed. */
    trimAll({ totalBytesMax }: RawAnswerLimits): number {
      let removed = 0;
      const tooMany = () => (total.get() as number) > totalBytesMax;
      if (!tooMany()) return 0;
      for (const row of oldest.all(removedMax) as AnswerKey[]) {
        remove(row);
        removed += 1;
        if (!tooMany()) break;
      }
      return removed;
    },

    bytes: () => total.get() as number,
  };
}
