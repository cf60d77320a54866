/** Record members with tracker codes: domains that share one have the same owner, or the same phishing kit. */
import type { DomainRecord } from './domain-record.ts';

export const trackerMembers = [
  'ad_tracker_code',
  'analytics_code',
  'analytics_v4_codes',
  'tag_manager_codes',
  'social_codes',
  'heatmap_codes',
  'analytics_cn_codes',
  'metrics_ru_codes',
  'selfhosted_analytics_codes',
  'counter_project_codes',
  'counter_security_codes',
] as const satisfies readonly (keyof DomainRecord)[];
