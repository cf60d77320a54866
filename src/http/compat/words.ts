/**
 * The compatibility profile as data: the contract's names on the left, those that public clients have compiled in on the
 * right. A product adds rows here; routes do not know the profile. The sources are the public clients listed in docs/api/compat.md.
 */

/** Path prefixes that differ from the contract's and therefore also work without the mount prefix of the profile. */
export const pathWords: readonly (readonly [neutral: string, vendor: string])[] = [
  ['/v1/intel-detect', '/v1/iris-detect'],
  ['/v1/intel-enrich', '/v1/iris-enrich'],
  ['/v1/intel-investigate', '/v1/iris-investigate'],
  ['/batchd/v1/batch', '/siebatchd/v1/siebatch'],
  ['/batchd/v1', '/siebatchd/v1'],
  // Some clients append their path to any configured URL, the contract's included.
  ['/pdns/v2', '/pdns/v2/dnsdb/v2'],
  ['/pdns/v2', '/dnsdb/v2'],
];

/** Names of parameters. A vendor name may have several spellings. */
export const parameterWords: readonly (readonly [neutral: string, vendor: string])[] = [
  ['ad_tracker_code', 'adsense'],
  ['analytics_code', 'google_analytics'],
  ['analytics_v4_code', 'ga4'],
  ['analytics_v4_code', 'google_analytics_4'],
  ['analytics_cn_code', 'baidu_analytics'],
  ['tag_manager_code', 'google_tag_manager'],
  ['heatmap_code', 'hotjar'],
  ['selfhosted_analytics_code', 'matomo'],
  ['metrics_ru_code', 'yandex_metrica'],
  ['counter_project_code', 'statcounter_project'],
  ['counter_security_code', 'statcounter_security'],
  ['social_code', 'facebook'],
];

/** Names of members in responses. */
export const fieldWords: readonly (readonly [neutral: string, vendor: string])[] = [
  ['ad_tracker_code', 'adsense'],
  ['analytics_code', 'google_analytics'],
  ['analytics_v4_codes', 'ga4'],
  ['analytics_cn_codes', 'baidu_codes'],
  ['tag_manager_codes', 'gtm_codes'],
  ['heatmap_codes', 'hotjar_codes'],
  ['selfhosted_analytics_codes', 'matomo_codes'],
  ['metrics_ru_codes', 'yandex_codes'],
  ['counter_project_codes', 'statcounter_project_codes'],
  ['counter_security_codes', 'statcounter_security_codes'],
  ['social_codes', 'fb_codes'],
  ['batch', 'siebatch'],
];

/** Values, each with the parameter or member that has it. */
export const valueWords: readonly (readonly [name: string, neutral: string, vendor: string])[] = [
  ['escalation_type', 'external_safe', 'google_safe'],
  ['escalation_types', 'external_safe', 'google_safe'],
  ['id', 'intel-enrich', 'iris-enrich'],
  ['id', 'intel-investigate', 'iris-investigate'],
  ['id', 'intel-detect-monitors', 'iris-detect-monitors'],
  ['id', 'intel-detect-new-domains', 'iris-detect-new-domains'],
  ['id', 'intel-detect-watched-domains', 'iris-detect-watched-domains'],
  ['id', 'intel-detect-ignored-domains', 'iris-detect-ignored-domains'],
  ['id', 'intel-detect-escalate-domains', 'iris-detect-escalate-domains'],
  ['id', 'intel-detect-manage-watchlist-domains', 'iris-detect-manage-watchlist-domains'],
];

/** Boolean parameters. Connectors in Python write them as that language does, `True` and `False`. */
export const booleanParameters: readonly string[] = [
  'active',
  'fromBeginning',
  'headers',
  'include_counts',
  'include_domain_data',
  'match_substring_variations',
  'mx_exists',
  'parsed_domain_rdap',
  'parsed_whois',
  'preview',
  'screenshots',
];

/** Parameters whose times XSOAR writes in UTC without saying so, as Python shows a time: `2026-03-04 09:11:12.000001`. */
export const pythonTimeParameters: readonly string[] = [
  'discovered_since',
  'changed_since',
  'escalated_since',
];

/** Members of Detect whose times end in `Z` instead of `+00:00`. */
export const zuluMembers: readonly string[] = [
  'created',
  'created_date',
  'updated_date',
  'discovered_date',
  'changed_date',
];

/**
 * A record of a domain, known by the first of these members, has the other even where there is no score: connectors read `domain_risk` of every
 * record, and show "no score" where it has none.
 */
export const recordMembers = {
  known: 'whois_url',
  risk: 'domain_risk',
  unscored: { components: [] },
} as const;

/** The first line of a text in the query language, after #. The first is ours; clients send either on any mount. */
export const queryMarks: readonly string[] = ['NameglassQL-1.0', 'IrisQL-1.0'];
