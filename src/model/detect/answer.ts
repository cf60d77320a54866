/**
 * Which observations count as sightings: answers with data. Delegations, which resolvers get from the servers of the parent zone, name servers
 * and data of DNSSEC do not.
 */
import { findBaseDomain } from '../base-domain.ts';
import { rootName } from '../dns/name.ts';
import { dnssecTypes } from '../dns/rr-type.ts';
import type { Origin, WireName } from '../dns/rrset.ts';

const [nsType, soaType] = [2, 6];

/** What is known about an observed RRset before its names are compared. */
export interface ObservedRrset {
  readonly origin: Origin;
  readonly type: number;
  readonly bailiwick: WireName | undefined;
}

/** The zone whose servers answer for the domain: its own, or that of the operator with whom it is a site, such as `pages.dev`. */
export function answeringZone(domain: string): string {
  return findBaseDomain(domain) ?? domain;
}

/**
 * Whether an RRset at or below the zone is an answer. Its bailiwick is above the zone where a server of the parent zone gave it: a
 * delegation. The root stands for an unknown bailiwick, as in logs of Zeek and EVE, which are of answers to clients.
 */
export function isAnswer({ origin, type, bailiwick }: ObservedRrset, zone: string): boolean {
  if (origin !== 'sensor' || type === nsType || type === soaType || dnssecTypes.has(type)) return false;
  // Both are suffixes of the owner, so their lengths say which is above; the wire form has two bytes more than the text.
  const length = bailiwick?.length ?? rootName.length;
  return length === rootName.length || length >= zone.length + 2;
}
