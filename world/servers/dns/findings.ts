/** What the name servers of the world know about a name: records by type, or why there are none. */
import { type Mnemonic, typeOf } from '../../../src/model/dns/rr-type.ts';

export interface WorldRecord {
  /** Lower case, without the final dot. */
  readonly owner: string;
  readonly type: number;
  readonly ttlSeconds: number;
  readonly rdata: Uint8Array;
}

export interface Finding {
  readonly rcode: 'NOERROR' | 'NXDOMAIN' | 'REFUSED';
  readonly answer: readonly WorldRecord[];
  readonly authority: readonly WorldRecord[];
  readonly additional: readonly WorldRecord[];
}

export const refused: Finding = { rcode: 'REFUSED', answer: [], authority: [], additional: [] };

export const usualTtlSeconds = 300;

/** None for data that could not be written. */
export function recordsOf(
  owner: string,
  type: Mnemonic,
  rdata: readonly (Uint8Array | undefined)[],
  ttlSeconds = usualTtlSeconds,
): readonly WorldRecord[] {
  return rdata.flatMap((each) => (each ? [{ owner, type: typeOf(type), ttlSeconds, rdata: each }] : []));
}
