/** Reads the tables of desk.db. */
import type {
  Investigation,
  InvestigationHead,
  InvestigationItem,
  ItemKind,
  SearchCount,
  SearchNode,
  SearchQuery,
  Sharing,
} from '../../../model/investigation/investigation.ts';
import type {
  ChangedMember,
  ChangeKind,
  InvestigationChange,
  InvestigationKey,
} from '../../desk/investigation-store.ts';
import type { Database } from '../database.ts';

interface HeadRow {
  readonly id: string;
  readonly account_id: string;
  readonly owner_id: string;
  readonly owner: string;
  readonly name: string;
  readonly note: string;
  readonly sharing: Sharing;
  readonly created_ms: number;
  readonly changed_by: string;
  readonly changed_ms: number;
  readonly version: number;
  readonly nodes: number;
  readonly items: number;
}

interface NodeRow {
  readonly id: string;
  readonly parent_id: string | null;
  readonly query: string;
  readonly note: string;
  readonly star: number;
  readonly by: string;
  readonly at_ms: number;
  readonly version: number;
  readonly then_domains: number | null;
  readonly then_risk: number | null;
  readonly then_ms: number | null;
  readonly now_domains: number | null;
  readonly now_risk: number | null;
  readonly now_ms: number | null;
}

interface ItemRow {
  readonly id: string;
  readonly kind: ItemKind;
  readonly value: string;
  readonly note: string;
  readonly by: string;
  readonly at_ms: number;
  readonly version: number;
}

interface ChangeRow {
  readonly id: number;
  readonly investigation_id: string;
  readonly version: number;
  readonly by: string;
  readonly at_ms: number;
  readonly what: ChangeKind;
  readonly ids: string;
  readonly members: string;
}

export class InvestigationRows {
  readonly #statements;
  readonly #read;

  constructor(database: Database) {
    this.#statements = prepare(database);
    this.#read = database.transaction((key: InvestigationKey): Investigation | undefined => {
      const head = this.findHead(key);
      if (!head) return undefined;
      const nodes = (this.#statements.nodes.all(key.id) as NodeRow[]).map(nodeOf);
      const items = (this.#statements.items.all(key.id) as ItemRow[]).map(itemOf);
      return { ...head, nodes, items };
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

function headOf(row: HeadRow): InvestigationHead {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    note: row.note,
    sharing: row.sharing,
    owner: { id: row.owner_id, name: row.owner },
    createdMs: row.created_ms,
    changed: { by: row.changed_by, atMs: row.changed_ms },
    version: row.version,
    nodeCount: row.nodes,
    itemCount: row.items,
  };
}

function nodeOf(row: NodeRow): SearchNode {
  return {
    id: row.id,
    parentId: row.parent_id ?? undefined,
    query: JSON.parse(row.query) as SearchQuery,
    note: row.note,
    star: row.star === 1,
    by: row.by,
    atMs: row.at_ms,
    countThen: countOf(row.then_domains, row.then_risk, row.then_ms),
    countNow: countOf(row.now_domains, row.now_risk, row.now_ms),
    version: row.version,
  };
}

function countOf(domains: number | null, risk: number | null, atMs: number | null): SearchCount | undefined {
  if (domains === null || atMs === null) return undefined;
  return { domains, averageRisk: risk ?? undefined, atMs };
}

function itemOf({ id, kind, value, note, by, at_ms: atMs, version }: ItemRow): InvestigationItem {
  return { id, kind, value, note, by, atMs, version };
}

function changeOf(row: ChangeRow): InvestigationChange {
  return {
    id: row.id,
    investigationId: row.investigation_id,
    version: row.version,
    by: row.by,
    atMs: row.at_ms,
    what: row.what,
    ids: JSON.parse(row.ids) as string[],
    members: JSON.parse(row.members) as ChangedMember[],
  };
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
