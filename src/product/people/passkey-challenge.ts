/**
 * Challenges of sign-ins by passkey. Anyone may ask for one, so nothing is stored for it: the server signs it and its time, and stores only that a
 * challenge was used, after a passkey has answered it.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { minuteMs } from '../../model/durations.ts';
import type { UsageStore } from '../../store/usage-store.ts';

export interface ChallengeNeeds {
  readonly usage: Pick<UsageStore, 'claim'>;
  /** From which the key of the signature is derived. */
  readonly linkKey: Buffer;
}

/** How long a person may take, with the device and with the dialog of the browser. */
export const challengeMs: number = 5 * minuteMs;

interface SealedChallenge {
  readonly challenge: string;
  readonly expiresMs: number;
}

export function sealChallenge(
  { challenge, expiresMs }: SealedChallenge,
  { linkKey }: ChallengeNeeds,
): string {
  return `${challenge}.${expiresMs}.${signatureOf(challenge, String(expiresMs), linkKey)}`;
}

/** Undefined for a text that this server has not sealed, or that is too old. */
export function openChallenge(
  sealed: string,
  nowMs: number,
  { linkKey }: ChallengeNeeds,
): SealedChallenge | undefined {
  const [challenge = '', expires = '', signature = ''] = sealed.split('.');
  const [given, expected] = [signature, signatureOf(challenge, expires, linkKey)].map((text) =>
    Buffer.from(text),
  );
  if (given?.length !== expected?.length || !timingSafeEqual(given as Buffer, expected as Buffer))
    return undefined;
  const expiresMs = Number(expires);
  // A clock that was set back must not make an old challenge last.
  const isCurrent = nowMs < expiresMs && expiresMs <= nowMs + 2 * challengeMs;
  return isCurrent ? { challenge, expiresMs } : undefined;
}

/** False if the challenge was used before, in any process. */
export function useChallenge(
  { challenge, expiresMs }: SealedChallenge,
  nowMs: number,
  { usage }: ChallengeNeeds,
): Promise<boolean> {
  const id = createHash('sha256').update(`passkey ${challenge}`).digest();
  return usage.claim([{ id, usesMax: 1 }], expiresMs, nowMs);
}

function signatureOf(challenge: string, expires: string, linkKey: Buffer): string {
  return createHmac('sha256', linkKey).update(`passkey sign-in ${challenge} ${expires}`).digest('base64url');
}
