/**
 * Finds what is newly observed in a batch, page by page in the order of the store. Something is new if its smallest sequence is not below that of
 * the batch, whatever was added since. Base domains and their last sightings are known from published batches only, which are all before this one.
 */
import { baseDomainOf } from '../../../model/base-domain.ts';
import { namesIn } from '../../../model/dns/rdata-wire.ts';
import type { Rrset, WireName } from '../../../model/dns/rrset.ts';
import { GroupDomain } from '../../rrset/scan/domain-group.ts';
import { ForwardRow } from '../../rrset/scan/forward-row.ts';
import {
  allNew,
  discoveryOf,
  type Newness,
  nothingNew,
  sightingOf,
} from '../../rrset/scan/newly-observed-scanner.ts';
import { inverseKeyOf } from '../../rrset/segment/keys.ts';
import type { NewlyObservedRrset, NewlyObservedScan } from '../../rrset-store.ts';
import {
  domainsOfBatch,
  keysBefore,
  knownDomains,
  type RowKind,
  rowKinds,
  rrsetsOfBatch,
  seenKinds,
} from '../clickhouse/sql.ts';
import { latin1, neverSeconds, seenKey } from './known-names.ts';
import { type KeySighting, type RowTable, readSighting } from './row-table.ts';

const rowsPerPage = 1000;
/** In one statement. */
const keysMax = 2000;

interface BatchRow {
  readonly key: Uint8Array;
  readonly row: ForwardRow;
  readonly domain: GroupDomain | undefined;
}

interface DomainBefore {
  readonly last: number;
  readonly isSensed: boolean;
}

/** What of a page was known before the batch, by keys in Latin-1. */
interface Known {
  readonly rrsets: ReadonlySet<string>;
  readonly seen: ReadonlySet<string>;
  readonly records: ReadonlySet<string>;
}

export class NewlyObserved {
  readonly #table: RowTable;
  readonly #scan: NewlyObservedScan;
  /** Of the pages so far, as far as rows still to come may belong to them. */
  #domains = new Map<string, GroupDomain>();
  readonly #reportedHosts = new Set<string>();
  #after: Uint8Array | undefined;

  constructor(table: RowTable, scan: NewlyObservedScan) {
    this.#table = table;
    this.#scan = scan;
  }

