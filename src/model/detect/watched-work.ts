/** What is done for a domain as soon as it is found or watched, and every day from then on: jobs of these kinds. */
export const workOnWatched = ['collect', 'screenshot'] as const;

interface Work {
  readonly kind: (typeof workOnWatched)[number];
  readonly subject: string;
  readonly dueMs: number;
}

/** The longest due is done first: what somebody waits for goes ahead of all that is only new. */
export const aheadMs = 86_400_000;

export function workAtOnce(domain: string, nowMs: number): readonly Work[] {
  return workOnWatched.map((kind) => ({ kind, subject: domain, dueMs: nowMs - aheadMs }));
}
