/** Lists of client addresses and prefixes, as `192.0.2.7`, `192.0.2.0/24` or `2001:db8::/32`. */
import { BlockList, isIP } from 'node:net';

export function isAddressRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  if (bits === undefined) return true;
  return /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128);
}

/** One list for each family: a list of both takes IPv4 addresses for members of IPv6 prefixes. */
type Lists = Readonly<Record<'ipv4' | 'ipv6', BlockList>>;

const known = new WeakMap<readonly string[], Lists>();

/** An IPv4 address that arrives, or is written, in its IPv6-mapped form is the IPv4 address. */
export function containsAddress(ranges: readonly string[], address: string): boolean {
  if (isIP(address) === 0) return false;
  const plain = unmapped(address);
  const family = familyOf(plain);
  return listsOf(ranges)[family].check(plain, family);
}

function listsOf(ranges: readonly string[]): Lists {
  const made = known.get(ranges);
  if (made) return made;
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const range of ranges) {
    const [written = '', text] = range.split('/');
    const fullBits = isIP(written) === 4 ? 32 : 128;
    const bits = text === undefined ? fullBits : Number(text);
    // A prefix shorter than the mapping itself is about IPv6, whatever address it is written with.
    const address = bits >= mappedBits || fullBits === 32 ? unmapped(written) : written;
    const shortened = address === written ? 0 : mappedBits;
    lists[familyOf(address)].addSubnet(address, bits - shortened, familyOf(address));
  }
  known.set(ranges, lists);
  return lists;
}

const mappedBits = 96;

/** `::ffff:192.0.2.7`, however it is written, as `192.0.2.7`. */
function unmapped(address: string): string {
  if (isIP(address) === 4 || address.includes('%')) return address;
  const halves = /^\[::ffff:([0-9a-f]+):([0-9a-f]+)\]$/.exec(new URL(`http://[${address}]`).hostname);
  if (!halves) return address;
  return halves
    .slice(1)
    .map((half) => Number.parseInt(half, 16))
    .flatMap((half) => [half >> 8, half & 255])
    .join('.');
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6';
}
