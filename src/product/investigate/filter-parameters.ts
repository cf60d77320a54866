/** Parameters that refine a search, and tags, which a search can also consist of. */
import { dayMs } from '../../model/durations.ts';
import type { Comparison } from '../../model/record/condition.ts';
import {
  both,
  type ConditionParser,
  compared,
  filter,
  has,
  type SearchParameter,
} from './search-parameter.ts';
import {
  booleanValue,
  certificateDay,
  countryCode,
  dayNumber,
  instantMs,
  tagList,
  topLevelDomain,
  wholeNumber,
} from './value-rules.ts';

const count = wholeNumber(1);

const tagged = (how: 'all' | 'any'): ConditionParser => {
  return (text, { accountId, userId, nowMs }) => ({
    kind: 'tagged',
    with: how,
    labels: tagList(text),
    accountId,
    userId,
    nowMs,
  });
};

const notTagged = (how: 'all' | 'any'): ConditionParser => {
  return (text, context) => ({ kind: 'not', of: tagged(how)(text, context) });
};

/** `2026-03-04` is that day, `>=2026-03-04` that day and later ones. */
const comparedDay: ConditionParser = (text, context) => {
  const [, comparison = '=', day = ''] = /^\s*([<>]=?)?(.*)$/s.exec(text) ?? [];
  return compared('create_date', comparison as Comparison, dayNumber)(day, context);
};

export const filterParameters: readonly SearchParameter[] = [
  both('tagged_with_all', 'has all of these tags', tagged('all')),
  both('tagged_with_any', 'has at least one of these tags', tagged('any')),
  filter('not_tagged_with_all', 'does not have all of these tags', notTagged('all')),
  filter('not_tagged_with_any', 'has none of these tags', notTagged('any')),
  filter('active', 'true: in global DNS or registered; false: neither', (text) => ({
    kind: 'active',
    value: booleanValue(text),
  })),
  filter('create_date', 'YYYY-MM-DD, also after >, >=, < or <=', comparedDay),
  filter(
    'create_date_within',
    'created in the last N days',
    compared('create_date', '>=', (text, { nowMs }) => Math.floor(nowMs / dayMs) - count(text)),
  ),
  filter('expiration_date', 'YYYY-MM-DD', compared('expiration_date', '=', dayNumber)),
  filter(
    'first_seen_since',
    'first seen after this time; Pacific time unless it has a time zone',
    compared('first_seen', '>', (text, { nowMs }) => instantMs(text, nowMs)),
  ),
  filter(
    'first_seen_within',
    'first seen in the last N seconds',
    compared('first_seen', '>=', (text, { nowMs }) => nowMs - count(text) * 1000),
  ),
  filter(
    'data_updated_after',
    'changed after this time; Pacific time unless it has a time zone',
    compared('data_updated', '>', (text, { nowMs }) => instantMs(text, nowMs)),
  ),
  filter(
    'ip_country_code',
    'country code of an IP address, two letters',
    has(['ip.country_code'], countryCode),
  ),
  filter('rank', 'popularity rank of at most this', compared('popularity_rank', '<=', count)),
  filter('risk_score', 'score greater than this, 0 to 100', compared('risk_score', '>', wholeNumber(0, 100))),
  filter(
    'ssl_not_after',
    'last day of a certificate, YYYY-MM-DD',
    has(['ssl_info.not_after'], certificateDay),
  ),
  filter(
    'ssl_not_before',
    'first day of a certificate, YYYY-MM-DD',
    has(['ssl_info.not_before'], certificateDay),
  ),
  filter('tld', 'top-level domain, possibly of several labels', (text) => ({
    kind: 'tld',
    tld: topLevelDomain(text),
  })),
];
