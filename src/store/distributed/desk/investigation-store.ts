/**
 * Investigations in PostgreSQL. Every change has the lock of its account until it is committed, so that one edit of a version is applied and the changes
 * of an account become visible in the order of their ids.
 */
import { newId } from '../../../model/account/api-key.ts';
import type { InvestigationHead } from '../../../model/investigation/investigation.ts';
import {
  type AppliedEdit,
  appliedTo,
  changesKept,
  checkRoom,
  conflictOf,
  outcomeWithoutVersion,
  removalsKeptMs,
} from '../../desk/edit-rules.ts';
import type { EditOutcome, Editor, InvestigationStore } from '../../desk/investigation-store.ts';
import type { PostgresDatabase, Transaction } from '../postgres/database.ts';
import { applyEdit } from './edit-writer.ts';
import { fillInvestigation } from './investigation-content.ts';
import {
  findHead,
  findInvestigation,
  lastChangeId,
  listChanges,
  listChangesSince,
  listHeads,
} from './investigation-queries.ts';

/** Who opened the database closes it. */
export function openInvestigationStore(database: PostgresDatabase): InvestigationStore {
  return {
    listInvestigations: (range) => database.read((sql) => listHeads(sql, range)),
    findHead: (key) => database.read((sql) => findHead(sql, key)),
    findInvestigation: (key) => database.snapshot((sql) => findInvestigation(sql, key)),
    ...changing(database),
    lastChangeId: (accountId) => database.read((sql) => lastChangeId(sql, accountId)),
    listChanges: (range) => database.read((sql) => listChanges(sql, range)),
    close: async () => undefined,
  };
}

function changing(
  database: PostgresDatabase,
): Pick<InvestigationStore, 'createInvestigation' | 'editInvestigation' | 'recordCounts'> {
  const lock = (sql: Transaction, accountId: string) =>
    sql`select pg_advisory_xact_lock(hashtextextended(${`${database.schema} desk ${accountId}`}, 0))`;
  return {
    createInvestigation: (given, by) =>
      database.write(async (sql) => {
        const { accountId, owner, name, note, sharing } = given;
        await lock(sql, accountId);
        const [{ count }] = await sql<[{ count: number }]>`
          select count(*) from investigation where account_id = ${accountId}`;
        checkRoom(count);
        const id = newId();
        await sql`insert into investigation
          (id, account_id, owner_id, owner, name, note, sharing, created_ms, changed_by, changed_ms, version)
          values (${id}, ${accountId}, ${owner.id}, ${owner.name}, ${name}, ${note}, ${sharing},
            ${by.atMs}, ${by.name}, ${by.atMs}, 1)`;
        await fillInvestigation({ sql, id, version: 1, by }, given);
        const head = (await findHead(sql, { accountId, id })) as InvestigationHead;
        await logChange(
          sql,
          head,
          { ...appliedTo(head, 'investigation-changed', [], ['name']), version: 1 },
          by,
        );
        return head;
      }),

    editInvestigation: (key, version, edit, by) =>
      database.write(async (sql): Promise<EditOutcome> => {
        await lock(sql, key.accountId);
        const head = await findHead(sql, key);
        if (!head) return { kind: 'missing', what: 'investigation' };
        if (head.version !== version)
          return conflictOf(head, version, await listChangesSince(sql, key.id, version));
        const next = version + 1;
        const applied = await applyEdit({ sql, id: key.id, version: next, by }, head, edit);
        if (typeof applied === 'string') return outcomeWithoutVersion(applied, version);
        await sql`update investigation set version = ${next}, changed_by = ${by.name}, changed_ms = ${by.atMs}
          where id = ${key.id}`;
        await logChange(sql, head, { ...applied, version: next }, by);
        return { kind: 'applied', version: next, ids: applied.ids };
      }),

    recordCounts: ({ accountId, id }, counts) =>
      database.writeRepeatable(async (sql) => {
        await lock(sql, accountId);
        await sql`
          update investigation_node as node set now_domains = domains, now_risk = risk, now_ms = counted
          from unnest(
            ${counts.map(({ nodeId }) => nodeId)}::text[], ${counts.map(({ count }) => count.domains)}::bigint[],
            ${counts.map(({ count }) => count.averageRisk ?? null)}::double precision[],
            ${counts.map(({ count }) => count.atMs)}::bigint[]
          ) as given (node_id, domains, risk, counted)
          where node.id = node_id
            and investigation_id = (select id from investigation where id = ${id} and account_id = ${accountId})`;
      }),
  };
}

async function logChange(
  sql: Transaction,
  head: InvestigationHead,
  { version, what, ids, members, concernsOwnerOnly }: AppliedEdit & { readonly version: number },
  by: Editor,
): Promise<void> {
  await Promise.all([
    sql`insert into investigation_change
      (account_id, investigation_id, version, by, at_ms, what, ids, members, owner_id, is_private)
      values (${head.accountId}, ${head.id}, ${version}, ${by.name}, ${by.atMs}, ${what},
        ${JSON.stringify(ids)}, ${JSON.stringify(members)}, ${head.owner.id}, ${concernsOwnerOnly})`,
    sql`delete from investigation_change
      where investigation_id = ${head.id} and version <= ${version - changesKept}`,
    sql`delete from investigation_change where id in (
      select id from investigation_change
      where what = 'investigation-removed' and at_ms < ${by.atMs - removalsKeptMs} for update skip locked)`,
  ]);
}