  /** Undefined when there are no more. */
  async nextPage(): Promise<readonly NewlyObservedRrset[] | undefined> {
    const { sequence } = this.#scan;
    const found = await this.#table.readBatch(
      () => rrsetsOfBatch(sequence, this.#after, rowsPerPage),
      readSighting,
    );
    if (found.length === 0) return undefined;
    this.#after = found.at(-1)?.key;
    const rows = found.map((sighting) => this.#rowOf(sighting));
    await this.#lookUpDomains(rows);
    const known = await this.#lookUp(rows);
    return rows.map((row) => this.#evaluate(row, known));
  }

  #rowOf({ key, ...sighting }: KeySighting): BatchRow {
    const row = new ForwardRow(key, key.length, sighting);
    const base = baseDomainOf(row.owner);
    if (!base) return { key, row, domain: undefined };
    const text = latin1(base);
    const domain = this.#domains.get(text) ?? new GroupDomain(base);
    this.#domains.set(text, domain);
    return { key, row, domain };
  }

  /** Domains are adjacent in the order of the store but for those with others below them, so those of earlier pages are mostly done. */
  async #lookUpDomains(rows: readonly BatchRow[]): Promise<void> {
    const { silenceSeconds, sequence } = this.#scan;
    const domains = new Set(rows.flatMap(({ domain }) => (domain && !domain.before ? [domain] : [])));
    const names = [...domains].map(({ name }) => name);
    const first = await this.#inParts(names, (part) =>
      this.#table.readBatch(
        () => domainsOfBatch(sequence, part),
        (row) => [latin1(row.string()), row.uint32()] as const,
      ),
    );
    const before = await this.#inParts(names, (part) =>
      this.#table.read(
        (dialect) => knownDomains(dialect, part),
        (row) => [latin1(row.string()), { last: row.uint32(), isSensed: row.uint8() === 1 }] as const,
      ),
    );
    const [firstOf, beforeOf] = [new Map(first), new Map<string, DomainBefore>()];
    // A shard may have a domain that another one has, too.
    for (const [text, { last, isSensed }] of before) {
      const other = beforeOf.get(text);
      beforeOf.set(text, {
        last: Math.max(last, other?.last ?? 0),
        isSensed: isSensed || (other?.isSensed ?? false),
      });
    }
    for (const domain of domains) {
      const minFirst = firstOf.get(domain.text) ?? neverSeconds;
      if (minFirst !== neverSeconds) domain.minFirst = minFirst;
      const known = beforeOf.get(domain.text);
      const sensed = known?.isSensed ?? false;
      const recent = domain.isSensed && sensed && (known?.last ?? 0) > domain.minFirst - silenceSeconds;
      domain.before = { known: known !== undefined, sensed, recent };
    }
  }

  async #lookUp(rows: readonly BatchRow[]): Promise<Known> {
    const sensed = rows.filter(({ row }) => row.origin === 'sensor');
    const rrsets = await this.#before(
      rowKinds.forward,
      sensed.map(({ key }) => key),
    );
    const unknown = sensed.filter(({ key }) => !rrsets.has(latin1(key))).map(({ row }) => row);
    const seen = await this.#before(rowKinds.seen, unknown.flatMap(seenKeysOf));
    const oldOwners = unknown.filter(({ owner, type }) =>
      seen.has(latin1(seenKey(seenKinds.ownerType, owner, type))),
    );
    const records = await this.#before(rowKinds.inverse, oldOwners.flatMap(recordKeysOf));
    return { rrsets, seen, records };
  }

  async #before(kind: RowKind, keys: readonly Uint8Array[]): Promise<ReadonlySet<string>> {
    const distinct = [...new Map(keys.map((key) => [latin1(key), key])).values()];
    const found = await this.#inParts(distinct, (part) =>
      this.#table.read(
        (dialect) => keysBefore(dialect, kind, part, this.#scan.sequence),
        (row) => latin1(row.string()),
      ),
    );
    return new Set(found);
  }

  async #inParts<Found>(
    keys: readonly Uint8Array[],
    read: (part: readonly Uint8Array[]) => Promise<readonly Found[]>,
  ): Promise<Found[]> {
    const found: Found[] = [];
    for (let from = 0; from < keys.length; from += keysMax) {
      found.push(...(await read(keys.slice(from, from + keysMax))));
    }
    return found;
  }

  #evaluate({ key, row, domain }: BatchRow, known: Known): NewlyObservedRrset {
    const baseDomain = domain?.name;
    const discovered = domain && discoveryOf(domain);
    if (row.origin !== 'sensor') {
      const none = { newDomain: false, domain: undefined, discovered, newHosts: [] };
      return { row, baseDomain, ...nothingNew(row), ...none };
    }
    const newness = newnessOf(key, row, known);
    return {
      row,
      baseDomain,
      ...newness,
      newDomain: domain?.before?.sensed === false,
      domain: domain && sightingOf(domain),
      discovered,
      newHosts: newness.newRrset ? this.#newHostsOf(row, newness, known) : [],
    };
  }

  #newHostsOf(row: ForwardRow, { newName, newRr }: Newness, known: Known): readonly WireName[] {
    const { owner, type, rdata } = row;
    const inRdata = rdata.flatMap((one, index) => (newRr[index] ? namesIn(type, one) : []));
    return [...(newName ? [owner] : []), ...inRdata].filter((name) => {
      if (name.length === 1) return false;
      const text = latin1(name);
      if (this.#reportedHosts.has(text) || known.seen.has(latin1(seenKey(seenKinds.host, name))))
        return false;
      this.#reportedHosts.add(text);
      return true;
    });
  }
}

function newnessOf(key: Uint8Array, row: ForwardRow, { rrsets, seen, records }: Known): Newness {
  const { owner, type, rdata, origin } = row;
  if (rrsets.has(latin1(key))) return nothingNew(row);
  if (!seen.has(latin1(seenKey(seenKinds.owner, owner)))) return allNew(row);
  const newType = !seen.has(latin1(seenKey(seenKinds.ownerType, owner, type)));
  const newRr = rdata.map((one) => newType || !records.has(latin1(inverseKeyOf(owner, type, one, origin))));
  return { newRrset: true, newName: false, newType, newRr };
}

function seenKeysOf({ owner, type, rdata }: Pick<Rrset, 'owner' | 'type' | 'rdata'>): Uint8Array[] {
  const names = [owner, ...rdata.flatMap((one) => namesIn(type, one))];
  const hosts = names.map((name) => seenKey(seenKinds.host, name));
  return [seenKey(seenKinds.owner, owner), seenKey(seenKinds.ownerType, owner, type), ...hosts];
}

function recordKeysOf({ owner, type, rdata, origin }: ForwardRow): Uint8Array[] {
  return rdata.map((one) => inverseKeyOf(owner, type, one, origin));
}
