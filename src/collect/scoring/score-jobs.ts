/** The jobs of scoring. `score` is one domain to be scored, and whoever learns something of a domain asks for it. */
import type { NewJob } from '../../store/job-store.ts';

export const scoreKind = 'score' as const;

export function scoreJobs(domains: Iterable<string>, dueMs: number): readonly NewJob[] {
  return Array.from(domains, (subject) => ({ kind: scoreKind, subject, dueMs }));
}
