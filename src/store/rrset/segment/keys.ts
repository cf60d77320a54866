/**
 * The keys of the three data tables of a segment. Names are in wire form; `rev` has the labels from the top down (com, example,
 * www), ended by a zero byte, so that a name sorts directly before everything below it.
 *
 *   forward   rev(owner) type rev(bailiwick) (length rdata)* FFFF origin          RRsets
 *   inverse   01 address rev(owner) origin                                        A
 *             02 address rev(owner) origin                                        AAAA
 *             03 rev(name) type rev(owner) length rdata origin                    rdata by a name in it
 *             04 rdata type rev(owner) origin length                              rdata by its bytes
 *   distinct  00 owner type        01 name in rdata, type        02 rdata type length
 *
 * Types and lengths are two bytes, big-endian. Where rdata comes first its length is at the end, so that a prefix of the rdata
 * is a prefix of the key. Rdata that is a name and nothing else (NS, CNAME, PTR and the like) has no key of inverse kind 04
 * or distinct kind 01: distinct kind 02 lists these names by their bytes, and inverse kind 03 has their rows.
 *
 * Decoding checks that the parts of a key are as long as the key, and fails otherwise.
 */
import { originNumbers } from '../../../model/dns/packed-rrset.ts';
import { namesIn } from '../../../model/dns/rdata-wire.ts';
import { isNameOnlyType, isTextType } from '../../../model/dns/rr-type.ts';
import type { Rrset, Sighting, WireName } from '../../../model/dns/rrset.ts';
import type { BatchReader } from '../observation-batch.ts';
import { copyBytes } from './byte-order.ts';
import type { KeyArena } from './key-arena.ts';

export const inverseKinds = { ipv4: 1, ipv6: 2, name: 3, raw: 4 } as const;
export const distinctKinds = { owner: 0, rdataName: 1, rdata: 2 } as const;

const typeA = 1;
const typeAaaa = 28;
const endOfSet = 0xffff;

/** Writes the labels of a name in reverse order, then the final zero. */
function writeReversed(bytes: Uint8Array, at: number, length: number, into: Uint8Array, to: number): number {
  const end = to + length;
  into[end - 1] = 0;
  let position = at;
  for (let free = end - 1; free > to; ) {
    const size = (bytes[position] as number) + 1;
    free -= size;
    for (let index = 0; index < size; index += 1) into[free + index] = bytes[position + index] as number;
    position += size;
  }
  return end;
}

/** A name with its labels in reverse order; its own inverse. */
export function reverseLabels(name: Uint8Array, at = 0): WireName {
  const length = nameEnd(name, at) - at;
  const into = new Uint8Array(length);
  writeReversed(name, at, length, into, 0);
  return into;
}

/** The end of the name at this offset, in either order of labels. */
export function nameEnd(bytes: Uint8Array, at: number): number {
  let position = at;
  while (position < bytes.length && bytes[position] !== 0) position += (bytes[position] as number) + 1;
  return position + 1;
}

function writeUint16(value: number, into: Uint8Array, end: number): number {
  into[end] = value >>> 8;
  into[end + 1] = value & 0xff;
  return end + 2;
}

export function readUint16(bytes: Uint8Array, at: number): number {
  return ((bytes[at] as number) << 8) | (bytes[at + 1] as number);
}

export function addForwardKey(batch: BatchReader, arena: KeyArena): void {
  const { ownerLength, bailiwickLength, rdataBytes, rdataCount } = batch;
  const at = arena.reserve(ownerLength + bailiwickLength + rdataBytes + 2 * rdataCount + 8);
  const into = arena.bytes;
  let end = writeReversed(batch.bytes, batch.ownerAt, ownerLength, into, at);
  end = writeUint16(batch.type, into, end);
  end = writeReversed(batch.bytes, batch.bailiwickAt, batch.bailiwickLength, into, end);
  for (let member = 0; member < batch.rdataCount; member += 1) {
    const length = batch.rdataLength[member] as number;
    end = writeUint16(length, into, end);
    end = copyBytes(batch.bytes, batch.rdataAt[member] as number, length, into, end);
  }
  end = writeUint16(endOfSet, into, end);
  into[end] = batch.origin;
  arena.push(end + 1);
}

export function addInverseKeys(batch: BatchReader, arena: KeyArena): void {
  for (let member = 0; member < batch.rdataCount; member += 1) {
    const at = batch.rdataAt[member] as number;
    const length = batch.rdataLength[member] as number;
    if (batch.type === typeA && length === 4) addAddressKey(batch, inverseKinds.ipv4, at, length, arena);
    else if (batch.type === typeAaaa && length === 16) {
      addAddressKey(batch, inverseKinds.ipv6, at, length, arena);
    } else {
      const names = namesIn(batch.type, batch.bytes.subarray(at, at + length));
      for (const name of names) addNameKey(batch, name, at, length, arena);
      if (names.length === 0 || !isNameOnlyType(batch.type)) addRawKey(batch, at, length, arena);
    }
  }
}

