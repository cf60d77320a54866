/** Searches and findings of an investigation: add, annotate, remove. */
import { Type } from 'typebox';
import type { InvestigationNeeds } from '../../../product/investigations/investigations.ts';
import { defineWebOperation, type WebOperation } from '../web-operation.ts';
import type { CountQueryNeeds } from './count-query.ts';
import { readIfMatch } from './if-match.ts';
import { applyEdit, InvestigationParams, newNode } from './investigation-operations.ts';
import { noteText, readItem } from './investigation-texts.ts';
import { ChangeAnswer, ItemChange, ItemsBody, NodeBody, NodeChange } from './investigation-wire.ts';

export type ContentOperationNeeds = InvestigationNeeds & CountQueryNeeds;

const NodeParams = Type.Object({ ...InvestigationParams.properties, node: Type.String({ maxLength: 40 }) });
const ItemParams = Type.Object({ ...InvestigationParams.properties, item: Type.String({ maxLength: 40 }) });

export function contentOperations(needs: ContentOperationNeeds): readonly WebOperation[] {
  return [...nodeOperations(needs), ...itemOperations(needs)];
}

function nodeOperations(needs: ContentOperationNeeds): readonly WebOperation[] {
  const post = defineWebOperation({
    method: 'POST',
    path: '/investigations/:id/nodes',
    access: 'triage',
    summary: 'Adds a search to the tree',
    params: InvestigationParams,
    body: NodeBody,
    answer: ChangeAnswer,
    handle: async (input) => {
      const node = { ...(await newNode(input.body, input, needs)), parentId: input.body.parent_id };
      return applyEdit(input, { kind: 'add-node', node }, needs, readIfMatch);
    },
  });

  const patch = defineWebOperation({
    method: 'PATCH',
    path: '/investigations/:id/nodes/:node',
    access: 'triage',
    summary: 'Changes the note or the star of a search',
    params: NodeParams,
    body: NodeChange,
    answer: ChangeAnswer,
    handle: (input) => {
      const { note, star } = input.body;
      const changed = note === undefined ? undefined : noteText(note);
      return applyEdit(input, { kind: 'change-node', id: input.params.node, note: changed, star }, needs);
    },
  });

  const remove = defineWebOperation({
    method: 'DELETE',
    path: '/investigations/:id/nodes/:node',
    access: 'triage',
    summary: 'Removes a search with everything below it',
    params: NodeParams,
    answer: ChangeAnswer,
    handle: (input) => applyEdit(input, { kind: 'remove-node', id: input.params.node }, needs),
  });

  return [post, patch, remove];
}

function itemOperations(needs: ContentOperationNeeds): readonly WebOperation[] {
  const post = defineWebOperation({
    method: 'POST',
    path: '/investigations/:id/items',
    access: 'triage',
    summary: 'Adds findings; those that are there already stay as they are',
    params: InvestigationParams,
    body: ItemsBody,
    answer: ChangeAnswer,
    handle: (input) => {
      const items = input.body.items.map((item, index) => readItem(item, `items[${index}]`));
      return applyEdit(input, { kind: 'add-items', items }, needs, readIfMatch);
    },
  });

  const patch = defineWebOperation({
    method: 'PATCH',
    path: '/investigations/:id/items/:item',
    access: 'triage',
    summary: 'Changes the note of a finding',
    params: ItemParams,
    body: ItemChange,
    answer: ChangeAnswer,
    handle: (input) => {
      const { params, body } = input;
      return applyEdit(input, { kind: 'change-item', id: params.item, note: noteText(body.note) }, needs);
    },
  });

  const remove = defineWebOperation({
    method: 'DELETE',
    path: '/investigations/:id/items/:item',
    access: 'triage',
    summary: 'Removes a finding',
    params: ItemParams,
    answer: ChangeAnswer,
    handle: (input) => applyEdit(input, { kind: 'remove-item', id: input.params.item }, needs),
  });

  return [post, patch, remove];
}
