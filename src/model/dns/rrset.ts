/**
 * The data of passive DNS: RRsets as they were observed, in wire form. Presentation form exists only at the boundaries (`name.ts`,
 * `rdata-text.ts`).
 */

/** A domain name in uncompressed wire form, ASCII letters in lower case, with its final zero byte. */
export type WireName = Uint8Array;

/** Observed by a sensor in DNS traffic, or listed in a zone file. The two are never merged. */
export type Origin = 'sensor' | 'zone';

/** When and how often. Merging takes the earliest first, the latest last, and the sum of the counts. */
export interface Sighting {
  readonly firstSeconds: number;
  readonly lastSeconds: number;
  readonly count: number;
}

/**
 * An RRset with a sighting, both as input from sensors and files and as the result of lookups. Names in `rdata` are uncompressed and
 * in lower case; once stored, the members of the set are in byte order without duplicates.
 */
export interface Rrset extends Sighting {
  readonly origin: Origin;
  readonly owner: WireName;
  readonly type: number;
  readonly bailiwick: WireName;
  readonly rdata: readonly Uint8Array[];
}

/** Size limits of an RRset; larger ones are rejected at the input. */
export const rdataBytesMax = 65_000;
export const rrsetBytesMax = 262_144;
