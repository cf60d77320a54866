/**
 * How much disk the chosen sources take. Bytes are measured (`npm run bench -- storage`), volumes are public figures; docs/sizing.md has
 * both with their sources.
 */
import type { Settings } from '../../model/settings/settings.ts';
import type { Answers } from './answers.ts';

/** Bytes on disk. */
export const bytesOf = {
  /** Its name, and a record with its score: kept for good. */
  knownDomain: 793,
  /** A line of the feed `domaindiscovery`, for `feeds.retentionDays`. */
  discoveredDomain: 66,
  /** Until its score is full, after a day. */
  waitingJob: 90,
  /** A domain for the first search of new monitors, for `sources.namesDays`; host names likewise. */
  searchedDomain: 18,
  searchedHostName: 24,
  /** On its way to the matcher, for seven days. */
  hostName: 72,
  /** Of a domain that was probed, with its index and postings. */
  domainRecord: 4342,
};

/** A day. */
export const volumeOf = {
  /** All public certificate logs, June 2025: 444,000 an hour, twice as many names. */
  certificates: 444_000 * 24,
  hostNames: 2 * 444_000 * 24,
  /** All registered domains, March 2024, become known within the 90 days after which their certificates are renewed… */
  domainsAtFirst: Math.round(362_400_000 / 90),
  /** …and after that those that are registered anew, August 2025. */
  domainsLater: Math.round(8_554_122 / 31),
};

const daySeconds = 86_400;

export interface DiskPerDay {
  /** In the first week, in bytes. */
  readonly atFirst: number;
  /** From the second week, when as much of the rest is pruned as arrives, until most domains are known. */
  readonly upToThreeMonths: number;
  /** Then, when names for the search are pruned too. */
  readonly later: number;
  /** Of records, if every new domain is probed; at most. */
  readonly records: number;
}

export function diskPerDay(
  { logs, probesAll }: Pick<Answers, 'logs' | 'probesAll'>,
  { collect }: { readonly collect: Pick<Settings['collect'], 'domainsPerSecond'> },
): DiskPerDay {
  const follows = logs.length > 0 ? 1 : 0;
  const { hostNames, domainsAtFirst, domainsLater } = volumeOf;
  const { knownDomain, discoveredDomain, waitingJob, searchedDomain, searchedHostName } = bytesOf;
  const searched = searchedDomain * domainsAtFirst + searchedHostName * hostNames;
  const upToThreeMonths = (knownDomain * domainsAtFirst + searched) * follows;
  const passing = (discoveredDomain + waitingJob) * domainsAtFirst + bytesOf.hostName * hostNames;
  return {
    atFirst: upToThreeMonths + passing * follows,
    upToThreeMonths,
    later: knownDomain * domainsLater * follows,
    records: probesAll ? bytesOf.domainRecord * collect.domainsPerSecond * daySeconds * follows : 0,
  };
}

/** Within the first three months. */
export function daysUntilFull({ atFirst, upToThreeMonths, records }: DiskPerDay, bytes: number): number {
  const week = 7 * (atFirst + records);
  if (bytes <= week) return bytes / (atFirst + records);
  return 7 + (bytes - week) / (upToThreeMonths + records);
}

/** `1.9 GB`, `15 MB` */
export function sizeText(bytes: number): string {
  return bytes >= 1e8 ? `${(bytes / 1e9).toFixed(1)} GB` : `${Math.max(1, Math.round(bytes / 1e6))} MB`;
}
