/** Networks that an analyst asks for: those that many names point to, rather than that of an address chosen by chance, in which there is hardly another. */
import { openRrsetStore } from '../../../src/store/embedded/rrset-store.ts';
import type { Selection } from '../../../src/store/rrset-store.ts';

export interface Network {
  readonly selection: Selection;
  readonly bits: number;
  /** How many there are in the store. */
  readonly rows: number;
}

const addressBits = 32;

/** The IPv4 address of every row in a selection by address, in order. */
export async function storedAddresses(data: string): Promise<readonly number[]> {
  const store = openRrsetStore(data, { now: () => Date.now() });
  const found: number[] = [];
  const all = store.scan({
    selection: { by: 'address', from: bytesOf(0), to: bytesOf(2 ** addressBits - 1) },
    filter: { types: 'any', fences: {} },
    merged: true,
    nowSeconds: Math.floor(Date.now() / 1000),
  });
  for await (const slice of all)
    for (const { rdata } of slice) found.push(Buffer.from(rdata[0] ?? bytesOf(0)).readUInt32BE());
  await store.close();
  return found;
}

/** Those of this size with the most rows. */
export function busiestNetworks(
  addresses: readonly number[],
  bits: number,
  count: number,
): readonly Network[] {
  const networks: Network[] = [];
  for (let at = 0; at < addresses.length; ) {
    const network = networkOf(addresses, addresses[at] ?? 0, bits);
    networks.push(network);
    at += network.rows;
  }
  return networks.sort((left, right) => right.rows - left.rows).slice(0, count);
}

/** The smallest networks with at least so many rows, of addresses from all over the store; each once. */
export function networksHolding(
  addresses: readonly number[],
  rowsMin: number,
  count: number,
): readonly Network[] {
  const found = new Map<string, Network>();
  const step = Math.max(1, Math.floor(addresses.length / count));
  for (let at = 0; at < addresses.length; at += step) {
    const address = addresses[at] ?? 0;
    for (let bits = addressBits; bits >= 0; bits -= 1) {
      const network = networkOf(addresses, address, bits);
      if (network.rows < rowsMin && bits > 0) continue;
      found.set(`${firstOf(address, bits)}/${bits}`, network);
      break;
    }
  }
  return [...found.values()].slice(0, count);
}

const firstOf = (address: number, bits: number) => address - (address % 2 ** (addressBits - bits));

function networkOf(addresses: readonly number[], address: number, bits: number): Network {
  const first = firstOf(address, bits);
  const beyond = first + 2 ** (addressBits - bits);
  return {
    selection: { by: 'address', from: bytesOf(first), to: bytesOf(beyond - 1) },
    bits,
    rows: firstIndex(addresses, beyond) - firstIndex(addresses, first),
  };
}

/** Of the first address that is not smaller. */
function firstIndex(addresses: readonly number[], wanted: number): number {
  let [low, high] = [0, addresses.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((addresses[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

function bytesOf(address: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(address);
  return bytes;
}
