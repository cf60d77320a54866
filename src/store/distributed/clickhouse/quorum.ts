/**
 * Settings of statements on replicated tables. An insert is acknowledged when two replicas have it; those of a table wait for that one after
 * another, since only then ClickHouse can separate what is decided from what is not.
 */
import type { Capabilities } from './capabilities.ts';

export const quorum = 2;

/** Of inserts. One that lacks its quorum after so long has an unknown outcome. */
export function quorumSettings(
  { isModern }: Pick<Capabilities, 'isModern'>,
  timeoutMs: number,
): Readonly<Record<string, number>> {
  return {
    insert_quorum: quorum,
    insert_quorum_timeout: Math.ceil(timeoutMs),
    ...(isModern && { insert_quorum_parallel: 0 }),
  };
}

/** Of queries that leave out what lacks its quorum, and fail on a replica that lacks something with one. */
export const sequential = { select_sequential_consistency: 1 } as const;
