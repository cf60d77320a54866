/** What a batch adds to the names and base domains that are known. */
import { baseDomainOf } from '../../../model/base-domain.ts';
import { originNumbers } from '../../../model/dns/packed-rrset.ts';
import { namesIn } from '../../../model/dns/rdata-wire.ts';
import type { WireName } from '../../../model/dns/rrset.ts';
import type { BatchReader } from '../../rrset/observation-batch.ts';
import { seenKinds } from '../clickhouse/sql.ts';

/** No sighting by a sensor. */
export const neverSeconds = 0xffff_ffff;

export interface KnownDomain {
  /** The first sighting by a sensor of a name whose base domain it is. */
  first: number;
  /** The last sighting by a sensor at or below it. */
  last: number;
  isSensed: boolean;
}

export class KnownNames {
  /** Keys of the kind `seen`, in Latin-1. */
  readonly seen = new Set<string>();
  /** By their bytes in Latin-1. */
  readonly domains = new Map<string, KnownDomain>();
  #owner = '';
  #above: readonly KnownDomain[] = [];
  #own: KnownDomain | undefined;

  add(batch: BatchReader): void {
    const { bytes, ownerAt, ownerLength, type } = batch;
    const owner = bytes.subarray(ownerAt, ownerAt + ownerLength);
    const text = latin1(owner);
    if (text !== this.#owner) this.#enter(text, owner);
    const isSensed = batch.origin === originNumbers.sensor;
    if (!isSensed) return;
    for (const domain of this.#above) {
      domain.isSensed = true;
      domain.last = Math.max(domain.last, batch.last);
    }
    if (this.#own) this.#own.first = Math.min(this.#own.first, batch.first);
    this.seen.add(seenText(seenKinds.owner, text));
    this.seen.add(seenText(seenKinds.host, text));
    this.seen.add(seenText(seenKinds.ownerType, `${text}${String.fromCharCode(type >>> 8, type & 0xff)}`));
    for (let member = 0; member < batch.rdataCount; member += 1) {
      const at = batch.rdataAt[member] as number;
      const rdata = bytes.subarray(at, at + (batch.rdataLength[member] as number));
      for (const name of namesIn(type, rdata)) this.seen.add(seenText(seenKinds.host, latin1(name)));
    }
  }

  #enter(text: string, owner: WireName): void {
    this.#owner = text;
    const names = baseDomainsAbove(owner);
    const base = baseDomainOf(owner);
    this.#above = names.map((name) => this.#domainOf(latin1(name)));
    this.#own = base && this.#domainOf(latin1(base));
  }

  #domainOf(text: string): KnownDomain {
    const known = this.domains.get(text) ?? { first: neverSeconds, last: 0, isSensed: false };
    this.domains.set(text, known);
    return known;
  }
}

export function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

function seenText(kind: number, text: string): string {
  return `${String.fromCharCode(kind)}${text}`;
}

export function seenKey(kind: number, name: WireName, type?: number): Uint8Array {
  const key = new Uint8Array(1 + name.length + (type === undefined ? 0 : 2));
  key[0] = kind;
  key.set(name, 1);
  if (type !== undefined) key.set([type >>> 8, type & 0xff], name.length + 1);
  return key;
}

/** The base domains at or below which a name is: mostly one, but registrations are made below some of them, too (`kawasaki.jp`). */
export function baseDomainsAbove(name: WireName): readonly WireName[] {
  const found: WireName[] = [];
  const base = baseDomainOf(name);
  let above = base ?? name;
  if (base) found.push(base);
  while (above.length > 1) {
    above = above.subarray((above[0] as number) + 1);
    if (baseDomainOf(above)?.length === above.length) found.push(above);
  }
  return found;
}
