/** The addresses at which sensors recently saw a domain and its hosts, from passive DNS; a bounded number of them. */
import { parseName } from '../../model/dns/name.ts';
import type { RrsetStore } from '../../store/rrset-store.ts';
import { addressTypes, findAddressText } from './scored-address.ts';

export interface AddressesOfOptions {
  readonly sinceSeconds: number;
  readonly nowSeconds: number;
}

const rowsMax = 1000;
const addressesMax = 200;
const slicesMax = 20;

export async function addressesOf(
  domain: string,
  rrsets: Pick<RrsetStore, 'scan'>,
  { sinceSeconds, nowSeconds }: AddressesOfOptions,
): Promise<readonly string[]> {
  const name = parseName(domain);
  if (!name) return [];
  const slices = rrsets.scan({
    selection: { by: 'owner', name, span: 'below' },
    filter: { types: addressTypes, fences: { lastAfter: sinceSeconds } },
    merged: true,
    nowSeconds,
    wanted: rowsMax,
  });
  const found = new Set<string>();
  let [rowsLeft, slicesLeft] = [rowsMax, slicesMax];
  for await (const rows of slices) {
    for (const { origin, rdata } of rows.slice(0, rowsLeft)) {
      if (origin !== 'sensor') continue;
      for (const address of rdata.slice(0, addressesMax).map(findAddressText)) {
        if (address !== undefined && found.size < addressesMax) found.add(address);
      }
    }
    rowsLeft -= rows.length;
    if (rowsLeft <= 0 || --slicesLeft === 0 || found.size === addressesMax) break;
  }
  return [...found];
}
