/** What the worker thread does with `desk.db`: every write, each in one transaction. */
import { newId } from '../../../model/account/api-key.ts';
import type { InvestigationHead, SearchCount } from '../../../model/investigation/investigation.ts';
import {
  type AppliedEdit,
  appliedTo,
  changesKept,
  checkRoom,
  conflictOf,
  outcomeWithoutVersion,
  removalsKeptMs,
} from '../../desk/edit-rules.ts';
import type {
  Edit,
  EditOutcome,
  Editor,
  InvestigationKey,
  NewInvestigation,
} from '../../desk/investigation-store.ts';
import { type Database, write } from '../database.ts';
import { EditWriter } from './edit-writer.ts';
import { InvestigationRows } from './investigation-rows.ts';

export type InvestigationCalls = ReturnType<typeof investigationCalls>;

export function investigationCalls(database: Database) {
  const rows = new InvestigationRows(database);
  const edits = new EditWriter(database);
  const statements = prepare(database);

  const logChange = (head: InvestigationHead, applied: AppliedEdit, version: number, by: Editor) => {
    const { what, ids, members, concernsOwnerOnly } = applied;
    statements.log.run({
      account: head.accountId,
      investigation: head.id,
      version,
      by: by.name,
      at: by.atMs,
      what,
      ids: JSON.stringify(ids),
      members: JSON.stringify(members),
      owner: head.owner.id,
      private: concernsOwnerOnly ? 1 : 0,
    });
    statements.pruneChanges.run(head.id, version - changesKept);
    statements.pruneRemovals.run(by.atMs - removalsKeptMs);
  };

  return {
    create: (given: NewInvestigation, by: Editor): Promise<InvestigationHead> =>
      write(database, () => {
        const { accountId, owner, name, note, sharing } = given;
        checkRoom(statements.countOf.get(accountId) as number);
        const key = { accountId, id: newId() };
        statements.insert.run({
          ...key,
          owner_id: owner.id,
          owner: owner.name,
          name,
          note,
          sharing,
          by: by.name,
          at: by.atMs,
        });
        edits.fill(key.id, given, by);
        const head = rows.findHead(key) as InvestigationHead;
        logChange(head, appliedTo(head, 'investigation-changed', [], ['name']), head.version, by);
        return head;
      }),

    edit: (key: InvestigationKey, version: number, edit: Edit, by: Editor): Promise<EditOutcome> =>
      write(database, (): EditOutcome => {
        const head = rows.findHead(key);
        if (!head) return { kind: 'missing', what: 'investigation' };
        if (head.version !== version)
          return conflictOf(head, version, rows.listChangesSince(key.id, version));
        const next = version + 1;
        const applied = edits.apply(head, next, edit, by);
        if (typeof applied === 'string') return outcomeWithoutVersion(applied, version);
        statements.touch.run({ id: key.id, version: next, by: by.name, at: by.atMs });
        logChange(head, applied, next, by);
        return { kind: 'applied', version: next, ids: applied.ids };
      }),

    recordCounts: (
      { accountId, id }: InvestigationKey,
      counts: readonly { readonly nodeId: string; readonly count: SearchCount }[],
    ): Promise<void> =>
      write(database, () => {
        for (const { nodeId, count } of counts)
          statements.setNow.run({
            accountId,
            id,
            nodeId,
            domains: count.domains,
            risk: count.averageRisk ?? null,
            at: count.atMs,
          });
      }),
  };
}

function prepare(database: Database) {
  return {
    countOf: database.prepare('select count(*) from investigation where account_id = ?').pluck(),
    insert: database.prepare(
      `insert into investigation values
       (:id, :accountId, :owner_id, :owner, :name, :note, :sharing, :at, :by, :at, 1)`,
    ),
    touch: database.prepare(
      'update investigation set version = :version, changed_by = :by, changed_ms = :at where id = :id',
    ),
    setNow: database.prepare(
      `update node set now_domains = :domains, now_risk = :risk, now_ms = :at
       where investigation_id = (select id from investigation where id = :id and account_id = :accountId)
       and id = :nodeId`,
    ),
    log: database.prepare(
      `insert into change (account_id, investigation_id, version, by, at_ms, what, ids, members, owner_id, is_private)
       values (:account, :investigation, :version, :by, :at, :what, :ids, :members, :owner, :private)`,
    ),
    pruneChanges: database.prepare('delete from change where investigation_id = ? and version <= ?'),
    pruneRemovals: database.prepare("delete from change where what = 'investigation-removed' and at_ms < ?"),
  };
}
