/**
 * Rescores the neighbours of known bad domains: all domains that share an attribute value that a bad domain gained or lost. A value that too
 * many domains share says little about any of them and is skipped.
 */

import { TimeSlice } from '../../concurrency/time-slice.ts';
import type { Clock } from '../../model/clock.ts';
import type { DomainRecord } from '../../model/record/domain-record.ts';
import type { Settings } from '../../model/settings/settings.ts';
import type { DomainStore } from '../../store/domain-store.ts';
import type { JobStore } from '../../store/job-store.ts';
import { scoreJobs } from './score-jobs.ts';

export interface NeighboursNeeds {
  readonly domains: Pick<DomainStore, 'search' | 'getRecords'>;
  readonly jobs: Pick<JobStore, 'enqueue'>;
  readonly clock: Clock;
  readonly settings: { readonly risk: Pick<Settings['risk'], 'neighboursMax'> };
  readonly onNeighbours?: (domains: number) => void;
}

/** Each subject is an attribute, a space and a value. */
export async function scoreNeighbours(
  subjects: readonly string[],
  needs: NeighboursNeeds,
): Promise<readonly undefined[]> {
  const names = new Set<string>();
  for (const subject of subjects) for (const name of await domainsWith(subject, needs)) names.add(name);
  if (names.size > 0) await needs.jobs.enqueue(scoreJobs(names, needs.clock.now()));
  needs.onNeighbours?.(names.size);
  return subjects.map(() => undefined);
}

async function domainsWith(subject: string, { domains, settings }: NeighboursNeeds): Promise<string[]> {
  const space = subject.indexOf(' ');
  const condition = {
    kind: 'has',
    attributes: [subject.slice(0, space)],
    value: subject.slice(space + 1),
  } as const;
  const order = { by: 'domain', descending: false } as const;
  const found = await domains.search(condition, order, settings.risk.neighboursMax);
  if (found.total === 'too-many') return [];
  const slice = new TimeSlice();
  const names: string[] = [];
  for (const { json } of await domains.getRecords(found.ids, [])) {
    await slice.yieldIfOver();
    names.push((JSON.parse(json) as DomainRecord).domain);
  }
  return names;
}
