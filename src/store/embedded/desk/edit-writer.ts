/** Applies edits to the rows of an investigation, within its bounds. Must be called within a write transaction. */
import { newId } from '../../../model/account/api-key.ts';
import type { InvestigationHead } from '../../../model/investigation/investigation.ts';
import {
  type Applied,
  appliedTo,
  changedMembers,
  changedNode,
  checkBounds,
  type EditOf,
} from '../../desk/edit-rules.ts';
import type { Edit, Editor, NewInvestigation, NewItem, NewNode } from '../../desk/investigation-store.ts';
import type { Database } from '../database.ts';

interface Write {
  readonly id: string;
  readonly version: number;
  readonly by: Editor;
}

export class EditWriter {
  readonly #statements;

  constructor(database: Database) {
    this.#statements = prepare(database);
  }

  /** The content of a new investigation, at its first version. */
  fill(id: string, { nodes, items }: NewInvestigation, by: Editor): void {
    const write = { id, version: 1, by };
    for (const node of nodes) this.#insertNode(write, node);
    for (const item of items) this.#insertItem(write, item);
    this.#checkBounds(id);
  }

  apply(head: InvestigationHead, version: number, edit: Edit, by: Editor): Applied {
    const write = { id: head.id, version, by };
    switch (edit.kind) {
      case 'change': {
        const members = changedMembers(head, edit);
        if (members.length === 0) return 'unchanged';
        const { name = head.name, note = head.note, sharing = head.sharing } = edit;
        this.#statements.change.run({ id: head.id, name, note, sharing });
        const applied = appliedTo(head, 'investigation-changed', [], members);
        return { ...applied, concernsOwnerOnly: applied.concernsOwnerOnly && sharing === 'private' };
      }
      case 'remove':
        this.#statements.remove.run(head.id);
        this.#statements.removeChanges.run(head.id);
        return appliedTo(head, 'investigation-removed');
      case 'add-node':
        if (edit.node.parentId !== undefined && !this.#hasNode(head.id, edit.node.parentId)) return 'no-node';
        this.#insertNode(write, edit.node);
        this.#checkBounds(head.id);
        return appliedTo(head, 'node-added', [edit.node.id]);
      case 'change-node':
        return this.#changeNode(write, edit, head);
      case 'remove-node': {
        if (!this.#hasNode(head.id, edit.id)) return 'no-node';
        const ids = this.#statements.below.all({ id: head.id, node: edit.id }) as string[];
        this.#statements.removeNode.run(head.id, edit.id);
        return appliedTo(head, 'node-removed', ids);
      }
      case 'add-items': {
        const ids = edit.items.flatMap((item) => this.#insertItem(write, item) ?? []);
        if (ids.length === 0) return 'unchanged';
        this.#checkBounds(head.id);
        return appliedTo(head, 'items-added', ids);
      }
      case 'change-item': {
        const note = this.#statements.itemNote.get(head.id, edit.id) as string | undefined;
        if (note === undefined) return 'no-item';
        if (note === edit.note) return 'unchanged';
        this.#statements.changeItem.run({ id: head.id, item: edit.id, note: edit.note, version });
        this.#checkBounds(head.id);
        return appliedTo(head, 'item-changed', [edit.id], ['note']);
      }
      case 'remove-item':
        if (this.#statements.removeItem.run(head.id, edit.id).changes === 0) return 'no-item';
        return appliedTo(head, 'item-removed', [edit.id]);
    }
  }

  #changeNode({ id, version }: Write, edit: EditOf<'change-node'>, head: InvestigationHead): Applied {
    const before = this.#statements.node.get(id, edit.id) as { note: string; star: number } | undefined;
    if (!before) return 'no-node';
    const { members, note, star } = changedNode({ note: before.note, star: before.star === 1 }, edit);
    if (members.length === 0) return 'unchanged';
    this.#statements.changeNode.run({ id, node: edit.id, note, star: star ? 1 : 0, version });
    this.#checkBounds(id);
    return appliedTo(head, 'node-changed', [edit.id], members);
  }

  #hasNode(id: string, nodeId: string): boolean {
    return this.#statements.node.get(id, nodeId) !== undefined;
  }

  #insertNode({ id, version, by }: Write, node: NewNode): void {
    const { countThen: count } = node;
    this.#statements.insertNode.run({
      investigation: id,
      id: node.id,
      parent: node.parentId ?? null,
      query: JSON.stringify(node.query),
      note: node.note,
      star: node.star ? 1 : 0,
      by: by.name,
      at: by.atMs,
      version,
      domains: count?.domains ?? null,
      risk: count?.averageRisk ?? null,
      counted: count?.atMs ?? null,
    });
  }

  /** The id; undefined for one that is there already. */
  #insertItem({ id, version, by }: Write, { kind, value, note }: NewItem): string | undefined {
    const item = newId();
    const row = { investigation: id, id: item, kind, value, note, by: by.name, at: by.atMs, version };
    return this.#statements.insertItem.run(row).changes === 0 ? undefined : item;
  }

  #checkBounds(id: string): void {
    const counts = this.#statements.counts.get(id, id) as { nodes: number; items: number };
    checkBounds({ ...counts, bytes: this.#statements.bytes.get({ id }) as number });
  }
}

function prepare(database: Database) {
  return {
    change: database.prepare(
      'update investigation set name = :name, note = :note, sharing = :sharing where id = :id',
    ),
    remove: database.prepare('delete from investigation where id = ?'),
    removeChanges: database.prepare('delete from change where investigation_id = ?'),
    node: database.prepare('select note, star from node where investigation_id = ? and id = ?'),
    insertNode: database.prepare(
      `insert into node (investigation_id, id, parent_id, query, note, star, by, at_ms, version,
         then_domains, then_risk, then_ms, now_domains, now_risk, now_ms)
       values (:investigation, :id, :parent, :query, :note, :star, :by, :at, :version,
         :domains, :risk, :counted, :domains, :risk, :counted)`,
    ),
    changeNode: database.prepare(
      `update node set note = :note, star = :star, version = :version
       where investigation_id = :id and id = :node`,
    ),
    below: database
      .prepare(
        `with recursive below (id) as (
           select :node union
           select node.id from node join below on node.parent_id = below.id where node.investigation_id = :id)
         select id from below`,
      )
      .pluck(),
    removeNode: database.prepare('delete from node where investigation_id = ? and id = ?'),
    insertItem: database.prepare(
      `insert into item (investigation_id, id, kind, value, note, by, at_ms, version)
       values (:investigation, :id, :kind, :value, :note, :by, :at, :version) on conflict do nothing`,
    ),
    itemNote: database.prepare('select note from item where investigation_id = ? and id = ?').pluck(),
    changeItem: database.prepare(
      'update item set note = :note, version = :version where investigation_id = :id and id = :item',
    ),
    removeItem: database.prepare('delete from item where investigation_id = ? and id = ?'),
    counts: database.prepare(
      `select (select count(*) from node where investigation_id = ?) as nodes,
         (select count(*) from item where investigation_id = ?) as items`,
    ),
    bytes: database
      .prepare(
        `select (select ifnull(sum(octet_length(query) + octet_length(note)), 0) from node where investigation_id = :id)
           + (select ifnull(sum(octet_length(value) + octet_length(note)), 0) from item where investigation_id = :id)`,
      )
      .pluck(),
  };
}
