/**
 * Replay protection. A signature covers username, timestamp and path alone, so what it may be used for is decided by what it was used for
 * before: one write and nothing earlier, or any number of different reads. Uses are recorded until the timestamp has left its window.
 */
import { findTimestampMs } from '../../model/account/signature.ts';
import type { Clock } from '../../model/clock.ts';
import { minuteMs } from '../../model/durations.ts';
import { Problem } from '../../model/problem.ts';
import type { Settings } from '../../model/settings/settings.ts';
import type { Claim, UsageStore } from '../../store/usage-store.ts';

/** How long uses are kept beyond the window: requests verified at its very end are claimed a little later. */
const keptMs = minuteMs;

export interface SignedUse {
  readonly timestamp: string;
  readonly signature: string;
  readonly isWrite: boolean;
  /** Digest of what the operation understands of the request, signature included. */
  readonly identity: () => Buffer;
  readonly identicalReadsMax: number;
}

export interface ClaimNeeds {
  readonly usage: Pick<UsageStore, 'claim' | 'releaseClaims'>;
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'auth'>;
}

/** Claims the use of a verified signature; the returned function takes it back. Throws `credentials-invalid` for a replay. */
export async function claimSignature(use: SignedUse, needs: ClaimNeeds): Promise<() => Promise<void>> {
  const claims = claimsOf(use);
  const signedMs = findTimestampMs(use.timestamp) ?? 0;
  const expiresMs = signedMs + needs.settings.auth.signatureWindowSeconds * 1000 + keptMs;
  if (!(await needs.usage.claim(claims, expiresMs, needs.clock.now()))) {
    const message = use.isWrite
      ? 'The signature of this request was used before. Sign every request that changes something separately.'
      : 'This signed request was received before. Sign every request separately.';
    throw new Problem('credentials-invalid', message);
  }
  return () => needs.usage.releaseClaims(claims.map(({ id }) => id));
}

/** A read counts as a use of its signature, so that a captured read cannot become a write. */
function claimsOf({ signature, isWrite, identity, identicalReadsMax }: SignedUse): readonly Claim[] {
  const id = Buffer.from(signature, 'hex');
  if (isWrite) return [{ id, usesMax: 1 }];
  return [
    { id: identity(), usesMax: identicalReadsMax },
    { id, usesMax: Number.POSITIVE_INFINITY },
  ];
}
