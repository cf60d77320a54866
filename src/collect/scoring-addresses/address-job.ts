/**
 * Two kinds of work: to score an address, one job for each however many of its domains change; and to look where passive DNS has a bad
 * domain by now, for domains are often bad before anybody visits them.
 */
import type { NewJob } from '../../store/job-store.ts';

export const scoreAddressKind = 'score-address';
export const findAddressesKind = 'find-addresses';
export const addressKinds: readonly string[] = [scoreAddressKind, findAddressesKind];

/** What changes meanwhile is scored together. */
const gatherMs = 30_000;
/** Addresses of bad domains live for hours or days. */
const lookAgainMs = 6 * 3_600_000;

export function scoreAddressJob(address: string, nowMs: number): NewJob {
  return { kind: scoreAddressKind, subject: address, dueMs: nowMs + gatherMs };
}

/** Its first time is when the domain became bad; this is the next. */
export function findAddressesJob(domain: string, nowMs: number): NewJob {
  return { kind: findAddressesKind, subject: domain, dueMs: nowMs + lookAgainMs };
}
