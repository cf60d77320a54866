/** A domain of a watchlist as the web UI reads it. */
import { type Static, Type } from 'typebox';
import { SightingsOnWire } from '../../platform/detect/sighting-wire.ts';
import { filterMembers, type TriageSort, triageSorts } from './filter-wire.ts';

const NullableText = Type.Unsafe<string | null>({ type: ['string', 'null'] });
const NullableInteger = Type.Unsafe<number | null>({ type: ['integer', 'null'] });
const oneOf = <Text extends string>(texts: readonly Text[]) =>
  Type.Unsafe<Text>({ type: 'string', enum: [...texts] });

export const pictureStates = ['taken', 'queued', 'unresolved', 'failed', 'off', 'none'] as const;

/** Why there is none, where there is none. */
export const Picture = Type.Object({
  state: oneOf(pictureStates),
  at: Type.Optional(Type.String({ description: 'when it was taken' })),
  ip: Type.Optional(Type.String()),
  path: Type.Optional(
    Type.String({ description: 'on this server; takes width and height as query parameters' }),
  ),
  hash: Type.Optional(Type.String({ description: 'like pictures have the same: 16 hexadecimal digits' })),
  since: Type.Optional(
    Type.String({ description: 'queued: since when; failed, unresolved: of the last attempt' }),
  ),
  error: Type.Optional(Type.String()),
});

const Step = Type.Object({
  class: Type.String(),
  at: Type.Integer(),
  removed: Type.String(),
  inserted: Type.String(),
});

export const Match = Type.Object({
  monitor_id: Type.String(),
  class: Type.String(),
  text: Type.String({ description: 'the part of the host name that resembles the term' }),
  host: Type.String({ description: 'in Unicode' }),
  distance: Type.Integer(),
  explanation: Type.String(),
  steps: Type.Array(Step, { description: 'applied in order, they turn the term into text' }),
});

export const EscalationOfDomain = Type.Object({
  escalation_type: oneOf(['blocked', 'external_safe'] as const),
  id: Type.String(),
  created: Type.String(),
  created_by: Type.String(),
  submission: Type.Unsafe<{ status: 'waiting' | 'submitted' | 'failed'; error: string | null } | null>({
    type: ['object', 'null'],
    additionalProperties: true,
    description: 'of external_safe: whether the service has it',
  }),
});

const domainMembers = {
  id: Type.String(),
  domain: Type.String({ description: 'in Unicode' }),
  punycode: Type.String(),
  state: oneOf(['new', 'watched', 'ignored'] as const),
  status: oneOf(['active', 'inactive'] as const),
  discovered_date: Type.String(),
  changed_date: NullableText,
  risk_score: NullableInteger,
  risk_score_status: Type.Unsafe<'provisional' | 'full' | null>({ type: ['string', 'null'] }),
  risk_score_components: Type.Object({
    proximity: NullableInteger,
    phishing: NullableInteger,
    malware: NullableInteger,
    spam: NullableInteger,
  }),
  mx_exists: Type.Boolean(),
  tld: Type.String(),
  monitor_ids: Type.Array(Type.String()),
  match: Type.Array(Match),
  name_server: Type.Array(Type.Object({ host: Type.String() })),
  registrar: Type.String({ description: 'empty if unknown' }),
  create_date: NullableText,
  ip: Type.Array(Type.Object({ ip: Type.String(), country_code: Type.String(), isp: Type.String() })),
  escalations: Type.Array(EscalationOfDomain),
  picture: Picture,
  decided: Type.Unsafe<{ by: string; at: string } | null>({
    type: ['object', 'null'],
    additionalProperties: true,
  }),
  assignee: NullableText,
  notes: Type.Integer({ description: 'how many there are' }),
  changes: Type.Array(Type.String(), { description: 'the members of the record that changed last' }),
  unseen: Type.Boolean({ description: 'arrived in this list since this person last read it' }),
  sightings: Type.Optional(SightingsOnWire),
};

export const Domain = Type.Object(domainMembers);
export type Domain = Static<typeof Domain>;

export const DomainListQuery = Type.Object({
  ...filterMembers,
  sort: Type.Optional(Type.Unsafe<TriageSort>({ type: 'string', enum: [...triageSorts] })),
  cursor: Type.Optional(Type.String({ maxLength: 200, description: 'of the page before' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, description: 'by default 100' })),
});

export const DomainPage = Type.Object({
  domains: Type.Array(Domain),
  total: Type.Integer({ description: 'all that match, as counted for the first page' }),
  cursor: NullableText,
  as_of: Type.String({ description: 'when the order of the list was fixed' }),
  monitors: Type.Record(Type.String(), Type.String(), {
    description: 'terms by id, of the domains of this page',
  }),
  looked_at: NullableText,
  new_since_looked: Type.Integer(),
});
export type DomainPage = Static<typeof DomainPage>;

export const Note = Type.Object({
  id: Type.String(),
  by: Type.String(),
  at: Type.String(),
  text: Type.String(),
  decision_id: Type.Optional(Type.String({ description: 'where it was written with a decision' })),
});
export type Note = Static<typeof Note>;

/** What a person decides about a domain: blocked and external_safe are escalations. */
export const decisionTargets = ['watched', 'ignored', 'blocked', 'external_safe'] as const;
export type DecisionTarget = (typeof decisionTargets)[number];

export const DecisionOfDomain = Type.Object({
  decision_id: Type.String(),
  by: Type.String(),
  at: Type.String(),
  from: Type.String({ description: 'new, watched or ignored' }),
  to: oneOf(decisionTargets),
  undone: Type.Unsafe<{ by: string; at: string } | null>({
    type: ['object', 'null'],
    additionalProperties: true,
    description: 'for this domain',
  }),
});

export const RiskReason = Type.Object({
  code: Type.String(),
  text: Type.String(),
  value: Type.Optional(Type.String()),
  points: Type.Integer({ description: 'negative: lowers the score' }),
  components: Type.Array(Type.String()),
});

export const SharedValue = Type.Object({
  field: Type.String(),
  value: Type.String(),
  domains: Type.Integer({ description: 'of all that are known, this one included' }),
  average_risk: Type.Optional(Type.Integer()),
  guided: Type.Boolean({ description: 'shared by few enough to be worth following' }),
});

export const LeafChange = Type.Object({
  at: Type.String(),
  field: Type.String({ description: 'a path such as name_server.host' }),
  before: Type.Union([Type.String(), Type.Null()]),
  after: Type.Union([Type.String(), Type.Null()]),
});

export const DomainDetail = Type.Object({
  ...domainMembers,
  notes_list: Type.Array(Note, { description: 'newest first' }),
  decisions: Type.Array(DecisionOfDomain, { description: 'newest first' }),
  reasons: Type.Array(RiskReason),
  shared: Type.Array(SharedValue),
  history: Type.Array(LeafChange, { description: 'newest first' }),
  monitors: Type.Record(Type.String(), Type.String()),
});
export type DomainDetail = Static<typeof DomainDetail>;

export const clusterAttributes = ['name_server', 'certificate', 'picture', 'ip', 'analytics'] as const;

export const Cluster = Type.Object({
  shared: Type.Unsafe<{ by: (typeof clusterAttributes)[number]; value: string } | null>({
    type: ['object', 'null'],
    additionalProperties: true,
  }),
  ids: Type.Array(Type.String(), { description: 'those of the list that share it, this one included' }),
});
export type Cluster = Static<typeof Cluster>;

export const Clusters = Type.Object({
  clusters: Type.Array(Cluster, { description: 'the most specific first; each domain is in one at most' }),
});
export type Clusters = Static<typeof Clusters>;
