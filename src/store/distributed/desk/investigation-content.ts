/** Searches and findings of an investigation as they are written, and its bounds. */
import { newId } from '../../../model/account/api-key.ts';
import { checkBounds } from '../../desk/edit-rules.ts';
import type { Editor, NewItem, NewNode } from '../../desk/investigation-store.ts';
import type { Transaction } from '../postgres/database.ts';

/** What is written, by whom, and as which version. */
export interface Write {
  readonly sql: Transaction;
  readonly id: string;
  readonly version: number;
  readonly by: Editor;
}

export async function fillInvestigation(
  write: Write,
  { nodes, items }: { readonly nodes: readonly NewNode[]; readonly items: readonly NewItem[] },
): Promise<void> {
  await Promise.all([insertNodes(write, nodes), insertItems(write, items)]);
  await checkSize(write);
}

async function insertNodes({ sql, id, version, by }: Write, nodes: readonly NewNode[]): Promise<void> {
  if (nodes.length === 0) return;
  const column = <Value>(valueOf: (node: NewNode) => Value) => nodes.map(valueOf);
  await sql`
    insert into investigation_node (investigation_id, id, parent_id, query, note, star, by, at_ms, version,
      then_domains, then_risk, then_ms, now_domains, now_risk, now_ms)
    select ${id}, node, parent, query, note, star, ${by.name}, ${by.atMs}, ${version},
      domains, risk, counted, domains, risk, counted
    from unnest(
      ${column((node) => node.id)}::text[], ${column((node) => node.parentId ?? null)}::text[],
      ${column((node) => JSON.stringify(node.query))}::text[], ${column((node) => node.note)}::text[],
      ${column((node) => node.star)}::boolean[], ${column((node) => node.countThen?.domains ?? null)}::bigint[],
      ${column((node) => node.countThen?.averageRisk ?? null)}::double precision[],
      ${column((node) => node.countThen?.atMs ?? null)}::bigint[]
    ) with ordinality as given (node, parent, query, note, star, domains, risk, counted, position)
    order by position`;
}

/** The ids of those that were not there already, in their order. */
export async function insertItems(
  { sql, id, version, by }: Write,
  items: readonly NewItem[],
): Promise<readonly string[]> {
  if (items.length === 0) return [];
  const rows = await sql<{ id: string }[]>`
    insert into investigation_item (investigation_id, id, kind, value, note, by, at_ms, version)
    select ${id}, item, kind, value, note, ${by.name}, ${by.atMs}, ${version}
    from unnest(
      ${items.map(() => newId())}::text[], ${items.map(({ kind }) => kind)}::text[],
      ${items.map(({ value }) => value)}::text[], ${items.map(({ note }) => note)}::text[]
    ) with ordinality as given (item, kind, value, note, position)
    order by position
    on conflict (investigation_id, kind, value) do nothing returning id`;
  return rows.map((row) => row.id);
}

/** Of an investigation with what is written in it. */
export async function checkSize({ sql, id }: Write): Promise<void> {
  const [size] = await sql<[{ nodes: number; items: number; bytes: number }]>`
    select node.count as nodes, item.count as items, node.bytes + item.bytes as bytes
    from (select count(*), coalesce(sum(octet_length(query) + octet_length(note)), 0)::bigint as bytes
        from investigation_node where investigation_id = ${id}) as node,
      (select count(*), coalesce(sum(octet_length(value) + octet_length(note)), 0)::bigint as bytes
        from investigation_item where investigation_id = ${id}) as item`;
  checkBounds(size);
}
