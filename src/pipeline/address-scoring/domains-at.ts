/**
 * The domains that sensors recently saw at an address, from passive DNS. An address of a large hoster has millions of names, so the scan stops
 * after a number of domains and rows, in the order of the store.
 */

import { cleanName } from '../../collect/sources/clean-name.ts';
import { yieldToEventLoop } from '../../concurrency/event-loop-slices.ts';
import { nameText } from '../../model/dns/name.ts';
import type { Row, RrsetStore } from '../../store/rrset-store.ts';
import { addressTypes } from './scored-address.ts';

export interface DomainsAt {
  /** How often each was seen there. */
  readonly resolutions: ReadonlyMap<string, number>;
  /** When anything was last seen there; 0 for never. */
  readonly lastSeconds: number;
  /** Rows that were read. */
  readonly rows: number;
}

export interface DomainsAtOptions {
  readonly sinceSeconds: number;
  readonly nowSeconds: number;
  readonly domainsMax: number;
  readonly signal?: AbortSignal;
}

/** A domain has several hosts, and a host several rows by time. */
const rowsPerDomain = 50;
/** Slices may be empty: old rows are skipped. */
const slicesMax = 2000;

export async function domainsAt(
  address: Uint8Array,
  rrsets: Pick<RrsetStore, 'scan'>,
  { sinceSeconds, nowSeconds, domainsMax, signal }: DomainsAtOptions,
): Promise<DomainsAt> {
  const seen = new SeenDomains(domainsMax);
  const slices = rrsets.scan({
    selection: { by: 'address', from: address, to: address },
    filter: { types: addressTypes, fences: { lastAfter: sinceSeconds } },
    // Not merged over time: old counts are not recent resolutions.
    merged: false,
    nowSeconds,
  });
  let left = slicesMax;
  for await (const rows of slices) {
    signal?.throwIfAborted();
    await yieldToEventLoop();
    if (!seen.add(rows) || --left === 0) break;
  }
  return seen;
}

class SeenDomains implements DomainsAt {
  readonly resolutions = new Map<string, number>();
  lastSeconds = 0;
  rows = 0;
  readonly #domainsMax: number;
  /** Rows of one host are adjacent, so its domain is looked up once. */
  #owner: Uint8Array | undefined;
  #domain: string | undefined;

  constructor(domainsMax: number) {
    this.#domainsMax = domainsMax;
  }

  /** False when a limit is reached. */
  add(rows: readonly Row[]): boolean {
    for (const { origin, owner, count, lastSeconds } of rows) {
      if (this.rows === this.#domainsMax * rowsPerDomain) return false;
      this.rows += 1;
      // Zone files list what could be resolved, not what was.
      if (origin !== 'sensor') continue;
      const domain = this.#domainOf(owner);
      if (domain === undefined) continue;
      const known = this.resolutions.get(domain);
      if (known === undefined && this.resolutions.size === this.#domainsMax) return false;
      this.resolutions.set(domain, Math.min((known ?? 0) + count, Number.MAX_SAFE_INTEGER));
      this.lastSeconds = Math.max(this.lastSeconds, lastSeconds);
    }
    return true;
  }

  #domainOf(owner: Uint8Array): string | undefined {
    if (this.#owner && Buffer.compare(this.#owner, owner) === 0) return this.#domain;
    this.#owner = owner;
    this.#domain = cleanName(nameText(owner))?.domain;
    return this.#domain;
  }
}
