/**
 * Rows of a batch that must be judged together: all at or below one base domain. They stand next to one another. A base domain
 * can lie below another (`a.b.kawasaki.jp` below `kawasaki.jp`, between which registrations are made), so a stretch may be
 * of several. A batch is bounded, and so is a stretch.
 */
import { baseDomainOf } from '../../../model/base-domain.ts';
import type { WireName } from '../../../model/dns/rrset.ts';
import { compareBytes, startsWith } from './byte-order.ts';
import { isOfSensor, nameEnd, reversed } from './keys.ts';
import type { DomainBefore, Paused } from './older-runs.ts';
import type { Pace } from './pace.ts';
import type { PartCursor } from './part-reader.ts';
import { SightingSum } from './time-buckets.ts';

export interface StretchRow {
  /** Of the forward part. */
  readonly key: Uint8Array;
  readonly ownerEnd: number;
  readonly isSensed: boolean;
  readonly firstSeconds: number;
  readonly lastSeconds: number;
  readonly count: number;
  readonly domain: StretchDomain | undefined;
}

export class StretchDomain {
  readonly name: WireName;
  /** What the keys of its rows begin with. */
  readonly prefix: Uint8Array;
  readonly text: string;
  /** Of its rows in this batch that sensors saw. */
  minFirst = Number.POSITIVE_INFINITY;
  maxLast = 0;
  /** What was known before this batch, once somebody has looked. */
  before: DomainBefore | undefined;
  isTold = false;
  isDiscoveryTold = false;

  constructor(name: WireName) {
    this.name = name;
    this.prefix = reversed(name).subarray(0, name.length - 1);
    this.text = Buffer.from(name).toString('latin1');
  }

  get isSensed(): boolean {
    return this.minFirst !== Number.POSITIVE_INFINITY;
  }
}

export class DomainStretch {
  rows: StretchRow[] = [];
  readonly #sum = new SightingSum();
  readonly #domains = new Map<string, StretchDomain>();

  /** Takes the rows of the next stretch from a cursor that stands on the first of them. */
  *take(cursor: PartCursor, pace: Pace): Paused<void> {
    this.rows = [];
    this.#domains.clear();
    const top = this.#add(cursor, undefined);
    let standing = cursor.step();
    if (!top) return;
    while (standing && startsWith(cursor.key, cursor.keyLength, top.prefix)) {
      if (pace.isOver()) yield;
      this.#add(cursor, top);
      standing = cursor.step();
    }
  }

  #add({ key, keyLength, bytes, valueStart }: PartCursor, top: StretchDomain | undefined) {
    const sum = this.#sum;
    sum.clear();
    sum.addList(bytes, valueStart);
    const { firstSeconds, lastSeconds, count } = sum;
    const ownerEnd = nameEnd(key, 0);
    const last = this.rows.at(-1);
    const isSameOwner = last !== undefined && compareBytes(key, ownerEnd, last.key, last.ownerEnd) === 0;
    const domain = isSameOwner ? last.domain : this.#domainOf(key, top);
    const isSensed = isOfSensor(key, keyLength);
    if (domain && isSensed) {
      domain.minFirst = Math.min(domain.minFirst, firstSeconds);
      domain.maxLast = Math.max(domain.maxLast, lastSeconds);
    }
    const copy = key.slice(0, keyLength);
    this.rows.push({ key: copy, ownerEnd, isSensed, firstSeconds, lastSeconds, count, domain });
    return domain;
  }

  #domainOf(key: Uint8Array, top: StretchDomain | undefined): StretchDomain | undefined {
    const name = baseDomainOf(reversed(key, 0));
    if (!name) return undefined;
    // What lies below the top and is as long is the top.
    if (top?.name.length === name.length) return top;
    const domain = new StretchDomain(name);
    const known = this.#domains.get(domain.text);
    if (known) return known;
    this.#domains.set(domain.text, domain);
    return domain;
  }
}
