/** What people do in Triage besides deciding, beyond the contract: which domains belong together, notes, and who works on a domain. For the command line. */
import { type Static, Type } from 'typebox';
import { defaultPreferences } from '../../../model/person/preferences.ts';
import { triageLists } from '../../../model/triage/triage-lists.ts';
import { authorize } from '../../../product/account/authorize.ts';
import { findCluster } from '../../../product/detect/lists/cluster.ts';
import { addNote, assignDomain, getTriageDomain } from '../../../product/detect/lists/triage-domain.ts';
import type { PersonStore } from '../../../store/person/person-store.ts';
import type { Note, TriageStore } from '../../../store/triage-store.ts';
import { families } from '../families.ts';
import { defineOperation, type Operation } from '../operation/define-operation.ts';
import { generalCharge } from './charges.ts';
import { choice } from './detect-parameters.ts';
import { timeOnWire } from './detect-wire.ts';
import { listProducts } from './list-products.ts';
import { filterParameters, readFilter } from './triage-lists/filter-parameters.ts';
import {
  productOfList,
  SharedOnWire,
  type TriageListNeeds,
  triageListOperations,
} from './triage-lists/triage-list-operations.ts';

export interface TriageOperationNeeds extends TriageListNeeds {
  readonly triage: TriageListNeeds['triage'] &
    Pick<TriageStore, 'findTriageDomain' | 'addNote' | 'listNotes' | 'assignDomain'>;
  readonly people: Pick<PersonStore, 'findPerson'>;
}

const notesMax = 200;
const noteCharactersMax = 4000;

const Id = Type.String({ minLength: 1, maxLength: 40, description: 'of the domain on the watchlist' });

const ClusterResponse = Type.Object({
  shared: Type.Union([SharedOnWire, Type.Null()], {
    description: 'null where no other domain of the list shares anything specific',
  }),
  watchlist_domain_ids: Type.Array(Type.String(), { description: 'the domain itself first, at most 1,000' }),
});

const NoteOnWire = Type.Object(
  {
    id: Type.String(),
    text: Type.String(),
    created_by: Type.String(),
    created_date: Type.String(),
  },
  { title: 'Note' },
);

export function triageOperations(needs: TriageOperationNeeds): readonly Operation[] {
  const { settings } = needs;

  const getDetectCluster = defineOperation({
    id: 'getDetectCluster',
    family: families.detect,
    route: 'GET /intel-detect/cluster/',
    product: 'intel-detect-watched-domains',
    permission: 'read',
    summary: 'The domains of a list that share the most specific value of one of them',
    parameters: Type.Object({
      id: Id,
      list: choice(triageLists, 'the list of Triage that is searched'),
      ...filterParameters,
    }),
    response: ClusterResponse,
    charge: (context) => generalCharge(context, settings),
    handle: async ({ caller, parameters, nowMs }) => {
      const { id, list } = parameters;
      authorize(caller, { product: productOfList(list), permission: 'read' }, nowMs);
      const domain = await getTriageDomain(caller.account, id, needs);
      authorize(caller, { product: listProducts[domain.state], permission: 'read' }, nowMs);
      const filter = await readFilter(list, parameters, needs);
      const sharedMax = defaultPreferences.guidedPivotThreshold;
      const { shared, ids } = await findCluster(
        domain,
        { account: caller.account, filter, sharedMax },
        needs,
      );
      return {
        shared: shared ? { attribute: shared.by, value: shared.value } : null,
        watchlist_domain_ids: [...ids],
      };
    },
  });

  const getDetectNotes = defineOperation({
    id: 'getDetectNotes',
    family: families.detect,
    route: 'GET /intel-detect/notes/',
    product: 'intel-detect-watched-domains',
    permission: 'read',
    summary: 'Lists the notes on a domain, and who works on it',
    parameters: Type.Object({ id: Id }),
    response: Type.Object({
      notes: Type.Array(NoteOnWire, { description: `newest first, at most ${notesMax}` }),
      assignee: Type.Union([Type.String(), Type.Null()], { description: 'who works on the domain' }),
    }),
    charge: (context) => generalCharge(context, settings),
    handle: async ({ caller, parameters, nowMs }) => {
      const domain = await getTriageDomain(caller.account, parameters.id, needs);
      authorize(caller, { product: listProducts[domain.state], permission: 'read' }, nowMs);
      const notes = await needs.triage.listNotes(caller.account.id, domain.id, notesMax);
      return { notes: notes.map(noteOnWire), assignee: domain.assignee ?? null };
    },
  });

  const postDetectNote = defineOperation({
    id: 'postDetectNote',
    family: families.detect,
    route: 'POST /intel-detect/notes/',
    product: 'intel-detect-manage-watchlist-domains',
    permission: 'triage',
    summary: 'Adds a note on a domain',
    parameters: Type.Object({
      id: Id,
      text: Type.String({ minLength: 1, maxLength: noteCharactersMax, description: 'what is noted' }),
    }),
    response: NoteOnWire,
    charge: (context) => generalCharge(context, settings),
    handle: async ({ caller, parameters, nowMs }) =>
      noteOnWire(await addNote(caller, parameters, needs, nowMs)),
  });

  const postDetectAssignee = defineOperation({
    id: 'postDetectAssignee',
    family: families.detect,
    route: 'POST /intel-detect/assignee/',
    product: 'intel-detect-manage-watchlist-domains',
    permission: 'triage',
    summary: 'Says who works on a domain',
    parameters: Type.Object({
      id: Id,
      person: Type.Optional(
        Type.String({ minLength: 1, maxLength: 255, description: 'a person of the account; absent: nobody' }),
      ),
    }),
    response: Type.Object({ assignee: Type.Union([Type.String(), Type.Null()]) }),
    charge: (context) => generalCharge(context, settings),
    handle: async ({ caller: { account }, parameters: { id, person = null } }) => {
      await assignDomain(account, { id, person }, needs);
      return { assignee: (await getTriageDomain(account, id, needs)).assignee ?? null };
    },
  });

  return [
    ...triageListOperations(needs),
    getDetectCluster,
    getDetectNotes,
    postDetectNote,
    postDetectAssignee,
  ];
}

function noteOnWire({ id, text, by, atMs }: Note): Static<typeof NoteOnWire> {
  return { id, text, created_by: by, created_date: timeOnWire(atMs) };
}
