/** Raw answers of collectors, in PostgreSQL. */
import { hash } from 'node:crypto';
import type { RawAnswer } from '../../../model/evidence/raw-answer.ts';
import { DamagedData } from '../../damage.ts';
import {
  answerOverheadBytes,
  type KeptAnswer,
  type RawAnswerLimits,
  type RawAnswerStore,
} from '../../evidence/raw-answer-store.ts';
import type { PostgresDatabase, Transaction } from '../postgres/database.ts';

/** Deleted per transaction, for lack of room. */
const removedMax = 100;

interface AnswerKey {
  readonly domain: string;
  readonly kind: string;
  readonly asked: string;
  readonly hash: string;
}

export function openRawAnswerStore(database: PostgresDatabase): RawAnswerStore {
  return {
    async saveAnswers(answers, limits) {
      for (const [domain, some] of Map.groupBy(answers, (answer) => answer.domain))
        await database.write(async (sql) => {
          await sql`select one from raw_total for update`;
          for (const answer of some) await put(sql, answer);
          await trimDomain(sql, domain, limits);
        });
      while ((await database.write((sql) => trimAll(sql, limits))) > 0) continue;
    },
    listAnswers: async (domain, limit) => {
      const rows = await database.read(
        (sql) => sql<(Omit<KeptAnswer, 'address'> & { address: string | null })[]>`
          select domain, kind, asked, hash, collector, first_ms as "firstMs", seen_ms as "seenMs", address, request,
            media_type as "mediaType", is_truncated as "isTruncated", bytes as size
          from raw_answer join raw_body using (hash) where domain = ${domain}
          order by seen_ms desc, kind, asked, hash limit ${limit}`,
      );
      return rows.map((row) => ({ ...row, address: row.address ?? undefined }));
    },
    async findBytes(name) {
      const [row] = await database.read(
        (sql) => sql<{ body: Buffer }[]>`select body from raw_body where hash = ${name}`,
      );
      if (!row || hash('sha256', row.body) === name) return row?.body;
      throw new DamagedData({
        file: 'postgres/raw_body',
        problem: `the raw answer ${name} does not match its hash`,
      });
    },
    statistics: async () => {
      const [total] = await database.read(
        (sql) => sql<{ answers: number; bytes: number }[]>`select answers, bytes from raw_total`,
      );
      return { answers: 0, bytes: 0, ...total };
    },
    close: async () => undefined,
  };
}

async function put(sql: Transaction, answer: RawAnswer): Promise<void> {
  const { domain, kind, asked, collector, atMs, address, request, mediaType, bytes, isTruncated } = answer;
  const name = hash('sha256', bytes);
  const seen = await sql`
    update raw_answer set seen_ms = greatest(seen_ms, ${atMs})
    where domain = ${domain} and kind = ${kind} and asked = ${asked} and hash = ${name}`;
  if (seen.count > 0) return;
  const [body] = await sql<{ answers: number }[]>`
    insert into raw_body (hash, bytes, body, answers) values (${name}, ${bytes.length}, ${Buffer.from(bytes)}, 1)
    on conflict (hash) do update set answers = raw_body.answers + 1 returning answers`;
  await sql`
    insert into raw_answer (domain, kind, asked, hash, collector, first_ms, seen_ms, address, request, media_type, is_truncated)
    values (${domain}, ${kind}, ${asked}, ${name}, ${collector}, ${atMs}, ${atMs}, ${address ?? null}, ${request},
      ${mediaType}, ${isTruncated})`;
  const added = answerOverheadBytes + (body?.answers === 1 ? bytes.length : 0);
  await sql`update raw_total set answers = answers + 1, bytes = bytes + ${added}`;
}

async function remove(sql: Transaction, { domain, kind, asked, hash: name }: AnswerKey): Promise<void> {
  await sql`delete from raw_answer
    where domain = ${domain} and kind = ${kind} and asked = ${asked} and hash = ${name}`;
  const [left] = await sql<{ answers: number; bytes: number }[]>`
    update raw_body set answers = answers - 1 where hash = ${name} returning answers, bytes`;
  const isUnused = left?.answers === 0;
  if (isUnused) await sql`delete from raw_body where hash = ${name}`;
  const freed = answerOverheadBytes + (isUnused ? left.bytes : 0);
  await sql`update raw_total set answers = answers - 1, bytes = bytes - ${freed}`;
}

async function trimDomain(
  sql: Transaction,
  domain: string,
  { domainBytesMax }: RawAnswerLimits,
): Promise<void> {
  const rows = await sql<(AnswerKey & { bytes: number })[]>`
    select domain, kind, asked, hash, bytes from raw_answer join raw_body using (hash)
    where domain = ${domain} order by seen_ms desc, first_ms desc`;
  let bytes = 0;
  for (const row of rows) {
    bytes += row.bytes + answerOverheadBytes;
    if (bytes > domainBytesMax) await remove(sql, row);
  }
}

/** Returns how many were removed. */
async function trimAll(sql: Transaction, { totalBytesMax }: RawAnswerLimits): Promise<number> {
  const [held] = await sql<{ bytes: number }[]>`select bytes from raw_total`;
  if ((held?.bytes ?? 0) <= totalBytesMax) return 0;
  await sql`select one from raw_total for update`;
  const rows = await sql<AnswerKey[]>`
    select domain, kind, asked, hash from raw_answer order by seen_ms limit ${removedMax}`;
  let removed = 0;
  for (const row of rows) {
    await remove(sql, row);
    removed += 1;
    const [total] = await sql<{ bytes: number }[]>`select bytes from raw_total`;
    if ((total?.bytes ?? 0) <= totalBytesMax) break;
  }
  return removed;
}
