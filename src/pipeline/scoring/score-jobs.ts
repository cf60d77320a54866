/** Jobs of kind `score`: one per domain to be scored, enqueued by every stage that learns something about it. */
import type { NewJob } from '../../store/job-store.ts';

export const scoreKind = 'score' as const;

export function scoreJobs(domains: Iterable<string>, dueMs: number): readonly NewJob[] {
  return Array.from(domains, (subject) => ({ kind: scoreKind, subject, dueMs }));
}
