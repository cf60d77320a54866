/** The result of reading one line of any format. A malformed line is reported and skipped, never thrown. */
import { type Rrset, rdataBytesMax, rrsetBytesMax } from '../../model/dns/rrset.ts';

export type Outcome =
  | { readonly kind: 'observations'; readonly observations: readonly Rrset[] }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'malformed'; readonly reason: string };

/** Called for every line in order; some formats carry state between lines. */
export interface LineReader {
  line(text: string): Outcome;
  /** The rest, after the last line. */
  end?(): readonly Outcome[];
}

export const nothing: Outcome = { kind: 'nothing' };

export function malformed(reason: string): Outcome {
  return { kind: 'malformed', reason };
}

export function observed(observations: readonly Rrset[]): Outcome {
  return observations.length === 0 ? nothing : { kind: 'observations', observations };
}

/** Whether the rdata is within the size limits of the store. */
export function canBeStored(rdata: readonly Uint8Array[]): boolean {
  let bytes = 0;
  for (const member of rdata) {
    bytes += member.length;
    if (member.length > rdataBytesMax) return false;
  }
  return bytes <= rrsetBytesMax;
}
