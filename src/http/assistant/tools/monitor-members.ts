/** The settings of a monitor as tools take them: plain, for clients; the rules of the API are checked besides. */
import { Type } from 'typebox';

const exclusions = (description: string) =>
  Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 253 }), { maxItems: 500, description }));

export const monitorMembers = {
  term: Type.String({
    minLength: 3,
    maxLength: 128,
    description: 'what to protect: a brand, a product, a domain',
  }),
  match_substring_variations: Type.Optional(
    Type.Boolean({ description: 'also variations inside longer names: many more hits' }),
  ),
  nameserver_exclusions: exclusions('domains on these name servers are left out'),
  text_exclusions: exclusions('names that contain one of these are left out'),
};
