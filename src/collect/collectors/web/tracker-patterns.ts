/**
 * Patterns of tracker codes (analytics, ads, heat maps) in scripts and attributes. Every repetition is bounded, so that no page can
 * cause excessive backtracking.
 */
import type { trackerMembers } from '../../../model/record/tracker-members.ts';

type Members = (typeof trackerMembers)[number];

export interface TrackerPattern {
  readonly member: Members;
  /** A literal that every match contains; texts without it are not searched. */
  readonly literal: string;
  /** The first group is the code. */
  readonly code: RegExp;
}

export const trackerPatterns: readonly TrackerPattern[] = [
  ['ad_tracker_code', 'pub-', /(?<![A-Za-z0-9])(pub-\d{10,20})(?!\d)/g],
  ['analytics_code', 'UA-', /(?<![A-Za-z0-9-])(UA-\d{4,10}-\d{1,4})(?!\d)/g],
  ['analytics_v4_codes', 'G-', /(?<=["'`=\n])(G-[A-Z0-9]{6,12})(?![A-Za-z0-9_-])/g],
  ['tag_manager_codes', 'GTM-', /(?<![A-Za-z0-9-])(GTM-[A-Z0-9]{4,10})(?![A-Za-z0-9_-])/g],
  ['social_codes', 'fbq', /fbq\(\s{0,8}["']init["']\s{0,8},\s{0,8}["']?(\d{5,20})(?!\d)/g],
  ['social_codes', 'facebook.com/tr', /facebook\.com\/tr\/?\?(?:[\w.%=&;-]{0,80}[&;])?id=(\d{5,20})(?!\d)/g],
  ['heatmap_codes', 'hjid', /\bhjid["']?\s{0,8}[:=]\s{0,8}["']?(\d{4,12})(?!\d)/g],
  ['heatmap_codes', 'hotjar-', /hotjar\.com\/c\/hotjar-(\d{4,12})(?!\d)/g],
  ['analytics_cn_codes', 'hm.baidu.com', /hm\.baidu\.com\/hm?\.js\?([0-9a-f]{32})(?![0-9a-f])/g],
  ['metrics_ru_codes', 'mc.yandex', /mc\.yandex\.(?:ru|com)\/(?:watch|pixel)\/(\d{4,12})(?!\d)/g],
  ['metrics_ru_codes', 'mc.yandex', /mc\.yandex\.(?:ru|com)\/metrika\/[\w.]{1,20}\?id=(\d{4,12})(?!\d)/g],
  ['metrics_ru_codes', 'ym(', /(?<![\w$.])ym\(\s{0,8}["']?(\d{4,12})["']?\s{0,8},/g],
  [
    'metrics_ru_codes',
    'Ya.Metrika',
    /Ya\.Metrika2?\(\s{0,8}\{\s{0,20}["']?id["']?\s{0,8}:\s{0,8}["']?(\d{4,12})(?!\d)/g,
  ],
  ['counter_project_codes', 'sc_project', /\bsc_project["']?\s{0,8}=\s{0,8}["']?(\d{4,12})(?!\d)/g],
  [
    'counter_project_codes',
    'statcounter.com',
    /\bc\.statcounter\.com\/(\d{4,12})\/\d{1,3}\/[0-9a-f]{6,12}\//g,
  ],
  [
    'counter_security_codes',
    'sc_security',
    /\bsc_security["']?\s{0,8}=\s{0,8}["']?([0-9a-f]{6,12})(?![0-9a-z])/g,
  ],
  [
    'counter_security_codes',
    'statcounter.com',
    /\bc\.statcounter\.com\/\d{4,12}\/\d{1,3}\/([0-9a-f]{6,12})\//g,
  ],
  [
    'counter_security_codes',
    'sc_project=',
    /\bsc_project=\d{4,12}[\w=&;]{0,60}[&;]security=([0-9a-f]{6,12})(?![0-9a-z])/g,
  ],
].map(([member, literal, code]) => ({ member, literal, code }) as TrackerPattern);

/** The site number within a self-hosted analytics installation. */
export const selfHostedSites: readonly Omit<TrackerPattern, 'member'>[] = [
  { literal: 'setSiteId', code: /setSiteId["']\s{0,8},\s{0,8}["']?(\d{1,9})(?!\d)/g },
  { literal: 'idsite=', code: /(?:matomo|piwik)\.php\?(?:[\w.%=&;-]{0,80}[&;])?idsite=(\d{1,9})(?!\d)/g },
  {
    literal: 'getTracker(',
    code: /getTracker\([^)]{0,80}piwik\.php["']\s{0,8},\s{0,8}["']?(\d{1,9})(?!\d)/g,
  },
];

/** The host of the installation, without which the site number means nothing. */
export const selfHostedHosts: readonly Omit<TrackerPattern, 'member'>[] = [
  { literal: '//', code: /\/\/([a-z0-9.-]{4,253})(?:\/[\w./-]{0,60})?\/(?:matomo|piwik)\.(?:php|js)/gi },
  { literal: 'u', code: /\bu\s{0,8}=\s{0,8}["'](?:https?:)?\/\/([a-z0-9.-]{4,253})[/"']/gi },
  { literal: 'piwik', code: /["']https?:\/\/([a-z0-9.-]{4,253})\/(?:piwik|matomo)\//gi },
];
