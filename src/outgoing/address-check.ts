/** Checks of addresses for the SSRF guard. What was found is remembered: a collection connects to the same address several times, and all to those of registries. */
import { containsAddress } from '../model/address/address-list.ts';
import { isPublicAddress } from './public-address.ts';

const rememberedMax = 2000;

/** Whether an address is public or within the ranges of `allow`. */
export function addressCheck(allow: readonly string[]): (address: string) => boolean {
  const known = new Map<string, boolean>();
  return (address) => {
    const before = known.get(address);
    if (before !== undefined) return before;
    const isAllowed = isPublicAddress(address) || containsAddress(allow, address);
    if (known.size >= rememberedMax) known.clear();
    known.set(address, isAllowed);
    return isAllowed;
  };
}

/** Whether a socket is connected to the address that was checked. */
export function sameAddress(checked: string, connected = ''): boolean {
  return (connected !== '' && checked === connected) || containsAddress([checked], connected);
}
