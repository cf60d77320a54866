/** A monitor as the API has it. */
import type { MonitorSettings } from '../../../model/detect/watchlist.ts';
import type { ExistingMonitor } from '../../../product/detect/monitor-files/plan-changes.ts';

export interface Monitor {
  readonly id: string;
  readonly term: string;
  readonly state: string;
  readonly status: string;
  readonly match_substring_variations: boolean;
  readonly passive_only?: boolean;
  readonly nameserver_exclusions: readonly string[];
  readonly text_exclusions: readonly string[];
  readonly created_date: string;
  readonly created_by: string;
  readonly declared?: { readonly file: string; readonly changed: readonly string[] };
}

export function existingMonitor(monitor: Monitor): ExistingMonitor {
  return {
    id: monitor.id,
    term: monitor.term,
    state: monitor.state === 'inactive' ? 'inactive' : 'active',
    matchSubstringVariations: monitor.match_substring_variations,
    textExclusions: monitor.text_exclusions,
    nameserverExclusions: monitor.nameserver_exclusions,
    ...(monitor.passive_only ? { passiveOnly: true } : {}),
    declaredIn: monitor.declared?.changed.length === 0 ? monitor.declared.file : undefined,
  };
}

/** All but the term, which cannot change. */
export function wireSettings(settings: MonitorSettings): object {
  return {
    match_substring_variations: settings.matchSubstringVariations,
    text_exclusions: settings.textExclusions,
    nameserver_exclusions: settings.nameserverExclusions,
    passive_only: settings.passiveOnly ?? false,
  };
}