function addAddressKey(batch: BatchReader, kind: number, at: number, length: number, arena: KeyArena): void {
  const to = arena.reserve(length + batch.ownerLength + 2);
  const into = arena.bytes;
  into[to] = kind;
  let end = copyBytes(batch.bytes, at, length, into, to + 1);
  end = writeReversed(batch.bytes, batch.ownerAt, batch.ownerLength, into, end);
  into[end] = batch.origin;
  arena.push(end + 1);
}

function addNameKey(batch: BatchReader, name: WireName, at: number, length: number, arena: KeyArena): void {
  const to = arena.reserve(name.length + length + batch.ownerLength + 6);
  const into = arena.bytes;
  into[to] = inverseKinds.name;
  let end = writeReversed(name, 0, name.length, into, to + 1);
  end = writeUint16(batch.type, into, end);
  end = writeReversed(batch.bytes, batch.ownerAt, batch.ownerLength, into, end);
  end = writeUint16(length, into, end);
  end = copyBytes(batch.bytes, at, length, into, end);
  into[end] = batch.origin;
  arena.push(end + 1);
}

function addRawKey(batch: BatchReader, at: number, length: number, arena: KeyArena): void {
  const to = arena.reserve(length + batch.ownerLength + 6);
  const into = arena.bytes;
  into[to] = inverseKinds.raw;
  let end = copyBytes(batch.bytes, at, length, into, to + 1);
  end = writeUint16(batch.type, into, end);
  end = writeReversed(batch.bytes, batch.ownerAt, batch.ownerLength, into, end);
  into[end] = batch.origin;
  arena.push(writeUint16(length, into, end + 1));
}

export function addDistinctKeys(batch: BatchReader, arena: KeyArena): void {
  addDistinctKey(
    distinctKinds.owner,
    batch.bytes,
    batch.ownerAt,
    batch.ownerLength,
    batch.type,
    false,
    arena,
  );
  if (batch.type === typeA || batch.type === typeAaaa) return;
  const nameOnly = isNameOnlyType(batch.type);
  const searched = nameOnly || isTextType(batch.type);
  for (let member = 0; member < batch.rdataCount; member += 1) {
    const at = batch.rdataAt[member] as number;
    const length = batch.rdataLength[member] as number;
    const names = nameOnly ? [] : namesIn(batch.type, batch.bytes.subarray(at, at + length));
    for (const name of names) {
      addDistinctKey(distinctKinds.rdataName, name, 0, name.length, batch.type, false, arena);
    }
    if (searched) addDistinctKey(distinctKinds.rdata, batch.bytes, at, length, batch.type, true, arena);
  }
}

function addDistinctKey(
  kind: number,
  bytes: Uint8Array,
  at: number,
  length: number,
  type: number,
  endsInLength: boolean,
  arena: KeyArena,
): void {
  const to = arena.reserve(length + 5);
  const into = arena.bytes;
  into[to] = kind;
  const end = writeUint16(type, into, copyBytes(bytes, at, length, into, to + 1));
  arena.push(endsInLength ? writeUint16(length, into, end) : end);
}

/** The forward key of an RRset whose members are sorted. */
export function forwardKeyOf({
  owner,
  type,
  bailiwick,
  rdata,
  origin,
}: Omit<Rrset, keyof Sighting>): Uint8Array {
  let length = owner.length + bailiwick.length + 5;
  for (const one of rdata) length += one.length + 2;
  const key = new Uint8Array(length);
  let end = writeUint16(type, key, writeReversed(owner, 0, owner.length, key, 0));
  end = writeReversed(bailiwick, 0, bailiwick.length, key, end);
  for (const one of rdata) end = copyBytes(one, 0, one.length, key, writeUint16(one.length, key, end));
  key[writeUint16(endOfSet, key, end)] = originNumbers[origin];
  return key;
}

/** A key of a record in the inverse table; where it has several, one of them. */
export function inverseKeyOf(
  owner: WireName,
  type: number,
  rdata: Uint8Array,
  origin: Rrset['origin'],
): Uint8Array {
  const isAddress = (type === typeA && rdata.length === 4) || (type === typeAaaa && rdata.length === 16);
  const name = isNameOnlyType(type) ? namesIn(type, rdata)[0] : undefined;
  const key = new Uint8Array(1 + (name?.length ?? 0) + rdata.length + owner.length + 5);
  let end: number;
  if (isAddress) {
    key[0] = type === typeA ? inverseKinds.ipv4 : inverseKinds.ipv6;
    end = writeReversed(owner, 0, owner.length, key, copyBytes(rdata, 0, rdata.length, key, 1));
    key[end++] = originNumbers[origin];
  } else if (name) {
    key[0] = inverseKinds.name;
    end = writeUint16(type, key, writeReversed(name, 0, name.length, key, 1));
    end = writeUint16(rdata.length, key, writeReversed(owner, 0, owner.length, key, end));
    end = copyBytes(rdata, 0, rdata.length, key, end);
    key[end++] = originNumbers[origin];
  } else {
    key[0] = inverseKinds.raw;
    end = writeUint16(type, key, copyBytes(rdata, 0, rdata.length, key, 1));
    end = writeReversed(owner, 0, owner.length, key, end);
    key[end++] = originNumbers[origin];
    end = writeUint16(rdata.length, key, end);
  }
  return key.subarray(0, end);
}

