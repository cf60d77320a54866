/** Settings of risk scoring: the model, reputation lists, and the thresholds of the risk feeds. */

import { Type } from 'typebox';
import { daySeconds } from '../durations.ts';
import { type VerdictLabel, verdictLabels } from '../risk/verdict.ts';
import { addressRange, flag, list, text, whole } from './kinds.ts';

const score = (value: number, description: string) => whole(value, description, 0, 100);

const ReputationList = Type.Object(
  {
    name: Type.String({
      pattern: '^[a-z0-9][a-z0-9._-]{0,62}$',
      description: 'name of the list, chosen by you',
    }),
    location: Type.String({ minLength: 1, description: 'path or http(s) URL, plain, gzip or zstd' }),
    format: Type.Optional(
      Type.Union([Type.Literal('plain'), Type.Literal('hosts'), Type.Literal('csv'), Type.Literal('misp')]),
    ),
    label: Type.Unsafe<VerdictLabel>(Type.Union(verdictLabels.map((label) => Type.Literal(label)))),
    weight: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1 })),
    /** The column of a CSV file that holds the domain, counted from 1. */
    column: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
    keepDays: Type.Optional(Type.Integer({ minimum: 1, maximum: 3650 })),
    everyMinutes: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  { additionalProperties: false },
);

export const Risk = Type.Object({
  modelFile: text('', 'path of a model file written by risk train; empty uses the built-in model'),
  priorOneIn: whole(
    50,
    'one new registration in so many is assumed to be bad, before anything is known about it: all scores rise and fall with it',
    2,
    1_000_000,
  ),
  lists: list(
    ReputationList,
    [],
    'reputation lists: name, location, format (plain, hosts, csv, misp), label (phishing, malware, spam, good, popular), weight (default 1), column (default 1), keepDays (default: as long as the list contains the domain), everyMinutes (default 60)',
  ),
  wellKnownDomains: flag(
    true,
    'whether some 2,100 well-known domains, listed in the package, are zero-listed unless a list names them as bad',
  ),
  popularRankMax: whole(
    10_000,
    'popularity rank up to which a domain is zero-listed; 0 disables the rule',
    0,
  ),
  fullAfterSeconds: whole(
    daySeconds,
    'seconds after the discovery of a domain until its score is full; the contract requires 24 to 36 hours',
    0,
    129_600,
  ),
  neighboursMax: whole(
    1000,
    'maximum number of domains that are scored again because they share a value with a newly listed bad domain; values shared by more domains are ignored',
  ),
  domainRiskMin: score(70, 'minimum score of domains in the feed domainrisk'),
  hotlistProximityMin: score(70, 'minimum proximity score of domains in the feed domainhotlist'),
  hotlistThreatMin: score(
    90,
    'minimum phishing, malware or spam score of domains in the feed domainhotlist; one of both minimums suffices',
  ),
  hotlistHours: whole(
    24,
    'hours within which passive DNS must have observed a domain for the feed domainhotlist, and for which the domain then stays on it',
  ),
  hotlistCheckMinutes: whole(
    60,
    'minutes between checks whether passive DNS has observed a hotlist candidate',
  ),
  addressScoreMin: score(70, 'minimum full threat score at which a domain counts as bad for its addresses'),
  addressActiveHours: whole(
    24,
    'hours within which passive DNS must have observed an address for it to be active',
  ),
  addressDays: whole(
    30,
    'days within which passive DNS must have observed a domain at an address for it to count',
  ),
  addressDomainsMax: whole(10_000, 'maximum number of domains that are considered per address'),
  addressBadPercentOver: whole(
    50,
    'percentage of bad domains above which an active address is in the feed iphotlist',
    0,
    99,
  ),
  goodAddresses: list(
    addressRange,
    [],
    'addresses or prefixes that are known to be good and never in the feed iphotlist',
  ),
});
