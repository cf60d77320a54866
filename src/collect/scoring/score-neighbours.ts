/**
 * A value of records that a known bad domain has gained or lost: all that share it are scored again. What very many share says little of
 * any of them, and they are left as they are.
 */
import type { Clock } from '../../model/clock.ts';
import type { DomainRecord } from '../../model/record/domain-record.ts';
import type { Settings } from '../../model/settings.ts';
import type { DomainStore } from '../../store/domain-store.ts';
import type { JobStore } from '../../store/job-store.ts';
import { Turn } from '../dnstap/turn.ts';
import { scoreJobs } from './score-jobs.ts';

export interface NeighboursNeeds {
  readonly domains: Pick<DomainStore, 'search' | 'getRecords'>;
  readonly jobs: Pick<JobStore, 'enqueue'>;
  readonly clock: Clock;
  readonly settings: { readonly risk: Pick<Settings['risk'], 'neighboursMax'> };
  readonly onNeighbours?: (domains: number) => void;
}

/** Each is an attribute, a space and a value. */
export async function scoreNeighbours(
  subjects: readonly string[],
  needs: NeighboursNeeds,
): Promise<readonly undefined[]> {
  const names = new Set<string>();
  for (const subject of subjects) for (const name of await namesThatHave(subject, needs)) names.add(name);
  if (names.size > 0) await needs.jobs.enqueue(scoreJobs(names, needs.clock.now()));
  needs.onNeighbours?.(names.size);
  return subjects.map(() => undefined);
}

async function namesThatHave(subject: string, { domains, settings }: NeighboursNeeds): Promise<string[]> {
  const space = subject.indexOf(' ');
  const condition = {
    kind: 'has',
    attributes: [subject.slice(0, space)],
    value: subject.slice(space + 1),
  } as const;
  const order = { by: 'domain', descending: false } as const;
  const found = await domains.search(condition, order, settings.risk.neighboursMax);
  if (found.total === 'too-many') return [];
  const turn = new Turn();
  const names: string[] = [];
  for (const { json } of await domains.getRecords(found.ids, [])) {
    await turn.over();
    names.push((JSON.parse(json) as DomainRecord).domain);
  }
  return names;
}
