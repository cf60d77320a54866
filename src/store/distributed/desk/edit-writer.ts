/** Applies edits to the rows of an investigation, within its bounds. All of it in a transaction that has the lock of the account. */
import type { InvestigationHead } from '../../../model/investigation/investigation.ts';
import { type Applied, appliedTo, changedMembers, changedNode, type EditOf } from '../../desk/edit-rules.ts';
import type { Edit } from '../../desk/investigation-store.ts';
import { checkSize, fillInvestigation, insertItems, type Write } from './investigation-content.ts';

export async function applyEdit(write: Write, head: InvestigationHead, edit: Edit): Promise<Applied> {
  const { sql, id } = write;
  switch (edit.kind) {
    case 'change':
      return changeHead(write, head, edit);
    case 'remove':
      await Promise.all([
        sql`delete from investigation where id = ${id}`,
        sql`delete from investigation_change where investigation_id = ${id}`,
      ]);
      return appliedTo(head, 'investigation-removed');
    case 'add-node':
      if (edit.node.parentId !== undefined && !(await findNode(write, edit.node.parentId))) return 'no-node';
      await fillInvestigation(write, { nodes: [edit.node], items: [] });
      return appliedTo(head, 'node-added', [edit.node.id]);
    case 'change-node':
      return changeNode(write, head, edit);
    case 'remove-node': {
      const ids = await removeNode(write, edit.id);
      return ids.length === 0 ? 'no-node' : appliedTo(head, 'node-removed', ids);
    }
    case 'add-items': {
      const ids = await insertItems(write, edit.items);
      if (ids.length === 0) return 'unchanged';
      await checkSize(write);
      return appliedTo(head, 'items-added', ids);
    }
    case 'change-item':
      return changeItem(write, head, edit);
    case 'remove-item': {
      const { count } =
        await sql`delete from investigation_item where investigation_id = ${id} and id = ${edit.id}`;
      return count === 0 ? 'no-item' : appliedTo(head, 'item-removed', [edit.id]);
    }
  }
}

async function changeHead({ sql }: Write, head: InvestigationHead, edit: EditOf<'change'>): Promise<Applied> {
  const members = changedMembers(head, edit);
  if (members.length === 0) return 'unchanged';
  const { name = head.name, note = head.note, sharing = head.sharing } = edit;
  await sql`update investigation set name = ${name}, note = ${note}, sharing = ${sharing} where id = ${head.id}`;
  const applied = appliedTo(head, 'investigation-changed', [], members);
  return { ...applied, concernsOwnerOnly: applied.concernsOwnerOnly && sharing === 'private' };
}

async function changeNode(
  write: Write,
  head: InvestigationHead,
  edit: EditOf<'change-node'>,
): Promise<Applied> {
  const before = await findNode(write, edit.id);
  if (!before) return 'no-node';
  const { members, note, star } = changedNode(before, edit);
  if (members.length === 0) return 'unchanged';
  const { sql, id, version } = write;
  await sql`update investigation_node set note = ${note}, star = ${star}, version = ${version}
    where investigation_id = ${id} and id = ${edit.id}`;
  await checkSize(write);
  return appliedTo(head, 'node-changed', [edit.id], members);
}

async function changeItem(
  write: Write,
  head: InvestigationHead,
  { id: item, note }: EditOf<'change-item'>,
): Promise<Applied> {
  const { sql, id, version } = write;
  const [before] = await sql<{ note: string }[]>`
    select note from investigation_item where investigation_id = ${id} and id = ${item}`;
  if (!before) return 'no-item';
  if (before.note === note) return 'unchanged';
  await sql`update investigation_item set note = ${note}, version = ${version}
    where investigation_id = ${id} and id = ${item}`;
  await checkSize(write);
  return appliedTo(head, 'item-changed', [item], ['note']);
}

async function findNode(
  { sql, id }: Write,
  node: string,
): Promise<{ note: string; star: boolean } | undefined> {
  const [row] = await sql<{ note: string; star: boolean }[]>`
    select note, star from investigation_node where investigation_id = ${id} and id = ${node}`;
  return row;
}

/** The ids of the node and of all below it, which go with it. */
async function removeNode({ sql, id }: Write, node: string): Promise<readonly string[]> {
  const rows = await sql<{ id: string }[]>`
    with recursive below (id) as (
      select id from investigation_node where investigation_id = ${id} and id = ${node}
      union
      select child.id from investigation_node as child join below on child.parent_id = below.id
        where child.investigation_id = ${id})
    select id from below`;
  await sql`delete from investigation_node where investigation_id = ${id} and id = ${node}`;
  return rows.map((row) => row.id);
}
