/**
 * Finds what is newly observed in one batch, RRset by RRset in the order of the store. Most rows are repeats, which one lookup
 * of the whole RRset shows; only for the others are the name, the type and each record looked up.
 */
import { TimeSlice } from '../../../concurrency/time-slice.ts';
import { namesIn } from '../../../model/dns/rdata-wire.ts';
import type { WireName } from '../../../model/dns/rrset.ts';
import { Problem } from '../../../model/problem.ts';
import type { NewlyObservedRrset, NewlyObservedScan } from '../../rrset-store.ts';
import type { OpenSegment } from '../open-segment.ts';
import { compareBytes } from '../segment/byte-order.ts';
import { ForwardNames, inverseKeyOf, nameInRdataPrefix, reverseLabels } from '../segment/keys.ts';
import { TableCursor } from '../segment/table-reader.ts';
import { DomainGroup, type GroupDomain, type GroupRow } from './domain-group.ts';
import { ForwardRow } from './forward-row.ts';
import { OlderSegments, type Resumable } from './older-segments.ts';
import type { ResumableScan } from './resumable-scan.ts';
import type { SeenBefore } from './seen-before.ts';

export interface NewlyObservedQuery extends NewlyObservedScan {
  /** The unique name of the segment; its sequence may pass to a compacted segment once it is published. */
  readonly name: string;
  readonly seenBefore: SeenBefore;
}

export interface Newness {
  readonly newRrset: boolean;
  readonly newName: boolean;
  readonly newType: boolean;
  readonly newRr: readonly boolean[];
}

const noHosts: readonly WireName[] = [];

export function alreadyPublished(sequence: number): Problem {
  return new Problem(
    'not-found',
    `the newly observed RRsets of batch ${sequence} have already been published`,
  );
}

export class NewlyObservedScanner implements ResumableScan<NewlyObservedRrset> {
  readonly tables = ['forward', 'inverse'] as const;
  readonly #query: NewlyObservedQuery;
  readonly #timeSlice = new TimeSlice();
  readonly #older = new OlderSegments(this.#timeSlice);
  readonly #group = new DomainGroup();
  readonly #names = new ForwardNames();
  readonly #reportedHosts = new Set<string>();
  readonly #steps: Resumable<void>;
  #own: TableCursor | undefined;
  #items: NewlyObservedRrset[] = [];
  #itemsMax = 0;
  /** The owner looked up last, and whether it is new. */
  #owner: { readonly reversed: Uint8Array; readonly isNew: boolean } | undefined;

  constructor(query: NewlyObservedQuery) {
    this.#query = query;
    this.#steps = this.#run();
  }

  rebind(segments: readonly OpenSegment[]): void {
    const { name, sequence } = this.#query;
    const own = segments.find(({ summary }) => summary.name === name);
    if (!own) throw alreadyPublished(sequence);
    this.#own ??= new TableCursor(own.forward);
    this.#older.rebind(segments.filter(({ summary }) => summary.sequence < sequence));
  }

  gather(items: NewlyObservedRrset[], itemsMax: number, untilMs: number): boolean {
    this.#items = items;
    this.#itemsMax = itemsMax;
    this.#timeSlice.begin(untilMs);
    return this.#steps.next().done === true;
  }

  release(): void {
    // Nothing is pooled: its cursors are its own.
  }

  *#run(): Resumable<void> {
    const own = this.#own as TableCursor;
    own.seekKey(new Uint8Array(0), 0);
    while (own.valid) {
      yield* this.#group.read(own, this.#timeSlice);
      for (const row of this.#group.rows) {
        const { domain } = row;
        if (domain && !domain.before) yield* this.#lookUpDomain(domain, row);
        // Not in one expression, which would find the list of items before a pause: each slice has its own.
        const item = yield* this.#evaluate(row);
        this.#items.push(item);
        if (this.#items.length >= this.#itemsMax || this.#timeSlice.isOver()) yield;
      }
    }
  }

