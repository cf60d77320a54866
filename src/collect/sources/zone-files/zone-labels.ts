/**
 * Scans the delegations of a zone file (names with NS records directly under the apex): their first labels in file order, in
 * batches, possibly repeated. Malformed lines are skipped; the caller decides whether enough is left.
 */

import { domainToASCII } from 'node:url';
import { yieldToEventLoop } from '../../../concurrency/event-loop-slices.ts';
import { fieldProblem } from '../../../model/problem.ts';
import { readLines } from '../../input/lines.ts';
import { type ZoneEntry, ZoneTokens } from '../../rrset-formats/zone-tokens.ts';

const labelPattern = /^[a-z0-9_-]{1,63}$/;
const ttl = /^(?:\d{1,10}|(?:\d{1,10}[smhdw]){1,5})$/i;

/** Canonical form of the zone: `gov.`, or `.` for the root. */
export function apexOf(zone: string): string {
  const name = domainToASCII(zone.replace(/^\.|\.$/g, ''));
  if (name === '' && zone !== '.') throw fieldProblem('invalid-parameters', 'zone', 'is not a domain name');
  return `${name}.`;
}

/** `apex` as returned by `apexOf`. */
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
    await yieldToEventLoop();
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

  /** The label of a delegation, once for consecutive lines with the same owner. */
  read(line: string): string | undefined {
    const entry = this.#tokens.addLine(line);
    if (!entry || entry.words.length === 0) return undefined;
    const [first = '', second = ''] = entry.words;
    if (!entry.isOwnerOmitted && first.startsWith('$')) {
      if (first.toUpperCase() === '$ORIGIN') this.#origin = this.#absolute(second);
      return undefined;
    }
    if (!entry.isOwnerOmitted) this.#owner = this.#absolute(first);
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

  /** Undefined for the apex, for names more than one level below it, and for labels that are not host names. */
  #labelOf(owner: string | undefined): string | undefined {
    const below = this.#apex === '.' ? '.' : `.${this.#apex}`;
    if (!owner?.endsWith(below)) return undefined;
    const label = owner.slice(0, -below.length);
    return labelPattern.test(label) ? label : undefined;
  }
}

/** TTL and class are optional, in either order. */
function delegates({ words, isOwnerOmitted }: ZoneEntry): boolean {
  const from = isOwnerOmitted ? 0 : 1;
  for (let at = from; at < from + 3; at += 1) {
    const word = words[at] ?? '';
    if (/^ns$/i.test(word)) return true;
    if (!/^in$/i.test(word) && !ttl.test(word)) return false;
  }
  return false;
}
