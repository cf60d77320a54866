/**
 * The intake of all sources. A name is normalised and reduced to its registrable domain, which the store records once. Host names
 * below a domain are published to the hosts stream unless they were seen recently: at least once, because they are appended before
 * the source's checkpoint moves.
 */

import { TimeSlice } from '../../concurrency/time-slice.ts';
import type { Clock } from '../../model/clock.ts';
import { lineOf } from '../../model/feed/record-line.ts';
import { secondText } from '../../model/feed/second.ts';
import { hostsStream } from '../../model/stream-names.ts';
import { type FencingToken, LeaseLost } from '../../store/lease/fencing-token.ts';
import type { NameStore } from '../../store/name-store.ts';
import type { StreamStore } from '../../store/stream-store.ts';
import { cleanName } from './clean-name.ts';
import { RecentNames } from './recent-names.ts';
import type { FencedBatch, IngestedNames, NameIntake } from './source.ts';

export interface IntakeNeeds {
  readonly names: Pick<NameStore, 'recordNames' | 'findCheckpoint'>;
  readonly streams: Pick<StreamStore, 'append'>;
  readonly clock: Clock;
  /** Size of the cache of recent names, which are not published again. */
  readonly rememberedNames?: number;
}

/** The most that the store accepts in one call. */
const recordedMax = 10_000;
/** About 20 MB. A certificate arrives several times: as precertificate, as certificate, and from several logs. */
const defaultRemembered = 100_000;
const namesPerCheck = 64;

interface SortedNames {
  readonly domains: ReadonlySet<string>;
  /** To be published. */
  readonly hosts: ReadonlySet<string>;
  /** Domains and hosts, to be remembered. */
  readonly seen: ReadonlySet<string>;
}

export function openNameIntake({
  names,
  streams,
  clock,
  rememberedNames = defaultRemembered,
}: IntakeNeeds): NameIntake {
  const recent = new RecentNames(rememberedNames);
  const timeSlice = new TimeSlice();

  const sort = async (texts: readonly string[]): Promise<SortedNames> => {
    const [domains, hosts, seen] = [new Set<string>(), new Set<string>(), new Set<string>()];
    for (const [index, text] of texts.entries()) {
      if (index % namesPerCheck === 0) await timeSlice.yieldIfOver();
      const clean = recent.has(text) ? undefined : cleanName(text);
      if (!clean) continue;
      const { host, domain } = clean;
      seen.add(domain).add(host);
      if (!recent.has(domain)) domains.add(domain);
      // A match of the domain covers its `www`.
      if (host !== domain && host !== `www.${domain}` && !recent.has(host)) hosts.add(host);
    }
    return { domains, hosts, seen };
  };

  const publishHosts = async (hosts: ReadonlySet<string>, fence: FencingToken | undefined): Promise<void> => {
    if (hosts.size === 0) return;
    const nowMs = clock.now();
    const timestamp = secondText(Math.floor(nowMs / 1000));
    const lines: string[] = [];
    for (const domain of hosts) {
      if (lines.length % namesPerCheck === 0) await timeSlice.yieldIfOver();
      lines.push(lineOf('noh', { timestamp, domain }));
    }
    const published = { stream: hostsStream, bytes: Buffer.from(lines.join('')) };
    const isAppended = await streams.append([published], nowMs, undefined, fence);
    if (fence && !isAppended) throw new LeaseLost(fence.lease);
  };

  const recordDomains = async (
    source: string,
    domains: readonly string[],
    batch: FencedBatch,
  ): Promise<number> => {
    const { seenMs, checkpoint, fence } = batch;
    const fenced = fence && { fence };
    let newDomains = 0;
    let from = 0;
    for (; domains.length - from > recordedMax; from += recordedMax) {
      newDomains += await names.recordNames(source, domains.slice(from, from + recordedMax), seenMs, fenced);
    }
    if (from === domains.length && checkpoint === undefined) return newDomains;
    const progress = { ...fenced, ...(checkpoint === undefined ? {} : { checkpoint }) };
    return newDomains + (await names.recordNames(source, domains.slice(from), seenMs, progress));
  };

  return {
    findCheckpoint: (source) => names.findCheckpoint(source),
    async ingest(source: string, batch: FencedBatch): Promise<IngestedNames> {
      const { domains, hosts, seen } = await sort(batch.names);
      await publishHosts(hosts, batch.fence);
      const newDomains = await recordDomains(source, [...domains], batch);
      // Only after recording: names of a failed batch must be ingested again.
      for (const name of seen) recent.add(name);
      return { newDomains };
    },
  };
}
