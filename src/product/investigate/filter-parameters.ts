/** Parameters that refine a search, and tags, which may begin one too. */
import type { Comparison } from '../../model/record/condition.ts';
import { both, compared, filter, has, type Reading, type SearchParameter } from './search-parameter.ts';
import {
  certificateDay,
  countryCode,
  dayNumber,
  instantMs,
  tagList,
  topLevelDomain,
  truth,
  wholeNumber,
} from './value-rules.ts';

const dayMs = 86_400_000;
const count = wholeNumber(1);

const tagged = (how: 'all' | 'any'): Reading => {
  return (text, { accountId }) => ({ kind: 'tagged', with: how, labels: tagList(text), accountId });
};

const notTagged = (how: 'all' | 'any'): Reading => {
  return (text, asking) => ({ kind: 'not', of: tagged(how)(text, asking) });
};

/** `2026-03-04` is that day, `>=2026-03-04` that day and later ones. */
const comparedDay: Reading = (text, asking) => {
  const [, comparison = '=', day = ''] = /^\s*([<>]=?)?(.*)$/s.exec(text) ?? [];
  return compared('create_date', comparison as Comparison, dayNumber)(day, asking);
};

export const filterParameters: readonly SearchParameter[] = [
  both('tagged_with_all', 'carries all of these tags', tagged('all')),
  both('tagged_with_any', 'carries at least one of these tags', tagged('any')),
  filter('not_tagged_with_all', 'does not carry all of these tags', notTagged('all')),
  filter('not_tagged_with_any', 'carries none of these tags', notTagged('any')),
  filter('active', 'true: in global DNS or registered; false: neither', (text) => ({
    kind: 'active',
    value: truth(text),
  })),
  filter('create_date', 'YYYY-MM-DD, also after >, >=, < or <=', comparedDay),
  filter(
    'create_date_within',
    'created in the last so many days',
    compared('create_date', '>=', (text, { nowMs }) => Math.floor(nowMs / dayMs) - count(text)),
  ),
  filter('expiration_date', 'YYYY-MM-DD', compared('expiration_date', '=', dayNumber)),
  filter(
    'first_seen_since',
    'first seen after this time; without a time zone it is Pacific',
    compared('first_seen', '>', (text, { nowMs }) => instantMs(text, nowMs)),
  ),
  filter(
    'first_seen_within',
    'first seen in the last so many seconds',
    compared('first_seen', '>=', (text, { nowMs }) => nowMs - count(text) * 1000),
  ),
  filter(
    'data_updated_after',
    'changed after this time; without a time zone it is Pacific',
    compared('data_updated', '>', (text, { nowMs }) => instantMs(text, nowMs)),
  ),
  filter('ip_country_code', 'country of an address, two letters', has(['ip.country_code'], countryCode)),
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
  filter('tld', 'top-level domain, of several labels too', (text) => ({
    kind: 'tld',
    tld: topLevelDomain(text),
  })),
];
