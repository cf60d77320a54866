/** The blocklists of an account, and who fetched them. */
import { type Static, Type } from 'typebox';

export const BlocklistFetch = Type.Object({
  at: Type.String({ description: 'the last time, to the minute' }),
  address: Type.String(),
  agent: Type.String({ description: 'as the client names itself' }),
  current: Type.Boolean({ description: 'it has the present version' }),
});

/** GET /ui/api/blocklists, and the answer of POST /ui/api/blocklists/renew */
export const BlocklistsView = Type.Object({
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
});
export type BlocklistsView = Static<typeof BlocklistsView>;
