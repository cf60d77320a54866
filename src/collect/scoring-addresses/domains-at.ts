/**
 * The domains that sensors saw at an address of late, out of passive DNS. An address of a large network has millions of names: no more than
 * so many domains and rows are looked at, in the order of the store, and what comes after them is left out.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { nameText } from '../../model/dns/name.ts';
import type { Row, RrsetStore } from '../../store/rrset-store.ts';
import { cleanName } from '../sources/clean-name.ts';
import { isAddressType } from './scored-address.ts';

export interface DomainsAt {
  /** How often each was seen there. */
  readonly resolutions: ReadonlyMap<string, number>;
  /** When anything was last seen there; 0 for never. */
  readonly lastSeconds: number;
  /** How many rows it took. */
  readonly rows: number;
}

export interface DomainsAtOptions {
  readonly sinceSeconds: number;
  readonly nowSeconds: number;
  readonly domainsMax: number;
  readonly signal?: AbortSignal;
}

/** A domain has some hosts, and a host some days and hours. */
const rowsPerDomain = 50;
/** Rows that are too old are passed over in slices without rows. */
const slicesMax = 2000;

export async function domainsAt(
  address: Uint8Array,
  rrsets: Pick<RrsetStore, 'scan'>,
  { sinceSeconds, nowSeconds, domainsMax, signal }: DomainsAtOptions,
): Promise<DomainsAt> {
  const seen = new SeenDomains(domainsMax);
  const slices = rrsets.scan({
    selection: { by: 'address', from: address, to: address },
    filter: { keepsType: isAddressType, fences: { lastAfter: sinceSeconds } },
    // By time, for counts of long ago are no resolutions of late.
    merged: false,
    nowSeconds,
  });
  let left = slicesMax;
  for await (const rows of slices) {
    signal?.throwIfAborted();
    // The slice was work already.
    await turn();
    if (!seen.take(rows) || --left === 0) break;
  }
  return seen;
}

class SeenDomains implements DomainsAt {
  readonly resolutions = new Map<string, number>();
  lastSeconds = 0;
  rows = 0;
  readonly #domainsMax: number;
  /** Rows of one host follow one another. */
  #owner: Uint8Array | undefined;
  #domain: string | undefined;

  constructor(domainsMax: number) {
    this.#domainsMax = domainsMax;
  }

  /** False when it is enough. */
  take(rows: readonly Row[]): boolean {
    for (const { origin, owner, count, lastSeconds } of rows) {
      if (this.rows === this.#domainsMax * rowsPerDomain) return false;
      this.rows += 1;
      // Zone files tell what could be asked for, not what was.
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
