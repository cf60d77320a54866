/** The jobs of a domain that is found or watched: immediately, and daily from then on. */
import { dayMs } from '../durations.ts';

export const watchedJobKinds = ['collect', 'screenshot'] as const;

interface WatchedJob {
  readonly kind: (typeof watchedJobKinds)[number];
  readonly subject: string;
  readonly dueMs: number;
}

/** The longest overdue job runs first: back-dating puts these ahead of domains that are merely new. */
export const priorityMs = dayMs;

export function immediateJobs(domain: string, nowMs: number): readonly WatchedJob[] {
  return watchedJobKinds.map((kind) => ({ kind, subject: domain, dueMs: nowMs - priorityMs }));
}
