/**
 * The base domain of a name: its public suffix (https://publicsuffix.org) and one more label. Private suffixes of the list (`github.io`)
 * are registered domains too, so they do not count as suffixes here. Names below `arpa` are reversed addresses and have none.
 */
import { getDomain } from 'tldts';
import type { WireName } from './dns/rrset.ts';

const options = {
  allowPrivateDomains: false,
  extractHostname: false,
  validateHostname: false,
  detectIp: false,
};

/** For a name in presentation form, lower case, with or without its final dot; the result has none. Undefined for a suffix. */
export function findBaseDomain(name: string): string | undefined {
  const whole = name.endsWith('.') ? name.slice(0, -1) : name;
  if (whole === 'arpa' || whole.endsWith('.arpa')) return undefined;
  return getDomain(whole, options) ?? undefined;
}

/** More labels than any suffix of the list has. */
const labelsMax = 8;
/** Replaces labels with other bytes, a dot included: no suffix contains such a label. */
const oddLabel = '-';
const [dot, digit0, digit9, letterA, letterZ, hyphen] = [0x2e, 0x30, 0x39, 0x61, 0x7a, 0x2d];

const scratch = Buffer.alloc(labelsMax * 64);
const starts = new Uint8Array(128);

/** The same for a name in wire form; the base domain shares its bytes. Undefined for a suffix, and for the root. */
export function baseDomainOf(name: WireName): WireName | undefined {
  let labels = 0;
  for (let at = 0; at < name.length - 1; at += (name[at] as number) + 1) starts[labels++] = at;
  if (labels < 2) return undefined;
  let length = 0;
  for (let label = Math.max(0, labels - labelsMax); label < labels; label += 1) {
    if (length > 0) scratch[length++] = dot;
    length = putLabel(name, starts[label] as number, length);
  }
  const base = findBaseDomain(scratch.toString('latin1', 0, length));
  if (base === undefined) return undefined;
  let baseLabels = 1;
  for (let at = base.indexOf('.'); at >= 0; at = base.indexOf('.', at + 1)) baseLabels += 1;
  return name.subarray(starts[labels - baseLabels]);
}

function putLabel(name: WireName, at: number, length: number): number {
  const end = at + 1 + (name[at] as number);
  let to = length;
  for (let index = at + 1; index < end; index += 1) {
    const byte = name[index] as number;
    const plain =
      (byte >= letterA && byte <= letterZ) || (byte >= digit0 && byte <= digit9) || byte === hyphen;
    if (!plain) return length + scratch.write(oddLabel, length, 'latin1');
    scratch[to++] = byte;
  }
  return to;
}
