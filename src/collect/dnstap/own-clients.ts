/** Whose queries are our own: those of this machine, and of the addresses that the settings name. */
import { BlockList, isIPv6 } from 'node:net';

export type IsOwnClient = (address: Uint8Array) => boolean;

/** `ranges`: addresses and prefixes. `machine`: the addresses of this machine. */
export function ownClients(ranges: readonly string[], machine: readonly string[]): IsOwnClient {
  const own = new BlockList();
  own.addSubnet('127.0.0.0', 8, 'ipv4');
  own.addAddress('::1', 'ipv6');
  for (const text of [...ranges, ...machine]) {
    const [address = '', bits] = (text.split('%')[0] ?? '').split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) own.addAddress(address, family);
    else own.addSubnet(address, Number(bits), family);
  }
  return (bytes) => (bytes.length === 4 ? own.check(bytes.join('.')) : own.check(ipv6Text(bytes), 'ipv6'));
}

function ipv6Text(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: 8 }, (_, at) => view.getUint16(2 * at).toString(16)).join(':');
}
