/** One domain of a watchlist with everything its card shows, notes on it, and who works on it. */
import { Type } from 'typebox';
import {
  addNote,
  assignDomain,
  getTriageDomain,
  listAssignees,
} from '../../../product/detect/lists/triage-domain.ts';
import type { PersonStore } from '../../../store/person/person-store.ts';
import type { TriageStore } from '../../../store/triage-store.ts';
import { defineWebOperation, type WebOperation } from '../web-operation.ts';
import { AssigneeRequest, Assignees, NoteRequest } from './decision-wire.ts';
import { type DetailNeeds, detailOnWire } from './domain-detail.ts';
import { noteOnWire } from './domain-on-wire.ts';
import { DomainDetail, Note } from './domain-wire.ts';
import { domainIdParams } from './list-operations.ts';

export interface DomainOperationNeeds extends DetailNeeds {
  readonly triage: DetailNeeds['triage'] &
    Pick<TriageStore, 'findTriageDomain' | 'addNote' | 'listNotes' | 'assignDomain'>;
  readonly people: Pick<PersonStore, 'findPerson' | 'listPeople'>;
}

const notesMax = 200;

export function domainOperations(needs: DomainOperationNeeds): readonly WebOperation[] {
  const getDomain = defineWebOperation({
    method: 'GET',
    path: '/detect/domains/:id',
    access: 'read',
    product: 'intel-detect-watched-domains',
    charge: 'page',
    summary: 'A domain with notes, decisions, reasons of its score, shared values and history',
    params: domainIdParams,
    answer: DomainDetail,
    handle: async ({ caller, params, nowMs }) => {
      const domain = await getTriageDomain(caller.account, params.id, needs);
      return detailOnWire(domain, caller, needs, nowMs);
    },
  });

  const getNotes = defineWebOperation({
    method: 'GET',
    path: '/detect/domains/:id/notes',
    access: 'read',
    product: 'intel-detect-watched-domains',
    summary: 'The notes on a domain, newest first',
    params: domainIdParams,
    answer: Type.Object({ notes: Type.Array(Note) }),
    handle: async ({ caller: { account }, params }) => {
      const { id } = await getTriageDomain(account, params.id, needs);
      return { notes: (await needs.triage.listNotes(account.id, id, notesMax)).map(noteOnWire) };
    },
  });

  const postNote = defineWebOperation({
    method: 'POST',
    path: '/detect/domains/:id/notes',
    access: 'triage',
    product: 'intel-detect-manage-watchlist-domains',
    summary: 'Adds a note on a domain',
    params: domainIdParams,
    body: NoteRequest,
    answer: Note,
    handle: async ({ caller, params: { id }, body: { text }, nowMs }) =>
      noteOnWire(await addNote(caller, { id, text }, needs, nowMs)),
  });

  const putAssignee = defineWebOperation({
    method: 'PUT',
    path: '/detect/domains/:id/assignee',
    access: 'triage',
    product: 'intel-detect-manage-watchlist-domains',
    summary: 'Says who works on a domain; null: nobody',
    params: domainIdParams,
    body: AssigneeRequest,
    answer: Type.Void(),
    handle: ({ caller: { account }, params: { id }, body: { person } }) =>
      assignDomain(account, { id, person }, needs),
  });

  const getAssignees = defineWebOperation({
    method: 'GET',
    path: '/detect/assignees',
    access: 'triage',
    product: 'intel-detect-manage-watchlist-domains',
    summary: 'Whom domains can be assigned to',
    answer: Assignees,
    handle: async ({ caller: { account } }) => ({ people: [...(await listAssignees(account, needs))] }),
  });

  return [getDomain, getNotes, postNote, putAssignee, getAssignees];
}
