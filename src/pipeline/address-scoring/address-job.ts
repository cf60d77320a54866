/**
 * Two kinds of jobs: scoring an address (one job per address, however many of its domains change), and finding the addresses of a bad
 * domain in passive DNS again later, because domains are often known as bad before anyone resolves them.
 */
import { hourMs } from '../../model/durations.ts';
import type { NewJob } from '../../store/job-store.ts';

export const scoreAddressKind = 'score-address';
export const findAddressesKind = 'find-addresses';
export const addressKinds: readonly string[] = [scoreAddressKind, findAddressesKind];

/** Debounce: changes within this time are scored together. */
const debounceMs = 30_000;
/** Addresses of bad domains live for hours or days. */
const findAgainMs = 6 * hourMs;

export function scoreAddressJob(address: string, nowMs: number): NewJob {
  return { kind: scoreAddressKind, subject: address, dueMs: nowMs + debounceMs };
}

/** The addresses were found once when the domain became bad; this job finds them again. */
export function findAddressesJob(domain: string, nowMs: number): NewJob {
  return { kind: findAddressesKind, subject: domain, dueMs: nowMs + findAgainMs };
}
