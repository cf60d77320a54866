/** Which shard has a row. Shards are numbered in the order of the settings, which must never change. */
import { crc32 } from 'node:zlib';
import { baseDomainOf } from '../../../model/base-domain.ts';
import type { WireName } from '../../../model/dns/rrset.ts';
import { reverseLabels } from '../../rrset/segment/keys.ts';
import { type RowKind, rowKinds } from '../clickhouse/sql.ts';

/** All names of a base domain are in one. */
export function shardOfOwner(owner: WireName, shards: number): number {
  return shards === 1 ? 0 : crc32(baseDomainOf(owner) ?? owner) % shards;
}

export function shardOfKey(kind: RowKind, key: Uint8Array, shards: number): number {
  if (shards === 1) return 0;
  return kind === rowKinds.forward ? shardOfOwner(reverseLabels(key, 0), shards) : crc32(key) % shards;
}
