/** The most frequent values of an attribute in a list of Triage. */
import type { Account } from '../../../model/account/account.ts';
import type { FacetAttribute } from '../../../model/triage/triage-facets.ts';
import type { MonitorStore } from '../../../store/monitor-store.ts';
import type { TriageFilter, TriageStore, ValueCount } from '../../../store/triage-store.ts';
import { noSuchMonitor } from '../monitors.ts';
import { countPictureGroups, type PictureGroupNeeds } from './picture-groups.ts';

export interface FacetNeeds {
  readonly triage: PictureGroupNeeds['triage'] & Pick<TriageStore, 'countTriageValues'>;
  readonly images: PictureGroupNeeds['images'];
  readonly monitors: Pick<MonitorStore, 'findMonitor'>;
}

interface Facets {
  /** `label`: the term of a monitor, whose value is its id. */
  readonly values: readonly (ValueCount & { readonly label: string | undefined })[];
  /** There are more values, or more domains than were counted. */
  readonly more: boolean;
}

const valuesMax = 50;

export async function countFacets(
  account: Account,
  filter: TriageFilter,
  by: FacetAttribute,
  needs: FacetNeeds,
): Promise<Facets> {
  const counted =
    by === 'picture'
      ? await countPictureGroups(account, filter, valuesMax, needs)
      : await needs.triage.countTriageValues(account.id, filter, by, { limit: valuesMax });
  if (counted === 'unknown-monitor') throw noSuchMonitor();
  const ids = by === 'monitor' ? counted.values.map(({ value }) => value) : [];
  const monitors = await Promise.all(ids.map((id) => needs.monitors.findMonitor(account.id, id)));
  return {
    values: counted.values.map((value, index) => ({ ...value, label: monitors[index]?.term })),
    more: counted.more,
  };
}
