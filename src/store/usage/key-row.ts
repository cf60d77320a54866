/** The last use and refusal of a user's keys as a row of a table, and back. */
import type { KeyRefusal, LastUse } from '../usage-store.ts';

export interface KeyRow {
  readonly user_id: string;
  readonly at_ms: number | null;
  readonly address: string | null;
  readonly refused_ms: number | null;
  readonly refused_address: string | null;
  readonly refused_why: KeyRefusal['why'] | null;
}

export function keyRowOf(userId: string, { atMs, address, refused }: LastUse): KeyRow {
  return {
    user_id: userId,
    at_ms: atMs ?? null,
    address: address ?? null,
    refused_ms: refused?.atMs ?? null,
    refused_address: refused?.address ?? null,
    refused_why: refused?.why ?? null,
  };
}

export function lastUseOf(row: KeyRow): LastUse {
  const { at_ms: atMs, address, refused_ms: refusedMs } = row;
  return {
    ...(atMs === null ? {} : { atMs, address: address ?? '' }),
    ...(refusedMs === null
      ? {}
      : {
          refused: {
            atMs: refusedMs,
            address: row.refused_address ?? '',
            why: row.refused_why ?? 'address',
          },
        }),
  };
}
