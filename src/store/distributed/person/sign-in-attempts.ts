/** Attempts to sign in, counted exactly over all nodes: every change has the locks of its subjects until it is committed. */
import { type AttemptRow, attemptMemoryMs, countedAttempt, retryMsOf } from '../../person/session-rows.ts';
import type { SessionStore } from '../../person/session-store.ts';
import type { PostgresDatabase, Transaction } from '../postgres/database.ts';

type Attempts = Pick<SessionStore, 'countAttempt' | 'releaseAttempt' | 'forgetAttempts'>;

export function attempts(database: PostgresDatabase): Attempts {
  const change = <Result>(subjects: readonly string[], work: (sql: Transaction) => Promise<Result>) =>
    database.write(async (sql) => {
      await lockSubjects(
        sql,
        subjects.map((subject) => `${database.schema} attempts ${subject}`),
      );
      return work(sql);
    });
  return {
    countAttempt: (throttled, nowMs) => {
      const subjects = throttled.map(({ subject }) => subject);
      return change(subjects, async (sql) => {
        const rows = await sql<AttemptRow[]>`
          select * from sign_in_attempt where subject = any(${subjects}::text[])`;
        const times = rows.flatMap((row) => retryMsOf(row, nowMs) ?? []);
        if (times.length > 0) return Math.max(...times);
        const before = new Map(rows.map((row) => [row.subject, row]));
        const counted = throttled.map((each) => countedAttempt(each, before.get(each.subject), nowMs));
        await sql`insert into sign_in_attempt ${sql(counted)} on conflict (subject) do update
          set attempts = excluded.attempts, at_ms = excluded.at_ms, until_ms = excluded.until_ms`;
        return undefined;
      });
    },
    releaseAttempt: (subjects) =>
      change(subjects, async (sql) => {
        await sql`update sign_in_attempt set attempts = greatest(0, attempts - 1), until_ms = at_ms
          where subject = any(${subjects}::text[])`;
      }),
    forgetAttempts: (subjects) =>
      change(subjects, async (sql) => {
        const rows = await sql<Pick<AttemptRow, 'attempts'>[]>`
          delete from sign_in_attempt where subject = any(${subjects}::text[]) returning attempts`;
        return rows.reduce((sum, row) => sum + row.attempts, 0);
      }),
  };
}

/** In one order, so that no two wait for each other. Locks of their own, since a subject without attempts has no row. */
async function lockSubjects(sql: Transaction, names: readonly string[]): Promise<void> {
  await sql`select pg_advisory_xact_lock(key) from (
    select distinct hashtextextended(name, 0) as key from unnest(${names}::text[]) as name order by key) as keys`;
}

export async function pruneAttempts(sql: Transaction, nowMs: number): Promise<void> {
  await sql`delete from sign_in_attempt where at_ms <= ${nowMs - attemptMemoryMs}`;
}
