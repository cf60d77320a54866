/** The parameters of each feed, and the filter they describe. A feed ignores the parameters of another. */
import { type Static, type TSchema, Type } from 'typebox';
import { type FeedFamily, familyOf } from '../../../model/feed/feed.ts';
import { findSecond } from '../../../model/feed/second.ts';
import { Problem } from '../../../model/problem.ts';
import type { FeedName } from '../../../model/product-catalogue.ts';
import { isDomainPattern } from '../../../product/feed/domain-pattern.ts';
import type { FilterOptions, MemberCondition } from '../../../product/feed/record-filter.ts';

const secondsMax = 432_000;
const domainsMax = 1000;

const instant = (description: string) =>
  Type.Optional(
    Type.String({
      description: `${description}: seconds ago, -1 to -${secondsMax}, or YYYY-MM-DDThh:mm:ssZ`,
    }),
  );

export const SessionId = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'a name of your choice; the server stores its checkpoint',
});

export const timeParameters = {
  after: instant('start of the time range, inclusive'),
  before: instant('end of the time range, inclusive'),
};

/** Parameters of every feed. */
const pollParameters = {
  sessionID: Type.Optional(SessionId),
  ...timeParameters,
  fromBeginning: Type.Optional(
    Type.Boolean({ description: 'a new session starts with the oldest stored record' }),
  ),
  top: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000_000,
      description: 'at most this many records: the newest or highest first, in a session the next ones',
    }),
  ),
  headers: Type.Optional(
    Type.Boolean({ description: 'a header row in CSV, not in a response that continues another' }),
  ),
};

/** A filter parameter: the member of a record that it compares, and how. */
type FilterParameter = readonly [member: string, how: 'least' | 'most' | 'is', schema: TSchema];

const score = Type.Integer({ minimum: 1, maximum: 99 });
const positive = Type.Integer({ minimum: 1 });
const percent = Type.Integer({ minimum: 0, maximum: 100 });

const riskFilters: Readonly<Record<string, FilterParameter>> = {
  overall_min: ['overall_risk', 'least', score],
  phishing_min: ['phishing_risk', 'least', score],
  malware_min: ['malware_risk', 'least', score],
  spam_min: ['spam_risk', 'least', score],
  proximity_min: ['proximity_risk', 'least', score],
};

const ipFilters: Readonly<Record<string, FilterParameter>> = {
  pdns_resolutions_min: ['pdns_resolutions', 'least', positive],
  bad_pdns_resolutions_min: ['bad_pdns_resolutions', 'least', positive],
  total_domains_max: ['total_domains', 'most', positive],
  third_party_threats_min: ['third_party_threats', 'least', positive],
  all_threats_combined_percent_min: ['all_threats_combined_percent', 'least', percent],
  combined_phishing_percent_min: ['combined_phishing_percent', 'least', percent],
  combined_malware_percent_min: ['combined_malware_percent', 'least', percent],
  combined_spam_percent_min: ['combined_spam_percent', 'least', percent],
  all_threats_percent_min: ['all_threats_percent', 'least', percent],
  percent_phishing_min: ['percent_phishing', 'least', percent],
  percent_malware_min: ['percent_malware', 'least', percent],
  percent_spam_min: ['percent_spam', 'least', percent],
  asn: ['asn', 'is', Type.Integer({ minimum: 0, maximum: 4_294_967_295 })],
  organization: ['organization', 'is', Type.String({ minLength: 1, maxLength: 1000 })],
  country_code: ['country', 'is', Type.String({ pattern: '^[A-Za-z]{2}$', description: 'two letters' })],
};

const filtersOf: Readonly<Record<FeedFamily, Readonly<Record<string, FilterParameter>>>> = {
  domain: {},
  rdap: {},
  risk: riskFilters,
  ip: ipFilters,
};

const domain = Type.Optional(
  Type.Array(Type.String({ minLength: 1, maxLength: 253 }), {
    maxItems: domainsMax,
    description: 'a name, *x, x* or *x*; repeat the parameter to match any of several',
  }),
);

/** Only records with a domain can be filtered by it. */
function filterParameters(family: FeedFamily): Record<string, TSchema> {
  const filters = Object.entries(filtersOf[family]).map(([name, [, , schema]]) => [
    name,
    Type.Optional(schema),
  ]);
  return { ...(family === 'ip' ? {} : { domain }), ...Object.fromEntries(filters) };
}

export function feedParameters(feed: FeedName) {
  return Type.Object({ ...pollParameters, ...filterParameters(familyOf(feed)) });
}

/** A tail is one operation for all feeds; it uses only the parameters of the feed in its path. */
export const tailParameters = Type.Object({
  after: timeParameters.after,
  ...filterParameters('domain'),
  ...filterParameters('risk'),
  ...filterParameters('ip'),
});

export type PollParameters = Static<typeof PollObject>;
const PollObject = Type.Object(pollParameters);

/** Error messages by parameter. */
type Messages = Map<string, string>;

export function readFilter(
  feed: FeedName,
  parameters: Readonly<Record<string, unknown>>,
  errors: Messages,
): FilterOptions {
  const family = familyOf(feed);
  const conditions: MemberCondition[] = [];
  for (const [name, [member, how]] of Object.entries(filtersOf[family])) {
    const value = parameters[name];
    if (value !== undefined) conditions.push({ member, [how]: value } as unknown as MemberCondition);
  }
  const domains = family === 'ip' ? [] : ((parameters['domain'] as readonly string[] | undefined) ?? []);
  if (!domains.every(isDomainPattern))
    errors.set('domain', 'may have a * only at the beginning and at the end');
  return { conditions, domains };
}

export function readInstant(
  name: 'after' | 'before',
  text: string | undefined,
  nowMs: number,
  errors: Messages,
): number | undefined {
  if (text === undefined) return undefined;
  const ago = /^-\d{1,6}$/.test(text) ? -Number(text) : undefined;
  if (ago !== undefined && ago >= 1 && ago <= secondsMax) return Math.floor(nowMs / 1000) - ago;
  const seconds = findSecond(text);
  if (seconds === undefined) {
    errors.set(name, `must be -1 to -${secondsMax} seconds, or a time such as 2026-03-04T10:00:00Z`);
  }
  return seconds;
}

export function rejectInvalid(errors: Messages): void {
  if (errors.size === 0) return;
  const text = [...errors].map(([name, message]) => `${name}: ${message}`).join('; ');
  const fields = Object.fromEntries([...errors].map(([name, message]) => [name, [message]]));
  throw new Problem('invalid-members', text, { fields });
}
