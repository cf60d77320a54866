/** Investigations on the wire. A change needs `If-Match` with the version that it is based on; 412 says what others have changed since. */
import { type Static, Type } from 'typebox';
import { investigationLimits, itemKinds, sharings } from '../../../model/investigation/investigation.ts';
import { SearchQuery } from '../search/search-wire.ts';
import { nullable, oneOf } from '../wire-values.ts';

const { nameCharacters, noteCharacters, valueCharacters, addedItems, nodes } = investigationLimits;

const Name = Type.String({ minLength: 1, maxLength: nameCharacters });
const Note = Type.String({ maxLength: noteCharacters });
const Id = Type.String({ maxLength: 40 });

export const SharingView = oneOf(sharings, 'what the rest of the account may do');
export type SharingView = Static<typeof SharingView>;

export const ItemKindView = oneOf(itemKinds);
export type ItemKindView = Static<typeof ItemKindView>;

export interface SearchCountView {
  readonly domains: number;
  readonly average_risk: number | null;
  readonly at: string;
}

export const NodeView = Type.Object({
  id: Type.String(),
  parent_id: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  query: SearchQuery,
  note: Type.String(),
  star: Type.Boolean(),
  by: Type.String(),
  at: Type.String(),
  count_then: nullable<SearchCountView>('when it was saved; null if it could not be counted then'),
  count_now: nullable<SearchCountView>('the latest count'),
  own: Type.Boolean({ description: 'added by the caller' }),
});
export type NodeView = Static<typeof NodeView>;

export const ItemView = Type.Object({
  id: Type.String(),
  kind: ItemKindView,
  value: Type.String(),
  note: Type.String(),
  by: Type.String(),
  at: Type.String(),
  own: Type.Boolean({ description: 'added by the caller' }),
});
export type ItemView = Static<typeof ItemView>;

const headMembers = {
  id: Type.String(),
  name: Type.String(),
  note: Type.String(),
  sharing: SharingView,
  by: Type.String(),
  at: Type.String(),
  changed_by: Type.String(),
  changed_at: Type.String(),
  version: Type.Integer({ description: 'its version, for If-Match' }),
  searches: Type.Integer(),
  findings: Type.Integer(),
  own: Type.Boolean({ description: 'made by the caller' }),
  may: Type.Object({
    add: Type.Boolean(),
    remove: Type.Boolean({ description: 'also what others have added' }),
    manage: Type.Boolean({ description: 'share and delete the whole' }),
  }),
};

export const InvestigationHeadView = Type.Object(headMembers);
export type InvestigationHeadView = Static<typeof InvestigationHeadView>;

/** GET /ui/api/investigations */
export const InvestigationList = Type.Object({
  investigations: Type.Array(InvestigationHeadView, { description: 'latest change first' }),
  limit: Type.Integer({ description: 'of investigations that an account may have' }),
});
export type InvestigationList = Static<typeof InvestigationList>;

/** GET /ui/api/investigations/:id */
export const InvestigationView = Type.Object({
  ...headMembers,
  nodes: Type.Array(NodeView, { description: 'parents before their children' }),
  items: Type.Array(ItemView),
});
export type InvestigationView = Static<typeof InvestigationView>;

const nodeMembers = {
  query: SearchQuery,
  note: Type.Optional(Note),
  star: Type.Optional(Type.Boolean()),
};

export const NewItem = Type.Object({
  kind: ItemKindView,
  value: Type.String({ minLength: 1, maxLength: valueCharacters }),
  note: Type.Optional(Note),
});
export type NewItem = Static<typeof NewItem>;

/** POST /ui/api/investigations */
export const InvestigationBody = Type.Object({
  name: Name,
  note: Type.Optional(Note),
  sharing: Type.Optional(SharingView),
  node: Type.Optional(Type.Object(nodeMembers, { description: 'its first search' })),
  item: Type.Optional(NewItem),
});
export type InvestigationBody = Static<typeof InvestigationBody>;

/** PATCH /ui/api/investigations/:id */
export const InvestigationChange = Type.Object({
  name: Type.Optional(Name),
  note: Type.Optional(Note),
  sharing: Type.Optional(SharingView),
});
export type InvestigationChange = Static<typeof InvestigationChange>;

