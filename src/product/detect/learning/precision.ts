/** How often what was found was worth attention: the precision of monitors, classes of lookalikes, registrars and name servers, by a team's own decisions. */
import { TimeSlice } from '../../../concurrency/time-slice.ts';
import type { Account } from '../../../model/account/account.ts';
import type { DecidedCount, DecidedDomain } from '../../../model/detect/suggestion.ts';
import { DecidedCounts } from './decided-counts.ts';
import { nameServerPatternOf } from './name-server-pattern.ts';
import { type DecidedNeeds, readDecided } from './read-decided.ts';

export const precisionAttributes = ['monitor', 'class', 'registrar', 'name_server'] as const;
export type PrecisionAttribute = (typeof precisionAttributes)[number];

export interface Precision {
  readonly all: DecidedCount;
  /** Those with the most decisions first. A monitor is its id. */
  readonly by: Readonly<Record<PrecisionAttribute, readonly (DecidedCount & { readonly value: string })[]>>;
}

export async function precision(account: Account, limit: number, needs: DecidedNeeds): Promise<Precision> {
  return precisionIn(await readDecided(account.id, needs), limit);
}

export async function precisionIn(decided: readonly DecidedDomain[], limit: number): Promise<Precision> {
  const all = new DecidedCounts();
  const by = {
    monitor: new DecidedCounts(),
    class: new DecidedCounts(),
    registrar: new DecidedCounts(),
    name_server: new DecidedCounts(),
  };
  const slice = new TimeSlice();
  for (const domain of decided) {
    const nextSlice = slice.yieldIfOver();
    if (nextSlice) await nextSlice;
    all.add('', domain);
    for (const { monitorId } of domain.matches) by.monitor.add(monitorId, domain);
    for (const found of new Set(domain.matches.map((match) => match.class))) by.class.add(found, domain);
    if (domain.registrar !== '') by.registrar.add(domain.registrar, domain);
    const pattern = nameServerPatternOf(domain);
    if (pattern !== undefined) by.name_server.add(pattern, domain);
  }
  return {
    all: all.get(''),
    by: {
      monitor: by.monitor.list(limit),
      class: by.class.list(limit),
      registrar: by.registrar.list(limit),
      name_server: by.name_server.list(limit),
    },
  };
}
