/** The nine feeds: what a record of each is made of. Their streams hold records as the lines that clients get. */
import type { Static } from 'typebox';
import { DomainHotlistRecord, DomainRecord, DomainRiskRecord } from './feed/domain-records.ts';
import { IpRecord } from './feed/ip-record.ts';
import { RdapRecord } from './feed/rdap-record.ts';
import type { FeedName } from './product-catalogue.ts';

/** What a feed is about decides which filters it has, whether its records fit in a table, and what its first ones are. */
export type FeedFamily = 'domain' | 'risk' | 'ip' | 'rdap';

export const feedRecords = {
  nod: DomainRecord,
  nad: DomainRecord,
  noh: DomainRecord,
  domaindiscovery: DomainRecord,
  domainrisk: DomainRiskRecord,
  domainhotlist: DomainHotlistRecord,
  iprisk: IpRecord,
  iphotlist: IpRecord,
  domainrdap: RdapRecord,
} as const satisfies Record<FeedName, object>;

export type FeedRecord<Name extends FeedName = FeedName> = Static<(typeof feedRecords)[Name]>;

const families: Readonly<Record<FeedName, FeedFamily>> = {
  nod: 'domain',
  nad: 'domain',
  noh: 'domain',
  domaindiscovery: 'domain',
  domainrisk: 'risk',
  domainhotlist: 'risk',
  iprisk: 'ip',
  iphotlist: 'ip',
  domainrdap: 'rdap',
};

export const feedNames = Object.keys(feedRecords) as readonly FeedName[];

export function isFeedName(text: string): text is FeedName {
  return Object.hasOwn(feedRecords, text);
}

export function familyOf(feed: FeedName): FeedFamily {
  return families[feed];
}

/** Members in the order of the wire, which is also the order of the columns. */
export function membersOf(feed: FeedName): readonly string[] {
  return Object.keys(feedRecords[feed].properties);
}
