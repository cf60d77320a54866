/** Investigations as a whole: list, read, create, change, delete. */
import { type Static, Type } from 'typebox';
import { newId } from '../../../model/account/api-key.ts';
import { investigationLimits } from '../../../model/investigation/investigation.ts';
import {
  type Applied,
  createInvestigation,
  editInvestigation,
  getInvestigation,
  type InvestigationNeeds,
  listVisible,
} from '../../../product/investigations/investigations.ts';
import type { Edit, NewNode } from '../../../store/desk/investigation-store.ts';
import { defineWebOperation, type WebCaller, type WebInput, type WebOperation } from '../web-operation.ts';
import { type CountQueryNeeds, countQuery } from './count-query.ts';
import { requireIfMatch } from './if-match.ts';
import { lineText, noteText, readItem } from './investigation-texts.ts';
import { changeOnWire, headOnWire, investigationOnWire } from './investigation-view.ts';
import {
  ChangeAnswer,
  InvestigationBody,
  InvestigationChange,
  InvestigationList,
  InvestigationView,
  type NodeBody,
} from './investigation-wire.ts';
import type { Asker } from './query-search.ts';

export type InvestigationOperationNeeds = InvestigationNeeds & CountQueryNeeds;

export const InvestigationParams = Type.Object({ id: Type.String({ maxLength: 40 }) });

export function investigationOperations(needs: InvestigationOperationNeeds): readonly WebOperation[] {
  const list = defineWebOperation({
    method: 'GET',
    path: '/investigations',
    access: 'read',
    summary: 'Investigations that are shared with the account, and those of the person',
    answer: InvestigationList,
    handle: async ({ caller }) => {
      const heads = await listVisible(caller, needs);
      return {
        investigations: heads.map((head) => headOnWire(head, caller)),
        limit: investigationLimits.perAccount,
      };
    },
  });

  const get = defineWebOperation({
    method: 'GET',
    path: '/investigations/:id',
    access: 'read',
    summary: 'One investigation, with its searches and findings',
    params: InvestigationParams,
    answer: InvestigationView,
    handle: async ({ caller, params, reply }) => {
      const found = await getInvestigation(caller, params.id, needs);
      reply.header('etag', `"${found.version}"`);
      return investigationOnWire(found, caller);
    },
  });

  const post = defineWebOperation({
    method: 'POST',
    path: '/investigations',
    access: 'triage',
    summary: 'Creates an investigation, with a first search or finding',
    body: InvestigationBody,
    answer: InvestigationView,
    handle: async (input) => {
      const { caller, body, nowMs } = input;
      const { note = '', sharing = 'private', node, item } = body;
      const content = {
        name: lineText('name', body.name),
        note: noteText(note),
        sharing,
        items: item ? [readItem(item, 'item')] : [],
        nodes: node ? [await newNode(node, input, needs)] : [],
      };
      const { id } = await createInvestigation(caller, content, needs, nowMs);
      return investigationOnWire(await getInvestigation(caller, id, needs), caller);
    },
  });

  const patch = defineWebOperation({
    method: 'PATCH',
    path: '/investigations/:id',
    access: 'triage',
    summary: 'Renames, annotates or shares an investigation',
    params: InvestigationParams,
    body: InvestigationChange,
    answer: ChangeAnswer,
    handle: async (input) => {
      const { name, note, sharing } = input.body;
      const edit: Edit = {
        kind: 'change',
        name: name === undefined ? undefined : lineText('name', name),
        note: note === undefined ? undefined : noteText(note),
        sharing,
      };
      return applyEdit(input, edit, needs);
    },
  });

  const remove = defineWebOperation({
    method: 'DELETE',
    path: '/investigations/:id',
    access: 'triage',
    summary: 'Deletes an investigation',
    params: InvestigationParams,
    answer: ChangeAnswer,
    handle: (input) => applyEdit(input, { kind: 'remove' }, needs),
  });

  return [list, get, post, patch, remove];
}

type Changing = WebInput<{ readonly id: string }, unknown, unknown, WebCaller>;

/** At the version of `If-Match`. */
export async function applyEdit(
  { caller, params: { id }, request, nowMs }: Changing,
  edit: Edit,
  needs: InvestigationNeeds,
  readVersion = requireIfMatch,
): Promise<Static<typeof ChangeAnswer>> {
  const onConflict: Parameters<typeof editInvestigation>[1]['onConflict'] = ({ changes, ...rest }) => ({
    version: rest.version,
    complete: rest.complete,
    changes: changes.map(changeOnWire),
  });
  const version = readVersion(request);
  const applied: Applied = await editInvestigation(caller, { id, version, edit, onConflict }, needs, nowMs);
  return { version: applied.version, ids: [...applied.ids] };
}

/** Counted when it is saved. */
export async function newNode(
  { query, note = '', star = false }: Pick<NodeBody, 'query' | 'note' | 'star'>,
  asker: Asker,
  needs: CountQueryNeeds,
): Promise<NewNode> {
  const countThen = await countQuery(query, asker, needs);
  return { id: newId(), query, note: noteText(note), star, countThen };
}
