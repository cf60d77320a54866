/** Cases and their packs, in PostgreSQL. */
import {
  abandonedMs,
  type CaseKey,
  type CaseRow,
  type CaseStore,
  caseOf,
  partsOf,
  rowOf,
} from '../../evidence/case-store.ts';
import type { PostgresDatabase, Sql, Transaction } from '../postgres/database.ts';

const columns = (sql: Sql) => sql`
  id, account_id as "accountId", created_ms as "createdMs", created_by as "createdBy", domains, recipient,
  recipient_name as "recipientName", note, hash, bytes, sent_ms as "sentMs", answered_ms as "answeredMs", outcome`;

export function openCaseStore(database: PostgresDatabase): CaseStore {
  const find = async (sql: Sql, { accountId, id }: CaseKey) => {
    const [row] = await sql<CaseRow[]>`
      select ${columns(sql)} from evidence_case where account_id = ${accountId} and id = ${id}`;
    return row && caseOf(row);
  };
  return {
    async createCase(made, pack, casesMax) {
      const { id, accountId, createdMs } = made;
      await database.writeRepeatable(
        (sql) => sql`delete from evidence_part where made_ms < ${createdMs - abandonedMs}
          and case_id not in (select id from evidence_case)`,
      );
      let number = 0;
      for (const body of partsOf(pack)) {
        await database.writeRepeatable(
          (sql) => sql`insert into evidence_part (case_id, number, made_ms, body)
            values (${id}, ${number}, ${createdMs}, ${body}) on conflict do nothing`,
        );
        number += 1;
      }
      return database.write(async (sql) => {
        // Cases of one account are counted by one at a time.
        await sql`select pg_advisory_xact_lock(hashtextextended(${`evidence ${accountId}`}, 0))`;
        const [held] = await sql<{ cases: number }[]>`
          select count(*) as cases from evidence_case where account_id = ${accountId}`;
        const isFull = (held?.cases ?? 0) >= casesMax;
        if (isFull) await sql`delete from evidence_part where case_id = ${id}`;
        else await add(sql, rowOf(made));
        return !isFull;
      });
    },
    listCases: async (accountId, limit) => {
      const rows = await database.read(
        (sql) => sql<CaseRow[]>`select ${columns(sql)} from evidence_case where account_id = ${accountId}
          order by created_ms desc, id desc limit ${limit}`,
      );
      return rows.map(caseOf);
    },
    findCase: (key) => database.read((sql) => find(sql, key)),
    changeCase: (key, change) =>
      database.write(async (sql) => {
        await sql`select id from evidence_case where id = ${key.id} for update`;
        const before = await find(sql, key);
        if (!before) return undefined;
        const { id, recipient, recipientName, note, sentMs, answeredMs, outcome } = rowOf({
          ...before,
          ...change,
        });
        await sql`update evidence_case set recipient = ${recipient}, recipient_name = ${recipientName}, note = ${note},
          sent_ms = ${sentMs}, answered_ms = ${answeredMs}, outcome = ${outcome} where id = ${id}`;
        return find(sql, key);
      }),
    deleteCase: ({ accountId, id }) =>
      database.write(async (sql) => {
        const removed = await sql`delete from evidence_case where account_id = ${accountId} and id = ${id}`;
        if (removed.count > 0) await sql`delete from evidence_part where case_id = ${id}`;
        return removed.count > 0;
      }),
    async *scanPack(key) {
      if (!(await database.read((sql) => find(sql, key)))) return;
      for (let number = 0; ; number += 1) {
        const [part] = await database.read(
          (sql) => sql<{ body: Buffer }[]>`
            select body from evidence_part where case_id = ${key.id} and number = ${number}`,
        );
        if (!part) return;
        yield part.body;
      }
    },
    close: async () => undefined,
  };
}

async function add(sql: Transaction, row: CaseRow): Promise<void> {
  const { id, accountId, createdMs, createdBy, domains, recipient, recipientName, note, hash, bytes } = row;
  await sql`
    insert into evidence_case (id, account_id, created_ms, created_by, domains, recipient, recipient_name, note, hash, bytes,
      sent_ms, answered_ms, outcome)
    values (${id}, ${accountId}, ${createdMs}, ${createdBy}, ${domains}, ${recipient}, ${recipientName}, ${note}, ${hash},
      ${bytes}, ${row.sentMs}, ${row.answeredMs}, ${row.outcome})`;
}
