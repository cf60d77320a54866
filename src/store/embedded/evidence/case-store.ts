/** Cases and their packs, in images.db. */
import { join } from 'node:path';
import { yieldToEventLoop } from '../../../concurrency/event-loop-slices.ts';
import {
  abandonedMs,
  type CaseKey,
  type CaseRow,
  type CaseStore,
  caseOf,
  partsOf,
  rowOf,
} from '../../evidence/case-store.ts';
import { openDatabase, write } from '../database.ts';

const columns = `id, account_id as accountId, created_ms as createdMs, created_by as createdBy, domains, recipient,
  recipient_name as recipientName, note, hash, bytes, sent_ms as sentMs, answered_ms as answeredMs, outcome`;

export function openCaseStore(data: string): CaseStore {
  const database = openDatabase(join(data, 'images.db'), 'images', 'full');
  const count = database.prepare('select count(*) from evidence_case where account_id = ?').pluck();
  const add = database.prepare(
    `insert into evidence_case values (:id, :accountId, :createdMs, :createdBy, :domains, :recipient, :recipientName,
     :note, :hash, :bytes, :sentMs, :answeredMs, :outcome)`,
  );
  const addPart = database.prepare('insert into evidence_part values (?, ?, ?, ?)');
  const listed = database.prepare(
    `select ${columns} from evidence_case where account_id = ? order by created_ms desc, id desc limit ?`,
  );
  const found = database.prepare(`select ${columns} from evidence_case where account_id = ? and id = ?`);
  const set = database.prepare(
    `update evidence_case set recipient = :recipient, recipient_name = :recipientName, note = :note,
     sent_ms = :sentMs, answered_ms = :answeredMs, outcome = :outcome where id = :id`,
  );
  const remove = database.prepare('delete from evidence_case where account_id = ? and id = ?');
  const removeParts = database.prepare('delete from evidence_part where case_id = ?');
  const part = database.prepare('select body from evidence_part where case_id = ? and number = ?').pluck();
  const abandoned = database
    .prepare(
      `select distinct case_id from evidence_part where made_ms < ? and case_id not in (select id from evidence_case) limit 10`,
    )
    .pluck();

  const find = ({ accountId, id }: CaseKey) => {
    const row = found.get(accountId, id) as CaseRow | undefined;
    return row && caseOf(row);
  };

  return {
    async createCase(made, pack, casesMax) {
      const { id, accountId, createdMs } = made;
      for (const other of abandoned.all(createdMs - abandonedMs) as string[])
        await write(database, () => removeParts.run(other));
      let number = 0;
      for (const body of partsOf(pack)) {
        await write(database, () => addPart.run(id, number, createdMs, body));
        number += 1;
        await yieldToEventLoop();
      }
      return write(database, () => {
        const isFull = (count.get(accountId) as number) >= casesMax;
        if (isFull) removeParts.run(id);
        else add.run(rowOf(made));
        return !isFull;
      });
    },
    listCases: async (accountId, limit) => (listed.all(accountId, limit) as CaseRow[]).map(caseOf),
    findCase: async (key) => find(key),
    changeCase: (key, change) =>
      write(database, () => {
        const before = find(key);
        if (!before) return undefined;
        const { id, recipient, recipientName, note, sentMs, answeredMs, outcome } = rowOf({
          ...before,
          ...change,
        });
        set.run({ id, recipient, recipientName, note, sentMs, answeredMs, outcome });
        return find(key);
      }),
    deleteCase: ({ accountId, id }) =>
      write(database, () => {
        const isThere = remove.run(accountId, id).changes > 0;
        if (isThere) removeParts.run(id);
        return isThere;
      }),
    async *scanPack(key) {
      if (!find(key)) return;
      for (let number = 0; ; number += 1) {
        const body = part.get(key.id, number) as Buffer | undefined;
        if (!body) return;
        yield body;
      }
    },
    close: async () => void database.close(),
  };
}