/** The prefix of all inverse keys of rdata that contains a name. */
export function nameInRdataPrefix(name: WireName): Uint8Array {
  const prefix = new Uint8Array(name.length + 1);
  prefix[0] = inverseKinds.name;
  writeReversed(name, 0, name.length, prefix, 1);
  return prefix;
}

/** Whether the origin in a forward key, or in an inverse key of any kind but `raw`, is a sensor. */
export function isSensorKey(key: Uint8Array, keyLength: number): boolean {
  return key[keyLength - 1] === originNumbers.sensor;
}

function malformed(): Error {
  return new Error('a key in an RRset segment is malformed');
}

/** The names of the forward key that was decoded last. */
export class ForwardNames {
  readonly owner = new LastName();
  readonly bailiwick = new LastName();
}

/** The last name that was decoded. Adjacent keys mostly have the same, and its bytes are copied and put in order once. */
class LastName {
  /** As in keys. */
  #reversed = new Uint8Array(0);
  #name: WireName = this.#reversed;

  /** The name at an offset of a key, which ends at another. */
  at(key: Uint8Array, start: number, end: number): WireName {
    const reversed = this.#reversed;
    let isSame = end - start === reversed.length;
    for (let index = 0; isSame && index < reversed.length; index += 1)
      isSame = key[start + index] === reversed[index];
    if (isSame) return this.#name;
    this.#reversed = key.slice(start, end);
    this.#name = reverseLabels(key, start);
    return this.#name;
  }
}

/** Decodes a forward key. Names that it shares with the key before, given the same `names`, are the same arrays. */
export function readForwardKey(key: Uint8Array, keyLength: number, names = new ForwardNames()) {
  const ownerEnd = nameEnd(key, 0);
  const bailiwickEnd = nameEnd(key, ownerEnd + 2);
  const rdata: Uint8Array[] = [];
  let at = bailiwickEnd;
  for (let length = readUint16(key, at); length !== endOfSet; length = readUint16(key, at)) {
    if (at + 2 + length > keyLength) throw malformed();
    rdata.push(key.slice(at + 2, at + 2 + length));
    at += 2 + length;
  }
  if (at + 3 !== keyLength) throw malformed();
  return {
    owner: names.owner.at(key, 0, ownerEnd),
    type: readUint16(key, ownerEnd),
    bailiwick: names.bailiwick.at(key, ownerEnd + 2, bailiwickEnd),
    rdata,
    origin: key[keyLength - 1] as number,
  };
}

/** Decodes an inverse key. */
export function readInverseKey(key: Uint8Array, keyLength: number) {
  const kind = key[0];
  if (kind === inverseKinds.ipv4 || kind === inverseKinds.ipv6) {
    const ownerAt = kind === inverseKinds.ipv4 ? 5 : 17;
    if (nameEnd(key, ownerAt) + 1 !== keyLength) throw malformed();
    return {
      owner: reverseLabels(key, ownerAt),
      type: kind === inverseKinds.ipv4 ? typeA : typeAaaa,
      rdata: key.slice(1, ownerAt),
      origin: key[keyLength - 1] as number,
    };
  }
  if (kind === inverseKinds.name) {
    const typeAt = nameEnd(key, 1);
    const lengthAt = nameEnd(key, typeAt + 2);
    if (lengthAt + 3 + readUint16(key, lengthAt) !== keyLength) throw malformed();
    return {
      owner: reverseLabels(key, typeAt + 2),
      type: readUint16(key, typeAt),
      rdata: key.slice(lengthAt + 2, keyLength - 1),
      origin: key[keyLength - 1] as number,
    };
  }
  const typeAt = 1 + readUint16(key, keyLength - 2);
  if (nameEnd(key, typeAt + 2) + 3 !== keyLength) throw malformed();
  return {
    owner: reverseLabels(key, typeAt + 2),
    type: readUint16(key, typeAt),
    rdata: key.slice(1, typeAt),
    origin: key[keyLength - 3] as number,
  };
}

/** The type in an inverse key, without decoding the rest. */
export function typeOfInverseKey(key: Uint8Array, keyLength: number): number {
  const kind = key[0];
  if (kind === inverseKinds.ipv4) return typeA;
  if (kind === inverseKinds.ipv6) return typeAaaa;
  if (kind === inverseKinds.name) return readUint16(key, nameEnd(key, 1));
  return readUint16(key, 1 + readUint16(key, keyLength - 2));
}
