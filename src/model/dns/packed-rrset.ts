/**
 * An RRset with its sighting as bytes, for paths where objects would cost more than the work: first and last seen (u32), count (f64),
 * origin (u8), type (u16), owner and bailiwick (u8 length, wire name), the number of rdata (u16), and each rdata with its length (u16). All
 * little-endian. It is never stored.
 */
import { type Rrset, rdataBytesMax, rrsetBytesMax } from './rrset.ts';

export const originNumbers = { sensor: 0, zone: 1 } as const;
export const origins = ['sensor', 'zone'] as const;

/** Before the owner's bytes. */
export const packedHeaderBytes = 20;

export function packedBytes({ owner, bailiwick, rdata }: Rrset): number {
  let size = packedHeaderBytes + 4 + owner.length + bailiwick.length + 2 * rdata.length;
  for (const one of rdata) size += one.length;
  return size;
}

export function packHeader(
  view: DataView,
  at: number,
  { firstSeconds, lastSeconds, count, origin, type }: Omit<Rrset, 'owner' | 'bailiwick' | 'rdata'>,
): void {
  view.setUint32(at, firstSeconds, true);
  view.setUint32(at + 4, lastSeconds, true);
  view.setFloat64(at + 8, count, true);
  view.setUint8(at + 16, originNumbers[origin]);
  view.setUint16(at + 17, type, true);
}

/** Whether the bytes up to `end` are one packed RRset of a size that can be stored. */
export function isPackedRrset(bytes: Uint8Array, end: number): boolean {
  const bailiwickAt = packedHeaderBytes + (bytes[packedHeaderBytes - 1] as number);
  const rdataAt = bailiwickAt + 1 + (bytes[bailiwickAt] as number);
  if (!(rdataAt + 2 <= end && end <= bytes.length)) return false;
  const members = uint16At(bytes, rdataAt);
  let at = rdataAt + 2;
  for (let member = 0; member < members; member += 1) {
    if (at + 2 > end) return false;
    const length = uint16At(bytes, at);
    if (length > rdataBytesMax) return false;
    at += 2 + length;
  }
  return at === end && members > 0 && end - rdataAt - 2 - 2 * members <= rrsetBytesMax;
}

function uint16At(bytes: Uint8Array, at: number): number {
  return (bytes[at] as number) | ((bytes[at + 1] as number) << 8);
}

export function unpackRrset(bytes: Uint8Array): Rrset {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const bailiwickAt = packedHeaderBytes + view.getUint8(packedHeaderBytes - 1);
  const rdataAt = bailiwickAt + 1 + view.getUint8(bailiwickAt);
  const rdata: Uint8Array[] = [];
  for (let at = rdataAt + 2; rdata.length < view.getUint16(rdataAt, true); ) {
    const end = at + 2 + view.getUint16(at, true);
    rdata.push(bytes.slice(at + 2, end));
    at = end;
  }
  return {
    firstSeconds: view.getUint32(0, true),
    lastSeconds: view.getUint32(4, true),
    count: view.getFloat64(8, true),
    origin: origins[view.getUint8(16) as 0 | 1],
    type: view.getUint16(17, true),
    owner: bytes.slice(packedHeaderBytes, bailiwickAt),
    bailiwick: bytes.slice(bailiwickAt + 1, rdataAt),
    rdata,
  };
}
