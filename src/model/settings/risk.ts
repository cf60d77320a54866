/** Settings of risk: the model, lists of known bad and good domains, and what the risk feeds carry. */
import { Type } from 'typebox';
import { type VerdictLabel, verdictLabels } from '../risk/verdict.ts';
import { addressRange, list, text, whole } from './kinds.ts';

const score = (value: number, description: string) => whole(value, description, 0, 100);

const KnownList = Type.Object(
  {
    name: Type.String({ pattern: '^[a-z0-9][a-z0-9._-]{0,62}$', description: 'of your choice' }),
    location: Type.String({ minLength: 1, description: 'path or http(s) URL, plain, gzip or zstd' }),
    format: Type.Optional(
      Type.Union([Type.Literal('plain'), Type.Literal('hosts'), Type.Literal('csv'), Type.Literal('misp')]),
    ),
    label: Type.Unsafe<VerdictLabel>(Type.Union(verdictLabels.map((label) => Type.Literal(label)))),
    weight: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1 })),
    /** Of a table: its number, from 1. */
    column: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
    keepDays: Type.Optional(Type.Integer({ minimum: 1, maximum: 3650 })),
    everyMinutes: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  { additionalProperties: false },
);

export const Risk = Type.Object({
  modelFile: text('', 'a model of your own, as risk train writes it; empty: the one that comes with us'),
  lists: list(
    KnownList,
    [],
    'lists of known domains: name, location, format (plain, hosts, csv, misp), label (phishing, malware, spam, good, popular), weight (1), column (1), keepDays (none: as long as it is named), everyMinutes (60)',
  ),
  popularRankMax: whole(10_000, 'a domain of at least this popularity is taken for good; 0: none is', 0),
  fullAfterSeconds: whole(
    86_400,
    'a score is full this long after a domain was discovered; the contract says 24 to 36 hours',
    0,
    129_600,
  ),
  neighboursMax: whole(
    1000,
    'domains that share a value with one that became known as bad are scored again, unless they are more',
  ),
  domainRiskMin: score(70, 'least score of the feed domainrisk'),
  hotlistProximityMin: score(70, 'least proximity of the feed domainhotlist'),
  hotlistThreatMin: score(90, 'or least score for phishing, malware or spam'),
  hotlistHours: whole(24, 'a domain on it was seen in passive DNS within this, and stays on it for as long'),
  hotlistCheckMinutes: whole(60, 'how often a domain is looked for in passive DNS that is not seen there'),
  addressScoreMin: score(
    70,
    'a domain whose full score for a threat is at least this is a bad one of its addresses',
  ),
  addressActiveHours: whole(24, 'an address that passive DNS saw within this is active'),
  addressDays: whole(30, 'domains that passive DNS saw at an address within this are its domains'),
  addressDomainsMax: whole(10_000, 'of an address no more domains are looked at'),
  addressBadPercentOver: whole(
    50,
    'the feed iphotlist carries active addresses with more bad domains than this',
    0,
    99,
  ),
  goodAddresses: list(addressRange, [], 'addresses that are known to be good, and never hot'),
});