  /** Looks up what was known of a base domain. Often its first row alone shows that it was seen recently. */
  *#lookUpDomain(domain: GroupDomain, first: GroupRow): Resumable<void> {
    const { domains } = this.#query.seenBefore;
    const afterSeconds = domain.isSensed ? domain.minFirst - this.#query.silenceSeconds : undefined;
    const cached = domains.get(domain.text);
    const isRecent = (last: number | undefined) =>
      last !== undefined && last > (afterSeconds ?? Number.NEGATIVE_INFINITY);
    const recent = isRecent(cached) || (first.isSensed && isRecent(this.#older.findLast(first.key)));
    domain.before = recent
      ? { known: true, sensed: true, recent }
      : yield* this.#older.findDomain(domain.prefix, afterSeconds);
    if (domain.isSensed) domains.set(domain.text, Math.max(cached ?? 0, domain.maxLast));
  }

  *#evaluate(row: GroupRow): Resumable<NewlyObservedRrset> {
    const { key, domain, isSensed } = row;
    const baseDomain = domain?.name;
    const shown = new ForwardRow(key, key.length, row, { names: this.#names });
    const discovered = domain && discoveryOf(domain);
    if (!isSensed) {
      return {
        row: shown,
        baseDomain,
        ...nothingNew(shown),
        newDomain: false,
        domain: undefined,
        discovered,
        newHosts: noHosts,
      };
    }
    const newDomain = domain?.before?.sensed === false;
    const newness = newDomain ? allNew(shown) : yield* this.#newnessOf(row, shown);
    const newHosts = newness.newRrset ? yield* this.#newHostsOf(shown, newness) : noHosts;
    const { newRrset, newName, newType, newRr } = newness;
    return {
      row: shown,
      baseDomain,
      newRrset,
      newName,
      newType,
      newRr,
      newDomain,
      domain: domain && sightingOf(domain),
      discovered,
      newHosts,
    };
  }

  *#newnessOf({ key, ownerEnd }: GroupRow, row: ForwardRow): Resumable<Newness> {
    if (this.#older.isEmpty) return allNew(row);
    if (this.#older.findLast(key) !== undefined) return nothingNew(row);
    if (yield* this.#isNewOwner(key.subarray(0, ownerEnd))) return allNew(row);
    const ofType = key.subarray(0, ownerEnd + 2);
    const newType = !(yield* this.#older.hasSensed('owners', ofType));
    const { owner, type, rdata, origin } = row;
    const newRr = rdata.map(
      (one) => newType || !this.#older.hasRecord(inverseKeyOf(owner, type, one, origin)),
    );
    return { newRrset: true, newName: false, newType, newRr };
  }

  *#isNewOwner(owner: Uint8Array): Resumable<boolean> {
    const last = this.#owner;
    if (last && compareBytes(owner, owner.length, last.reversed, last.reversed.length) === 0)
      return last.isNew;
    const isNew = !(yield* this.#older.hasSensed('owners', owner));
    this.#owner = { reversed: owner, isNew };
    return isNew;
  }

  *#newHostsOf(
    { owner, type, rdata }: ForwardRow,
    { newName, newRr }: Newness,
  ): Resumable<readonly WireName[]> {
    const hosts: WireName[] = [];
    if (newName && (yield* this.#isNewHost(owner, true))) hosts.push(owner);
    for (const [index, one] of rdata.entries()) {
      if (!newRr[index]) continue;
      for (const name of namesIn(type, one)) {
        if (yield* this.#isNewHost(name, false)) hosts.push(name);
      }
    }
    return hosts.length === 0 ? noHosts : hosts;
  }

  /** Whether a name was never seen before this batch, and has not been reported in it yet. */
  *#isNewHost(name: WireName, isNewOwner: boolean): Resumable<boolean> {
    if (name.length === 1) return false;
    const text = Buffer.from(name).toString('latin1');
    const { hosts } = this.#query.seenBefore;
    if (this.#reportedHosts.has(text) || hosts.get(text) !== undefined) return false;
    hosts.set(text, 1);
    if (!this.#older.isEmpty) {
      if (!isNewOwner && (yield* this.#older.hasSensed('owners', reverseLabels(name)))) return false;
      if (yield* this.#older.hasSensed('hosts', nameInRdataPrefix(name))) return false;
    }
    this.#reportedHosts.add(text);
    return true;
  }
}

/** The domain if nothing was known of it; once per batch. */
export function discoveryOf(domain: GroupDomain): WireName | undefined {
  if (domain.before?.known || domain.isDiscoveryReported) return undefined;
  domain.isDiscoveryReported = true;
  return domain.name;
}

/** The domain if sensors had not seen it, or not recently; once per batch. */
export function sightingOf(domain: GroupDomain): NewlyObservedRrset['domain'] {
  if (domain.before?.recent || domain.isReported) return undefined;
  domain.isReported = true;
  return { name: domain.name, kind: domain.before?.sensed ? 'again' : 'first' };
}

export function nothingNew({ rdata }: Pick<ForwardRow, 'rdata'>): Newness {
  return { newRrset: false, newName: false, newType: false, newRr: rdata.map(() => false) };
}

export function allNew({ rdata }: Pick<ForwardRow, 'rdata'>): Newness {
  return { newRrset: true, newName: true, newType: true, newRr: rdata.map(() => true) };
}
