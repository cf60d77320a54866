/** How the lists of Triage are filtered: the same names in every operation, and in the address of the page. */
import { type Static, Type } from 'typebox';

export const triageLists = ['new', 'changed', 'watched', 'ignored', 'blocked'] as const;
export type TriageList = (typeof triageLists)[number];

export const triageSorts = ['risk', 'newest', 'name', 'changed'] as const;
export type TriageSort = (typeof triageSorts)[number];

const valuesMax = 100;
const idsMax = 1000;

const Text = Type.String({ minLength: 1, maxLength: 255 });
const texts = (description: string) =>
  Type.Optional(Type.Array(Text, { maxItems: valuesMax, commas: true, description }));

export const List = Type.Unsafe<TriageList>({ type: 'string', enum: [...triageLists] });

/** All given conditions must hold; of several values of one, any. */
export const filterMembers = {
  list: List,
  monitor: texts('ids of monitors'),
  class: texts('how the name varies a term'),
  tld: texts('uk includes co.uk'),
  risk: texts('ranges of scores with their bounds, such as 70-100; none: without a score'),
  mx: Type.Optional(Type.Unsafe<'yes' | 'no'>({ type: 'string', enum: ['yes', 'no'] })),
  resolved: Type.Optional(
    Type.Unsafe<'yes' | 'no'>({
      type: 'string',
      enum: ['yes', 'no'],
      description: 'seen resolved by our own sensors',
    }),
  ),
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'a part of the name' })),
  // A name may have commas.
  registrar: Type.Optional(
    Type.Array(Text, { maxItems: valuesMax, description: 'as in the record; one parameter for each' }),
  ),
  name_server: texts('a host name, or a domain that has it'),
  ip: texts('an address of the domain'),
  country: texts('two letters, of an address'),
  picture: texts('hashes of pictures, 16 hexadecimal digits; like pictures have the same'),
  assignee: texts('names of people; none: nobody'),
  ids: Type.Optional(
    Type.Array(Type.String({ maxLength: 40 }), {
      maxItems: idsMax,
      commas: true,
      description: 'only these domains',
    }),
  ),
  since: Type.Optional(
    Type.String({ maxLength: 40, description: 'arrived in the list at this time or later, ISO 8601 with Z' }),
  ),
};

export const TriageFilter = Type.Object(filterMembers);
export type TriageFilter = Static<typeof TriageFilter>;
