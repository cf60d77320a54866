/** Reads the tables of desk.db. */
import type { Investigation, InvestigationHead } from '../../../model/investigation/investigation.ts';
import {
  type ChangeRow,
  changeOf,
  type HeadRow,
  headOf,
  type ItemRow,
  investigationOf,
  type NodeRow,
} from '../../desk/investigation-rows.ts';
import type { InvestigationChange, InvestigationKey } from '../../desk/investigation-store.ts';
import type { Database } from '../database.ts';

export class InvestigationRows {
  readonly #statements;
  readonly #read;

  constructor(database: Database) {
    this.#statements = prepare(database);
    this.#read = database.transaction((key: InvestigationKey): Investigation | undefined => {
      const head = this.findHead(key);
      if (!head) return undefined;
      const nodes = this.#statements.nodes.all(key.id) as NodeRow[];
      return investigationOf(head, nodes, this.#statements.items.all(key.id) as ItemRow[]);
    });
  }

  list(range: { accountId: string; personId: string; limit: number }): readonly InvestigationHead[] {
    return (this.#statements.list.all(range) as HeadRow[]).map(headOf);
  }

  findHead(key: InvestigationKey): InvestigationHead | undefined {
    const row = this.#statements.head.get(key) as HeadRow | undefined;
    return row && headOf(row);
  }

  /** From one state of the database. */
  find(key: InvestigationKey): Investigation | undefined {
    return this.#read(key);
  }

  lastChangeId(accountId: string): number {
    return (this.#statements.lastChange.get(accountId) as number | null) ?? 0;
  }

  listChanges(range: {
    accountId: string;
    personId: string;
    afterId: number;
    limit: number;
  }): readonly InvestigationChange[] {
    return (this.#statements.changes.all(range) as ChangeRow[]).map(changeOf);
  }

  /** Of one investigation, oldest first. */
  listChangesSince(id: string, version: number): readonly InvestigationChange[] {
    return (this.#statements.changesSince.all(id, version) as ChangeRow[]).map(changeOf);
  }
}

function prepare(database: Database) {
  const head = `select *, (select count(*) from node where investigation_id = investigation.id) as nodes,
    (select count(*) from item where investigation_id = investigation.id) as items from investigation`;
  return {
    list: database.prepare(
      `${head} where account_id = :accountId and (sharing <> 'private' or owner_id = :personId)
       order by changed_ms desc, id limit :limit`,
    ),
    head: database.prepare(`${head} where id = :id and account_id = :accountId`),
    nodes: database.prepare('select * from node where investigation_id = ? order by number'),
    items: database.prepare('select * from item where investigation_id = ? order by number'),
    lastChange: database.prepare('select max(id) from change where account_id = ?').pluck(),
    changes: database.prepare(
      `select * from change where account_id = :accountId and id > :afterId
       and (is_private = 0 or owner_id = :personId) order by id limit :limit`,
    ),
    changesSince: database.prepare(
      'select * from change where investigation_id = ? and version > ? order by version',
    ),
  };
}
