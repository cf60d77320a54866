/**
 * The rows of a batch that must be evaluated together: all at or below one base domain, which are adjacent in key order. A base
 * domain can be below another (`a.b.kawasaki.jp` below `kawasaki.jp`, since registrations are made at both levels), so a
 * group may contain several. The size of a batch bounds that of a group.
 */
import type { TimeSlice } from '../../../concurrency/time-slice.ts';
import { baseDomainOf } from '../../../model/base-domain.ts';
import type { WireName } from '../../../model/dns/rrset.ts';
import { compareBytes, startsWith } from '../segment/byte-order.ts';
import { isSensorKey, nameEnd, reverseLabels } from '../segment/keys.ts';
import type { TableCursor } from '../segment/table-reader.ts';
import { SightingSum } from '../segment/time-buckets.ts';
import type { PriorDomain, Resumable } from './older-segments.ts';

export interface GroupRow {
  /** Its key in the forward table. */
  readonly key: Uint8Array;
  readonly ownerEnd: number;
  readonly isSensed: boolean;
  readonly firstSeconds: number;
  readonly lastSeconds: number;
  readonly count: number;
  readonly domain: GroupDomain | undefined;
}

export class GroupDomain {
  readonly name: WireName;
  /** The prefix of the forward keys of its rows. */
  readonly prefix: Uint8Array;
  readonly text: string;
  /** Over its rows in this batch that sensors saw. */
  minFirst = Number.POSITIVE_INFINITY;
  maxLast = 0;
  /** What was known before this batch, once it has been looked up. */
  before: PriorDomain | undefined;
  isReported = false;
  isDiscoveryReported = false;

  constructor(name: WireName) {
    this.name = name;
    this.prefix = reverseLabels(name).subarray(0, name.length - 1);
    this.text = Buffer.from(name).toString('latin1');
  }

  get isSensed(): boolean {
    return this.minFirst !== Number.POSITIVE_INFINITY;
  }
}

export class DomainGroup {
  rows: GroupRow[] = [];
  readonly #sum = new SightingSum();
  readonly #domains = new Map<string, GroupDomain>();

  /** Reads the rows of the next group from a cursor that is on the first of them. */
  *read(cursor: TableCursor, timeSlice: TimeSlice): Resumable<void> {
    this.rows = [];
    this.#domains.clear();
    const top = this.#add(cursor, undefined);
    let valid = cursor.step();
    if (!top) return;
    while (valid && startsWith(cursor.key, cursor.keyLength, top.prefix)) {
      if (timeSlice.isOver()) yield;
      this.#add(cursor, top);
      valid = cursor.step();
    }
  }

  #add({ key, keyLength, bytes, valueStart }: TableCursor, top: GroupDomain | undefined) {
    const sum = this.#sum;
    sum.clear();
    sum.addList(bytes, valueStart);
    const { firstSeconds, lastSeconds, count } = sum;
    const ownerEnd = nameEnd(key, 0);
    const last = this.rows.at(-1);
    const isSameOwner = last !== undefined && compareBytes(key, ownerEnd, last.key, last.ownerEnd) === 0;
    const domain = isSameOwner ? last.domain : this.#domainOf(key, top);
    const isSensed = isSensorKey(key, keyLength);
    if (domain && isSensed) {
      domain.minFirst = Math.min(domain.minFirst, firstSeconds);
      domain.maxLast = Math.max(domain.maxLast, lastSeconds);
    }
    const copy = key.slice(0, keyLength);
    this.rows.push({ key: copy, ownerEnd, isSensed, firstSeconds, lastSeconds, count, domain });
    return domain;
  }

  #domainOf(key: Uint8Array, top: GroupDomain | undefined): GroupDomain | undefined {
    const name = baseDomainOf(reverseLabels(key, 0));
    if (!name) return undefined;
    // All names here are at or below the top, so one of the same length is the top itself.
    if (top?.name.length === name.length) return top;
    const domain = new GroupDomain(name);
    const known = this.#domains.get(domain.text);
    if (known) return known;
    this.#domains.set(domain.text, domain);
    return domain;
  }
}