/** POST /ui/api/investigations/:id/nodes */
export const NodeBody = Type.Object({ ...nodeMembers, parent_id: Type.Optional(Id) });
export type NodeBody = Static<typeof NodeBody>;

/** PATCH /ui/api/investigations/:id/nodes/:node */
export const NodeChange = Type.Object({ note: Type.Optional(Note), star: Type.Optional(Type.Boolean()) });
export type NodeChange = Static<typeof NodeChange>;

/** POST /ui/api/investigations/:id/items */
export const ItemsBody = Type.Object({
  items: Type.Array(NewItem, { minItems: 1, maxItems: addedItems }),
});
export type ItemsBody = Static<typeof ItemsBody>;

/** PATCH /ui/api/investigations/:id/items/:item */
export const ItemChange = Type.Object({ note: Note });
export type ItemChange = Static<typeof ItemChange>;

/** The answer to every change. */
export const ChangeAnswer = Type.Object({
  version: Type.Integer(),
  ids: Type.Array(Type.String(), { description: 'of what was added, changed or removed' }),
});
export type ChangeAnswer = Static<typeof ChangeAnswer>;

/** POST /ui/api/investigations/:id/counts: counts searches again, at most once a minute each. */
export const CountsBody = Type.Object({ ids: Type.Array(Id, { minItems: 1, maxItems: 50 }) });
export const CountsAnswer = Type.Object({
  counts: Type.Array(
    Type.Object({ id: Type.String(), count_now: nullable<SearchCountView>('null: it cannot be counted') }),
  ),
});
export type CountsAnswer = Static<typeof CountsAnswer>;

/** One change by somebody, as in the answer 412 and in the event `investigation`. */
export const ChangeView = Type.Object({
  version: Type.Integer(),
  by: Type.String(),
  at: Type.String(),
  what: oneOf([
    'investigation-changed',
    'node-added',
    'node-changed',
    'node-removed',
    'items-added',
    'item-changed',
    'item-removed',
    'investigation-removed',
  ]),
  ids: Type.Array(Type.String()),
  members: Type.Array(oneOf(['name', 'note', 'sharing', 'star']), { description: 'those that changed' }),
});
export type ChangeView = Static<typeof ChangeView>;

/** Beside `code` and `message` in the `error` of a 412. */
export interface Precondition {
  readonly version: number;
  readonly changes: readonly ChangeView[];
  /** False: there are more changes than are kept. */
  readonly complete: boolean;
}

export const graphValueKinds = [
  'ip',
  'name_server',
  'registrar',
  'email',
  'certificate',
  'analytics',
] as const;
export type GraphValueKind = (typeof graphValueKinds)[number];

/** POST /ui/api/investigations/:id/graph */
export const GraphBody = Type.Object({ ids: Type.Array(Id, { minItems: 1, maxItems: nodes }) });

/** The domains of some searches, the values that at least two of them share, and which has which: at most 2,000 nodes. */
export const GraphView = Type.Object({
  domains: Type.Array(
    Type.Object({
      domain: Type.String({ description: 'in Unicode' }),
      punycode: Type.String(),
      risk_score: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
      registrar: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
      first_seen: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
      ids: Type.Array(Type.String(), { description: 'of the searches that found it' }),
    }),
  ),
  values: Type.Array(
    Type.Object({
      kind: oneOf(graphValueKinds),
      value: Type.String(),
      domains_in_all: Type.Integer({ description: 'all domains that have the value' }),
      service: Type.Unsafe<'cdn' | 'parking' | 'common' | null>({
        type: ['string', 'null'],
        description: 'common: more domains have it than the person finds worth following',
      }),
    }),
  ),
  edges: Type.Array(Type.Array(Type.Integer(), { minItems: 2, maxItems: 2 }), {
    description: 'index of a domain, index of a value',
  }),
  domains_left_out: Type.Integer(),
  values_left_out: Type.Integer(),
  too_many: Type.Array(Type.String(), {
    description: 'searches that match more domains than a search returns',
  }),
});
export type GraphView = Static<typeof GraphView>;
