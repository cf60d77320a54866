/**
 * Token buckets, by the generic cell rate algorithm: one time for each bucket, that at which it will be full again. Each grant moves it by
 * the time that one token takes to come back. A time further ahead than an empty bucket needs shows that the clock was set back; the
 * bucket then is empty now, and fills from now on.
 */
export interface BucketState {
  /** How long until the bucket is full. */
  readonly missingUs: number;
  readonly tokenUs: number;
  readonly isAhead: boolean;
}

/** How long a token takes to come back. */
export function tokenUsOf(perSecond: number): number {
  return Math.max(1, Math.round(1_000_000 / perSecond));
}

export function bucketState(
  fullUs: number,
  { size, perSecond }: { readonly size: number; readonly perSecond: number },
  nowMs: number,
): BucketState {
  const tokenUs = tokenUsOf(perSecond);
  const [aheadUs, emptyUs] = [fullUs - nowMs * 1000, size * tokenUs];
  return { missingUs: Math.min(Math.max(0, aheadUs), emptyUs), tokenUs, isAhead: aheadUs > emptyUs };
}
