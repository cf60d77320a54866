/**
 * The names that a zone file delegates: directly under the zone, with name servers. Their first labels, in the order of the file and not
 * yet once each, in batches. What cannot be read is passed over; whether there is enough left is for others to say.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { domainToASCII } from 'node:url';
import { fieldProblem } from '../../../model/problem.ts';
import { readLines } from '../../rrset-formats/lines.ts';
import { type ZoneEntry, ZoneTokens } from '../../rrset-formats/zone-tokens.ts';

const labelPattern = /^[a-z0-9_-]{1,63}$/;
const ttl = /^(?:\d{1,10}|(?:\d{1,10}[smhdw]){1,5})$/i;

/** As the reader compares it: `gov.`, or `.` for the root. */
export function apexOf(zone: string): string {
  const name = domainToASCII(zone.replace(/^\.|\.$/g, ''));
  if (name === '' && zone !== '.') throw fieldProblem('invalid-parameters', 'zone', 'is not a domain name');
  return `${name}.`;
}

/** `apex` as `apexOf` gives it. */
export async function* scanZoneLabels(
  bytes: AsyncIterable<Uint8Array>,
  apex: string,
): AsyncGenerator<readonly string[]> {
  const reader = new LabelReader(apex);
  for await (const { lines } of readLines(bytes)) {
    const labels: string[] = [];
    for (const line of lines) {
      const label = line === undefined ? undefined : reader.read(line);
      if (label !== undefined) labels.push(label);
    }
    if (labels.length > 0) yield labels;
    await turn();
  }
}

class LabelReader {
  readonly #apex: string;
  readonly #tokens = new ZoneTokens();
  #origin: string;
  #owner: string | undefined;
  #last: string | undefined;

  constructor(apex: string) {
    this.#apex = apex;
    this.#origin = apex;
  }

  /** The label, where the line is the first in a row that delegates it. */
  read(line: string): string | undefined {
    const entry = this.#tokens.line(line);
    if (!entry || entry.words.length === 0) return undefined;
    const [first = '', second = ''] = entry.words;
    if (!entry.isOwnerLeftOut && first.startsWith('$')) {
      if (first.toUpperCase() === '$ORIGIN') this.#origin = this.#absolute(second);
      return undefined;
    }
    if (!entry.isOwnerLeftOut) this.#owner = this.#absolute(first);
    if (this.#owner === this.#last || !delegates(entry)) return undefined;
    this.#last = this.#owner;
    return this.#labelOf(this.#owner);
  }

  #absolute(name: string): string {
    if (name === '@') return this.#origin;
    const lower = name.toLowerCase();
    if (lower.endsWith('.')) return lower;
    return this.#origin === '.' ? `${lower}.` : `${lower}.${this.#origin}`;
  }

  /** Undefined for the apex itself, for what is not directly under it, and for what no host is called. */
  #labelOf(owner: string | undefined): string | undefined {
    const below = this.#apex === '.' ? '.' : `.${this.#apex}`;
    if (!owner?.endsWith(below)) return undefined;
    const label = owner.slice(0, -below.length);
    return labelPattern.test(label) ? label : undefined;
  }
}

/** TTL and class may each be left out, and stand in either order. */
function delegates({ words, isOwnerLeftOut }: ZoneEntry): boolean {
  const from = isOwnerLeftOut ? 0 : 1;
  for (let at = from; at < from + 3; at += 1) {
    const word = words[at] ?? '';
    if (/^ns$/i.test(word)) return true;
    if (!/^in$/i.test(word) && !ttl.test(word)) return false;
  }
  return false;
}
