/** Observations as readable lines: origin, owner, type, bailiwick, period, count, rdata. */

import type { LineReader, Outcome } from '../../../src/collect/rrset-formats/rrset-format.ts';
import { nameText } from '../../../src/model/dns/name.ts';
import { rdataText } from '../../../src/model/dns/rdata-text.ts';
import { typeText } from '../../../src/model/dns/rr-type.ts';
import type { Rrset } from '../../../src/model/dns/rrset.ts';

export function shownRrset(set: Rrset): string {
  const period = `${set.firstSeconds}-${set.lastSeconds}`;
  const rdata = set.rdata.map((bytes) => rdataText(set.type, bytes)).join(' | ');
  return `${set.origin} ${nameText(set.owner)} ${typeText(set.type)} in ${nameText(set.bailiwick)} ${period} x${set.count}: ${rdata}`;
}

function shownOutcome(outcome: Outcome): readonly string[] {
  if (outcome.kind === 'observations') return outcome.observations.map(shownRrset);
  return outcome.kind === 'malformed' ? [`malformed: ${outcome.reason}`] : [];
}

/** All results of a reader for these lines, its end included. */
export function shownLines(reader: LineReader, lines: readonly string[]): readonly string[] {
  return [...lines.map((line) => reader.line(line)), ...(reader.end?.() ?? [])].flatMap(shownOutcome);
}
