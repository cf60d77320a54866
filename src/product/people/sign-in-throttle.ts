/**
 * Slows down guessing. An attempt counts as failed before it is verified, so that many at once are no way around it; success takes it back.
 * Five attempts for a name from an address are free, then each waits twice as long as the one before. Addresses and names have wider limits
 * of their own, so that neither many names nor many addresses help, and nobody is locked out for long by others.
 */
import { isIPv6 } from 'node:net';
import { hourMs, minuteMs, secondMs } from '../../model/durations.ts';
import { Problem } from '../../model/problem.ts';
import type { SessionStore } from '../../store/person/session-store.ts';

export interface ThrottleNeeds {
  readonly sessions: Pick<SessionStore, 'countAttempt' | 'releaseAttempt' | 'forgetAttempts'>;
}

export interface Attempt<Result> {
  readonly name: string;
  readonly address: string;
  readonly nowMs: number;
  /** Resolves to undefined when it fails. */
  readonly run: () => Promise<Result | undefined>;
  /** Whether a success is only a part of the sign-in: failures before it are not forgotten yet. */
  readonly isPart?: (result: Result) => boolean;
}

export interface Success<Result> {
  readonly result: Result;
  /** Attempts for this name that failed since the last success. */
  readonly failures: number;
}

/** Undefined for an attempt that failed. Throws `limit-exceeded` while the name or the address must wait. */
export async function throttled<Result>(
  { name, address, nowMs, run, isPart = () => false }: Attempt<Result>,
  { sessions }: ThrottleNeeds,
): Promise<Success<Result> | undefined> {
  const network = networkOf(address);
  const byName = `name ${name.toLowerCase()}`;
  const byAddress = `address ${network}`;
  const byBoth = `${byName} ${byAddress}`;
  const subjects = [
    { subject: byBoth, waitMs: doubling(5, hourMs) },
    { subject: byAddress, waitMs: doubling(30, hourMs) },
    { subject: byName, waitMs: doubling(50, minuteMs) },
  ];
  const retryMs = await sessions.countAttempt(subjects, nowMs);
  if (retryMs !== undefined) throw tooMany(retryMs - nowMs);
  try {
    const result = await run();
    if (result === undefined) return undefined;
    await sessions.releaseAttempt(isPart(result) ? [byBoth, byAddress, byName] : [byAddress]);
    if (isPart(result)) return { result, failures: 0 };
    await sessions.forgetAttempts([byBoth]);
    return { result, failures: (await sessions.forgetAttempts([byName])) - 1 };
  } catch (error) {
    // Not judged at all, as when too many sign in at once.
    await sessions.releaseAttempt([byBoth, byAddress, byName]);
    throw error;
  }
}

function doubling(free: number, maxMs: number): (attempts: number) => number {
  return (attempts) => (attempts < free ? 0 : Math.min(maxMs, 2 ** Math.min(attempts - free, 30) * secondMs));
}

function tooMany(waitMs: number): Problem {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / secondMs));
  return new Problem('limit-exceeded', `Too many attempts. Try again in ${retryAfterSeconds} seconds.`, {
    limit: { product: 'sign-in', size: 5, window: 'row', retryAfterSeconds },
  });
}

/** A client with one IPv6 address has the whole /64. */
export function networkOf(address: string): string {
  if (!isIPv6(address) || address.toLowerCase().startsWith('::ffff:')) return address;
  const [head = '', tail = ''] = address.split('::');
  const groups = head.split(':').filter((group) => group !== '');
  const missing = 8 - groups.length - tail.split(':').filter((group) => group !== '').length;
  const filled = address.includes('::')
    ? [...groups, ...Array.from({ length: missing }, () => '0'), ...tail.split(':')]
    : groups;
  return `${filled.slice(0, 4).join(':')}::/64`;
}
