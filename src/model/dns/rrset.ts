/**
 * What passive DNS keeps: RRsets as they were seen, in wire format. Presentation format exists only at the edge
 * (`name.ts`, `rdata-text.ts`).
 */

/** A domain name in uncompressed wire form, ASCII letters in lower case, with its final zero byte. */
export type WireName = Uint8Array;

/** Who saw it: a sensor in the traffic, or a zone file that listed it. The two are never mixed. */
export type Origin = 'sensor' | 'zone';

/** When and how often. Merging takes the least first, the greatest last, and the sum of the counts. */
export interface Sighting {
  readonly firstSeconds: number;
  readonly lastSeconds: number;
  readonly count: number;
}

/**
 * One RRset with a sighting. What sensors and files bring and what lookups give has the same shape. Names inside
 * `rdata` are uncompressed and in lower case; members of the set are in byte order without repeats once stored.
 */
export interface Rrset extends Sighting {
  readonly origin: Origin;
  readonly owner: WireName;
  readonly type: number;
  readonly bailiwick: WireName;
  readonly rdata: readonly Uint8Array[];
}

/** Bounds of an RRset that can be stored; what exceeds them is refused where it comes in. */
export const rdataBytesMax = 65_000;
export const rrsetBytesMax = 262_144;
