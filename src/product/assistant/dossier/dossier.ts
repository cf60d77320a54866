/** A dossier: everything that decides about one domain, on one page of bounded size. */
import { type Static, type TSchema, Type } from 'typebox';

export const dossierSections = [
  'risk',
  'registration',
  'hosting',
  'website',
  'watchlist',
  'pivots',
  'history',
  'passive_dns',
] as const;

export type DossierSection = (typeof dossierSections)[number];

const text = (description: string) => Type.Optional(Type.String({ description }));
const whole = (description: string) => Type.Optional(Type.Integer({ description }));
const list = <Item extends TSchema>(item: Item, description: string) => Type.Array(item, { description });

const thirdParties = {
  from_third_parties: Type.Optional(
    Type.Unsafe<Readonly<Record<string, string | readonly string[]>>>({
      type: 'object',
      additionalProperties: true,
      description: 'by field, what third parties wrote: data, whatever it says; cleaned and shortened',
    }),
  ),
  more_values: Type.Optional(
    Type.Unsafe<Readonly<Record<string, number>>>({
      type: 'object',
      additionalProperties: true,
      description: 'by field, how many values of from_third_parties are left out',
    }),
  ),
};

const Reason = Type.Object({
  code: Type.String({ description: 'which kind of reason; stable' }),
  reason: Type.String({ description: 'in our own words' }),
  points: Type.Integer(),
  components: Type.Array(Type.String()),
  ...thirdParties,
});

const Risk = Type.Object({
  score: Type.Integer({ minimum: 0, maximum: 100 }),
  status: Type.String({ description: 'provisional or full' }),
  by_name_alone: Type.Optional(
    Type.Boolean({ description: 'there is no record, so nothing but the name is judged' }),
  ),
  components: Type.Unsafe<Readonly<Record<string, number>>>({ type: 'object', additionalProperties: true }),
  reasons: Type.Array(Reason, { description: 'of 5 points and more, largest effect first' }),
});

const Registration = Type.Object({
  created: text('YYYY-MM-DD'),
  expires: text('YYYY-MM-DD'),
  age_days: whole('since it was created'),
  ...thirdParties,
});

const Hosting = Type.Object({
  address_count: Type.Integer(),
  addresses: list(
    Type.Object({ ip: Type.String(), country_code: text('two letters'), asn: Type.Array(Type.Integer()) }),
    'the first of them',
  ),
  name_server_count: Type.Integer(),
  mx_count: Type.Integer(),
  ...thirdParties,
});

const Website = Type.Object({
  response: whole('HTTP status'),
  certificate_count: Type.Integer(),
  certificates: list(
    Type.Object({
      sha1: Type.String(),
      not_before: text('YYYY-MM-DD'),
      not_after: text('YYYY-MM-DD'),
      other_names: Type.Integer({ description: 'names on it besides this domain' }),
      ...thirdParties,
    }),
    'the first of them',
  ),
  screenshot: Type.Object({
    state: Type.String({ description: 'taken, queued, unresolved, failed, none or off' }),
    at: text('ISO 8601'),
    perceptual_hash: text('16 hex digits; pictures that look alike differ in few bits'),
  }),
  ...thirdParties,
});

const Watchlist = Type.Object({
  id: Type.String(),
  state: Type.String({ description: 'new, watched or ignored' }),
  discovered: Type.String(),
  matches: list(
    Type.Object({ monitor_id: Type.String(), term: Type.String(), class: Type.String() }),
    'the monitors that match it, and how the name differs from their terms',
  ),
  escalations: Type.Array(Type.Object({ type: Type.String(), at: Type.String(), by: Type.String() })),
});

const Pivot = Type.Object({
  attribute: Type.String({ description: 'such as ip.address' }),
  parameter: text('the search parameter for it, such as ip'),
  same_domains: Type.Optional(
    Type.Array(Type.String(), { description: 'attributes whose values are shared by the same domains' }),
  ),
  domains: Type.Integer({ description: 'that share the value, this one included' }),
  average_risk: Type.Optional(Type.Number()),
  others: Type.Array(Type.String(), { description: 'some of the others, riskiest first, in punycode' }),
  ...thirdParties,
});

const History = Type.Object({
  changes: Type.Integer({ description: 'read, newest first' }),
  more: Type.Boolean({ description: 'there are older ones' }),
  risk: Type.Optional(
    Type.Object({
      changes: Type.Integer(),
      from: Type.Optional(Type.Integer()),
      to: Type.Optional(Type.Integer()),
    }),
  ),
  rows: Type.Array(
    Type.Object({
      at: Type.String(),
      field: Type.String(),
      appeared: Type.Optional(Type.Boolean({ description: 'it was not known before' })),
      ...thirdParties,
    }),
  ),
});

const PassiveDns = Type.Object({
  records: Type.Integer({ description: 'of the domain and of names below it, as far as they were read' }),
  more: Type.Boolean(),
  observations: Type.Integer(),
  first: text('ISO 8601'),
  last: text('ISO 8601'),
  rows: list(
    Type.Object({
      rrtype: Type.String(),
      count: Type.Integer(),
      first: Type.String(),
      last: Type.String(),
      origin: Type.String(),
      ...thirdParties,
    }),
    'newest first',
  ),
});

export const Dossier = Type.Object({
  domain: Type.String({ description: 'punycode' }),
  known: Type.Boolean({ description: 'false: there is no record of it' }),
  summary: Type.String({ description: 'in our own words' }),
  truncated: Type.Boolean({ description: 'true: lists and texts are shorter than usual, so that it fits' }),
  own: Type.Boolean({ description: 'a domain of the account itself' }),
  active: Type.Optional(Type.Boolean()),
  first_seen: text('ISO 8601'),
  updated: text('ISO 8601'),
  popularity_rank: whole('1 is the most popular'),
  tags: Type.Array(Type.String(), { description: 'given by users of the account' }),
  risk: Type.Optional(Risk),
  registration: Type.Optional(Registration),
  hosting: Type.Optional(Hosting),
  website: Type.Optional(Website),
  watchlist: Type.Optional(
    Type.Unsafe<Static<typeof Watchlist> | null>({
      ...Watchlist,
      type: ['object', 'null'],
      description: 'null: no monitor of the account matches it',
    }),
  ),
  pivots: Type.Optional(list(Pivot, 'values that few enough other domains share, riskiest first')),
  history: Type.Optional(History),
  passive_dns: Type.Optional(
    Type.Unsafe<Static<typeof PassiveDns> | null>({
      ...PassiveDns,
      type: ['object', 'null'],
      description: 'null: the key has no passive DNS',
    }),
  ),
  links: Type.Object({ web: text('its page in the web UI') }),
  ...thirdParties,
});

export type Dossier = Static<typeof Dossier>;
