/** Members of a record that hold codes of trackers: whoever shares one shares an owner, or a kit. */
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
