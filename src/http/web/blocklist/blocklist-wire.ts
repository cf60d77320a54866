/** The blocklists of an account, what is on each, who fetched them, and the allow list. */
import { type Static, Type } from 'typebox';

export const BlocklistFetch = Type.Object({
  at: Type.String({ description: 'the last time, to the minute' }),
  address: Type.String(),
  agent: Type.String({ description: 'as the client names itself' }),
  current: Type.Boolean({ description: 'it has the present version' }),
});

export const SelectionView = Type.Object({
  name: Type.String(),
  blocked: Type.Boolean(),
  new_score_min: Type.Optional(Type.Integer()),
  tags: Type.Array(Type.String()),
  monitors: Type.Array(Type.Object({ id: Type.String(), term: Type.String() })),
  domains: Type.Integer({ description: 'blocked' }),
  left_out: Type.Integer({ description: 'not blocked because they are allowed' }),
  serial: Type.Integer({ description: 'rises with every change' }),
  zone: Type.Optional(Type.String({ description: 'its name in zone transfers, where they are on' })),
  transfers: Type.Array(BlocklistFetch, { description: 'secondaries, the latest first' }),
});

/** GET /ui/api/blocklists?selection=, and the answer of POST /ui/api/blocklists/renew and of changes of selections */
export const BlocklistsView = Type.Object({
  selections: Type.Array(SelectionView),
  /** The one that the rest is about. */
  selection: Type.String(),
  domains: Type.Integer({ description: 'blocked' }),
  serial: Type.Integer({ description: 'rises with every change' }),
  blocklists: Type.Array(
    Type.Object({
      format: Type.String(),
      description: Type.String(),
      file_name: Type.String(),
      url: Type.String({ description: 'needs no key, so it is as secret as one' }),
      bytes: Type.Integer(),
      preview: Type.Array(Type.String(), { description: 'the first 20 lines' }),
      more_lines: Type.Boolean(),
      fetches: Type.Array(BlocklistFetch, { description: 'clients, the latest first' }),
    }),
  ),
  misp: Type.Object(
    {
      url: Type.String({ description: 'needs no key, so it is as secret as one' }),
      fetches: Type.Array(BlocklistFetch, { description: 'clients, the latest first' }),
    },
    { description: 'the same list as a MISP feed' },
  ),
});
export type BlocklistsView = Static<typeof BlocklistsView>;

/** PUT /ui/api/blocklists/selections/:name */
export const SelectionBody = Type.Object({
  blocked: Type.Boolean(),
  new_score_min: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
  tags: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 100 }),
  monitor_ids: Type.Array(Type.String(), { maxItems: 100 }),
});
export type SelectionBody = Static<typeof SelectionBody>;

/** GET /ui/api/blocklists/allowed, and the answer of POST */
export const AllowListView = Type.Object({
  allowed: Type.Array(
    Type.Object({
      domain: Type.String(),
      punycode: Type.String(),
      by: Type.String(),
      at: Type.String(),
    }),
  ),
});
export type AllowListView = Static<typeof AllowListView>;

/** POST /ui/api/blocklists/allowed */
export const AllowListBody = Type.Object({
  add: Type.Optional(Type.Array(Type.String({ maxLength: 1000 }), { maxItems: 1000 })),
  remove: Type.Optional(Type.Array(Type.String({ maxLength: 1000 }), { maxItems: 1000 })),
});
export type AllowListBody = Static<typeof AllowListBody>;
