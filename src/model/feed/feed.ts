/** The nine feeds and the record schema of each. Their streams contain the lines that clients get. */
import type { Static } from 'typebox';
import type { FeedName } from '../product-catalogue.ts';
import { DomainHotlistRecord, DomainRecord, DomainRiskRecord } from './domain-records.ts';
import { IpRecord } from './ip-record.ts';
import { RdapRecord } from './rdap-record.ts';

/** The family of a feed decides its filters, whether it can be CSV, and its sort order for `top`. */
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

/** In wire order, which is also the order of CSV columns. */
export function membersOf(feed: FeedName): readonly string[] {
  return Object.keys(feedRecords[feed].properties);
}
