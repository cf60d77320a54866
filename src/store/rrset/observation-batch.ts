/** A batch of observations in one buffer, the form in which worker threads read it from shared memory: packed RRsets, one after the other. */
import { packedBytes, packedHeaderBytes, packHeader } from '../../model/dns/packed-rrset.ts';
import type { Rrset } from '../../model/dns/rrset.ts';
import { copyBytes } from './segment/byte-order.ts';

export class ObservationBatch {
  #bytes: Uint8Array<ArrayBuffer>;
  #view: DataView;
  #end = 0;
  count = 0;

  constructor(bytesExpected: number) {
    this.#bytes = new Uint8Array(bytesExpected);
    this.#view = new DataView(this.#bytes.buffer);
  }

  get bytes(): number {
    return this.#end;
  }

  add(observation: Rrset): void {
    const { owner, bailiwick, rdata } = observation;
    this.#reserve(packedBytes(observation));
    const bytes = this.#bytes;
    const view = this.#view;
    packHeader(view, this.#end, observation);
    let at = this.#end + packedHeaderBytes;
    bytes[at - 1] = owner.length;
    at = copyBytes(owner, 0, owner.length, bytes, at);
    bytes[at] = bailiwick.length;
    at = copyBytes(bailiwick, 0, bailiwick.length, bytes, at + 1);
    view.setUint16(at, rdata.length, true);
    at += 2;
    for (const one of rdata) {
      view.setUint16(at, one.length, true);
      at = copyBytes(one, 0, one.length, bytes, at + 2);
    }
    this.#end = at;
    this.count += 1;
  }

  /** The first `length` bytes are a packed RRset. */
  addPacked(packed: Uint8Array, length: number): void {
    this.#reserve(length);
    this.#end = copyBytes(packed, 0, length, this.#bytes, this.#end);
    this.count += 1;
  }

  /** A view of everything added so far, without a copy. */
  contents(): Uint8Array {
    return this.#bytes.subarray(0, this.#end);
  }

  /** Empties the batch and keeps its memory. */
  clear(): void {
    this.#end = 0;
    this.count = 0;
  }

  #reserve(length: number): void {
    if (this.#end + length <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#end + length));
    larger.set(this.#bytes.subarray(0, this.#end));
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
  }
}

/** Iterates over a batch; the fields are those of the current observation. */
export class BatchReader {
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  #next = 0;
  first = 0;
  last = 0;
  count = 0;
  origin = 0;
  type = 0;
  ownerAt = 0;
  ownerLength = 0;
  bailiwickAt = 0;
  bailiwickLength = 0;
  /** The members of the set, sorted and without duplicates: the first `rdataCount` of these offsets and lengths. */
  rdataCount = 0;
  rdataAt = new Uint32Array(64);
  rdataLength = new Uint32Array(64);
  rdataBytes = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  next(): boolean {
    if (this.#next >= this.bytes.length) return false;
    const view = this.#view;
    let at = this.#next;
    this.first = view.getUint32(at, true);
    this.last = view.getUint32(at + 4, true);
    this.count = view.getFloat64(at + 8, true);
    this.origin = this.bytes[at + 16] as number;
    this.type = view.getUint16(at + 17, true);
    this.ownerLength = this.bytes[at + 19] as number;
    this.ownerAt = at + 20;
    at = this.ownerAt + this.ownerLength;
    this.bailiwickLength = this.bytes[at] as number;
    this.bailiwickAt = at + 1;
    at = this.bailiwickAt + this.bailiwickLength;
    const count = view.getUint16(at, true);
    at += 2;
    if (count > this.rdataAt.length) {
      this.rdataAt = new Uint32Array(count);
      this.rdataLength = new Uint32Array(count);
    }
    this.rdataBytes = 0;
    this.rdataCount = 0;
    for (let index = 0; index < count; index += 1) {
      const length = view.getUint16(at, true);
      this.#insert(at + 2, length);
      at += 2 + length;
    }
    this.#next = at;
    return true;
  }

  /** Insertion sort by bytes, without duplicates: sets are small, and mostly sorted already. */
  #insert(at: number, length: number): void {
    let slot = this.rdataCount;
    while (slot > 0) {
      const order = this.#compare(at, length, slot - 1);
      if (order === 0) return;
      if (order > 0) break;
      slot -= 1;
    }
    if (slot < this.rdataCount) {
      this.rdataAt.copyWithin(slot + 1, slot, this.rdataCount);
      this.rdataLength.copyWithin(slot + 1, slot, this.rdataCount);
    }
    this.rdataAt[slot] = at;
    this.rdataLength[slot] = length;
    this.rdataCount += 1;
    this.rdataBytes += length;
  }

  #compare(at: number, length: number, member: number): number {
    const { bytes } = this;
    const memberAt = this.rdataAt[member] as number;
    const memberLength = this.rdataLength[member] as number;
    const common = length < memberLength ? length : memberLength;
    for (let index = 0; index < common; index += 1) {
      const difference = (bytes[at + index] as number) - (bytes[memberAt + index] as number);
      if (difference !== 0) return difference;
    }
    return length - memberLength;
  }
}
