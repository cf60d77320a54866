/** What every reader of a line-oriented format makes of one line. A malformed line is told and passed over, never thrown. */
import { type Rrset, rdataBytesMax, rrsetBytesMax } from '../../model/dns/rrset.ts';

export type Outcome =
  | { readonly kind: 'observations'; readonly observations: readonly Rrset[] }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'malformed'; readonly reason: string };

/** Reads one line after another, in order; some formats carry state from line to line. */
export interface LineReader {
  line(text: string): Outcome;
  /** What is still held when the last line has been read. */
  end?(): readonly Outcome[];
}

export const nothing: Outcome = { kind: 'nothing' };

export function malformed(reason: string): Outcome {
  return { kind: 'malformed', reason };
}

export function observed(observations: readonly Rrset[]): Outcome {
  return observations.length === 0 ? nothing : { kind: 'observations', observations };
}

/** Whether the members of a set are within what a store takes. */
export function canBeStored(rdata: readonly Uint8Array[]): boolean {
  let bytes = 0;
  for (const member of rdata) {
    bytes += member.length;
    if (member.length > rdataBytesMax) return false;
  }
  return bytes <= rrsetBytesMax;
}
