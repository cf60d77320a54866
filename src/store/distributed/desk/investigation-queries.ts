/** Reads the tables of investigations. */
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
import type {
  InvestigationChange,
  InvestigationKey,
  InvestigationStore,
} from '../../desk/investigation-store.ts';
import type { Sql, Transaction } from '../postgres/database.ts';

type Range<Name extends 'listInvestigations' | 'listChanges'> = Parameters<InvestigationStore[Name]>[0];

const headOfAll = (sql: Sql) => sql`
  select investigation.*,
    (select count(*) from investigation_node where investigation_id = investigation.id) as nodes,
    (select count(*) from investigation_item where investigation_id = investigation.id) as items
  from investigation`;

export async function listHeads(
  sql: Sql,
  { accountId, personId, limit }: Range<'listInvestigations'>,
): Promise<readonly InvestigationHead[]> {
  const rows = await sql<HeadRow[]>`${headOfAll(sql)}
    where account_id = ${accountId} and (sharing <> 'private' or owner_id = ${personId})
    order by changed_ms desc, id limit ${limit}`;
  return rows.map(headOf);
}

export async function findHead(
  sql: Sql,
  { accountId, id }: InvestigationKey,
): Promise<InvestigationHead | undefined> {
  const [row] = await sql<HeadRow[]>`${headOfAll(sql)} where id = ${id} and account_id = ${accountId}`;
  return row && headOf(row);
}

/** In a transaction of one moment. */
export async function findInvestigation(
  sql: Transaction,
  key: InvestigationKey,
): Promise<Investigation | undefined> {
  const [head, nodes, items] = await Promise.all([
    findHead(sql, key),
    sql<NodeRow[]>`select * from investigation_node where investigation_id = ${key.id} order by number`,
    sql<ItemRow[]>`select * from investigation_item where investigation_id = ${key.id} order by number`,
  ]);
  return head && investigationOf(head, nodes, items);
}

export async function lastChangeId(sql: Sql, accountId: string): Promise<number> {
  const [row] = await sql<{ last: number | null }[]>`
    select max(id) as last from investigation_change where account_id = ${accountId}`;
  return row?.last ?? 0;
}

export async function listChanges(
  sql: Sql,
  { accountId, personId, afterId, limit }: Range<'listChanges'>,
): Promise<readonly InvestigationChange[]> {
  const rows = await sql<ChangeRow[]>`
    select * from investigation_change
    where account_id = ${accountId} and id > ${afterId} and (not is_private or owner_id = ${personId})
    order by id limit ${limit}`;
  return rows.map(changeOf);
}

/** Of one investigation, oldest first. */
export async function listChangesSince(
  sql: Transaction,
  id: string,
  version: number,
): Promise<readonly InvestigationChange[]> {
  const rows = await sql<ChangeRow[]>`
    select * from investigation_change where investigation_id = ${id} and version > ${version} order by version`;
  return rows.map(changeOf);
}
