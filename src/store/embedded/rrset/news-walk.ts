/**
 * What is new in one batch, an RRset after the other in the order of the store. Most rows are repeats, which one search for
 * the whole RRset shows; only for the others its parts are looked for.
 */
import { namesIn } from '../../../model/dns/rdata-wire.ts';
import type { WireName } from '../../../model/dns/rrset.ts';
import { Problem } from '../../../model/problem.ts';
import type { NewsScan, RrsetNews } from '../../rrset-store.ts';
import { compareBytes } from './byte-order.ts';
import { DomainStretch, type StretchDomain, type StretchRow } from './domain-stretch.ts';
import { ForwardRow } from './forward-row.ts';
import { inverseKeyOf, nameInRdataPrefix, reversed } from './keys.ts';
import type { KnownBefore } from './known-before.ts';
import { OlderRuns, type Paused } from './older-runs.ts';
import type { OpenRun } from './open-runs.ts';
import { Pace } from './pace.ts';
import { PartCursor } from './part-reader.ts';
import type { Walk } from './row-walk.ts';

export interface NewsQuestion extends NewsScan {
  /** Of the run, which it has alone: a merged run may take over its sequence once it is told. */
  readonly name: string;
  readonly known: KnownBefore;
}

interface NewParts {
  readonly newRrset: boolean;
  readonly newName: boolean;
  readonly newType: boolean;
  readonly newRr: readonly boolean[];
}

const noHosts: readonly WireName[] = [];

export function alreadyTold(sequence: number): Problem {
  return new Problem('not-found', `what is new in batch ${sequence} has been told already`);
}

export class NewsWalk implements Walk<RrsetNews> {
  readonly #asked: NewsQuestion;
  readonly #pace = new Pace();
  readonly #older = new OlderRuns(this.#pace);
  readonly #stretch = new DomainStretch();
  readonly #toldHosts = new Set<string>();
  readonly #steps: Paused<void>;
  #own: PartCursor | undefined;
  #items: RrsetNews[] = [];
  #itemsMax = 0;
  /** Whether the owner asked for last is new. */
  #owner: { readonly reversed: Uint8Array; readonly isNew: boolean } | undefined;

  constructor(asked: NewsQuestion) {
    this.#asked = asked;
    this.#steps = this.#walk();
  }

  rebind(runs: readonly OpenRun[]): void {
    const { name, sequence } = this.#asked;
    const own = runs.find(({ summary }) => summary.name === name);
    if (!own) throw alreadyTold(sequence);
    this.#own ??= new PartCursor(own.forward);
    this.#older.rebind(runs.filter(({ summary }) => summary.sequence < sequence));
  }

  gather(items: RrsetNews[], itemsMax: number, untilMs: number): boolean {
    this.#items = items;
    this.#itemsMax = itemsMax;
    this.#pace.begin(untilMs);
    return this.#steps.next().done === true;
  }

  release(): void {
    // Its cursors are its own.
  }

  *#walk(): Paused<void> {
    const own = this.#own as PartCursor;
    own.seekKey(new Uint8Array(0), 0);
    while (own.valid) {
      yield* this.#stretch.take(own, this.#pace);
      for (const row of this.#stretch.rows) {
        const { domain } = row;
        if (domain && !domain.before) yield* this.#lookUp(domain, row);
        const news = yield* this.#newsOf(row);
        this.#items.push(news);
        if (this.#items.length >= this.#itemsMax || this.#pace.isOver()) yield;
      }
    }
  }

  /** What was known of a base domain before. Often its first row alone tells that it was seen late. */
  *#lookUp(domain: StretchDomain, first: StretchRow): Paused<void> {
    const { domains } = this.#asked.known;
    const afterSeconds = domain.isSensed ? domain.minFirst - this.#asked.silenceSeconds : undefined;
    const remembered = domains.get(domain.text);
    const isLate = (last: number | undefined) =>
      last !== undefined && last > (afterSeconds ?? Number.NEGATIVE_INFINITY);
    const late = isLate(remembered) || (first.isSensed && isLate(this.#older.findLast(first.key)));
    domain.before = late
      ? { known: true, sensed: true, late }
      : yield* this.#older.findDomain(domain.prefix, afterSeconds);
    if (domain.isSensed) domains.set(domain.text, Math.max(remembered ?? 0, domain.maxLast));
  }

  *#newsOf(row: StretchRow): Paused<RrsetNews> {
    const { key, firstSeconds, lastSeconds, count, domain, isSensed } = row;
    const shown = new ForwardRow(key, key.length, firstSeconds, lastSeconds, count, undefined);
    const discovered = domain && discoveryOf(domain);
    if (!isSensed) {
      return {
        row: shown,
        ...nothingNew(shown),
        newDomain: false,
        domain: undefined,
        discovered,
        newHosts: noHosts,
      };
    }
    const newDomain = domain?.before?.sensed === false;
    const parts = newDomain ? allNew(shown) : yield* this.#newPartsOf(row, shown);
    const newHosts = parts.newRrset ? yield* this.#newHostsOf(shown, parts) : noHosts;
    return { row: shown, ...parts, newDomain, domain: domain && sightingOf(domain), discovered, newHosts };
  }

  *#newPartsOf({ key, ownerEnd }: StretchRow, row: ForwardRow): Paused<NewParts> {
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

  *#isNewOwner(owner: Uint8Array): Paused<boolean> {
    const last = this.#owner;
    if (last && compareBytes(owner, owner.length, last.reversed, last.reversed.length) === 0)
      return last.isNew;
    const isNew = !(yield* this.#older.hasSensed('owners', owner));
    this.#owner = { reversed: owner, isNew };
    return isNew;
  }

  *#newHostsOf(
    { owner, type, rdata }: ForwardRow,
    { newName, newRr }: NewParts,
  ): Paused<readonly WireName[]> {
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

  /** Whether a name was never seen, and has not been told in this batch. */
  *#isNewHost(name: WireName, isNewOwner: boolean): Paused<boolean> {
    if (name.length === 1) return false;
    const text = Buffer.from(name).toString('latin1');
    const { hosts } = this.#asked.known;
    if (this.#toldHosts.has(text) || hosts.get(text) !== undefined) return false;
    hosts.set(text, 1);
    if (!this.#older.isEmpty) {
      if (!isNewOwner && (yield* this.#older.hasSensed('owners', reversed(name)))) return false;
      if (yield* this.#older.hasSensed('hosts', nameInRdataPrefix(name))) return false;
    }
    this.#toldHosts.add(text);
    return true;
  }
}

/** The domain where nothing was known of it, once. */
function discoveryOf(domain: StretchDomain): WireName | undefined {
  if (domain.before?.known || domain.isDiscoveryTold) return undefined;
  domain.isDiscoveryTold = true;
  return domain.name;
}

/** The domain where sensors had not seen it, or not lately, once. */
function sightingOf(domain: StretchDomain): RrsetNews['domain'] {
  if (domain.before?.late || domain.isTold) return undefined;
  domain.isTold = true;
  return { name: domain.name, kind: domain.before?.sensed ? 'again' : 'first' };
}

function nothingNew({ rdata }: ForwardRow): NewParts {
  return { newRrset: false, newName: false, newType: false, newRr: rdata.map(() => false) };
}

function allNew({ rdata }: ForwardRow): NewParts {
  return { newRrset: true, newName: true, newType: true, newRr: rdata.map(() => true) };
}
