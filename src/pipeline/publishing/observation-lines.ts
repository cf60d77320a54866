/** Newly observed RRsets as lines of the channels and feeds that carry them. */
import { baseDomainOf } from '../../model/base-domain.ts';
import { builtInChannels } from '../../model/built-in-channels.ts';
import { nameText } from '../../model/dns/name.ts';
import type { WireName } from '../../model/dns/rrset.ts';
import { lineOf } from '../../model/feed/record-line.ts';
import { secondText } from '../../model/feed/second.ts';
import { dedupeLine, newDomainLine, rrsetMembers } from '../../model/nmsg/nmsg-json.ts';
import type { FeedName } from '../../model/product-catalogue.ts';
import { channelStream, feedStream, foundDomainsStream } from '../../model/stream-names.ts';
import type { NewlyObservedCounts, NewlyObservedRrset } from '../../store/rrset-store.ts';
import type { Lines, StreamName } from '../../store/stream-store.ts';
import { LineBuffer } from './line-buffer.ts';

export const channels = builtInChannels;

type ObservationFeed = Extract<FeedName, 'nod' | 'nad' | 'noh'>;

/** A line of a feed is about this long, its time included. */
const feedLineBytes = 60;

/** Only sightings by sensors count. */
export function newlyObservedIn({ row, domain, newHosts }: NewlyObservedRrset): NewlyObservedCounts {
  if (row.origin !== 'sensor') return { domains: 0, hosts: 0 };
  return { domains: domain?.kind === 'first' ? 1 : 0, hosts: newHosts.length };
}

/** A buffer of lines to be appended. Feed lines get the time of the append. */
export class ObservationLines {
  readonly #declared: ReadonlySet<number>;
  readonly #lines = new Map<StreamName, LineBuffer>();
  readonly #feedNames = new Map<ObservationFeed, string[]>();
  /** Approximate size of the buffer. */
  bytes = 0;
  count = 0;
  domains = 0;
  hosts = 0;

  /** `declared`: the channels that the settings declare; nothing is written for others. */
  constructor(declared: ReadonlySet<number>) {
    this.#declared = declared;
  }

  add(observed: NewlyObservedRrset, nowMs: number): void {
    const { domain, discovered, newHosts } = observed;
    if (discovered) this.#addFound(discovered);
    if (observed.row.origin !== 'sensor') return;
    this.#addToChannels(observed, nowMs);
    if (domain) {
      if (domain.kind === 'first') this.#addToFeed('nod', domain.name);
      this.#addToFeed('nad', domain.name);
    }
    for (const host of newHosts) this.#addToFeed('noh', host);
    const counts = newlyObservedIn(observed);
    this.domains += counts.domains;
    this.hosts += counts.hosts;
  }

  /** Returns all lines and empties the buffer. */
  drain(nowMs: number): Lines[] {
    const timestamp = secondText(Math.floor(nowMs / 1000));
    for (const [feed, names] of this.#feedNames) {
      const buffer = this.#bufferOf(feedStream(feed));
      for (const domain of names) buffer.add(lineOf(feed, { timestamp, domain }));
    }
    const drained = [...this.#lines]
      .filter(([, buffer]) => !buffer.isEmpty)
      .map(([stream, buffer]) => ({ stream, bytes: buffer.copy() }));
    this.clear();
    return drained;
  }

  clear(): void {
    for (const buffer of this.#lines.values()) buffer.clear();
    this.#feedNames.clear();
    this.bytes = 0;
    this.count = 0;
    this.domains = 0;
    this.hosts = 0;
  }

  #addToChannels(observed: NewlyObservedRrset, nowMs: number): void {
    const { row, domain, newRrset, newHosts, newRr } = observed;
    const { owner, type, bailiwick = owner, rdata, firstSeconds, lastSeconds, count } = row;
    const sighting = { firstSeconds, lastSeconds, count };
    const isChange = observed.newName || observed.newType || newRr.includes(true);
    if (!this.#declared.has(channels.processed) && !isChange && !domain && newHosts.length === 0) return;
    const members = rrsetMembers({ owner, type, bailiwick, rdata });
    const { baseDomain = owner } = observed;
    // An INSERTION counts 1, which readers subtract from the MERGED line with the whole count that follows.
    if (newRrset)
      this.#put(channels.processed, () => dedupeLine('INSERTION', { ...sighting, count: 1 }, members, nowMs));
    this.#put(channels.processed, () => dedupeLine('MERGED', sighting, members, nowMs));
    if (domain) {
      const channel = domain.kind === 'first' ? channels.domains : channels.active;
      this.#put(channel, () =>
        newDomainLine({ domain: domain.name, seenSeconds: firstSeconds, members }, nowMs),
      );
    }
    for (const host of newHosts) {
      const base = host === owner ? baseDomain : (baseDomainOf(host) ?? host);
      this.#put(channels.hosts, () =>
        newDomainLine({ domain: base, seenSeconds: firstSeconds, members }, nowMs),
      );
    }
    if (isChange) {
      const message = { domain: baseDomain, seenSeconds: firstSeconds, members, parts: observed };
      this.#put(channels.changes, () => newDomainLine(message, nowMs));
    }
  }

  #put(channel: number, line: () => string): void {
    if (!this.#declared.has(channel)) return;
    this.#add(channelStream(channel), line());
  }

  /** For the name store, which publishes on `domaindiscovery` those that no other source has reported. */
  #addFound(name: WireName): void {
    this.#add(foundDomainsStream, `${nameText(name).slice(0, -1)}\n`);
  }

  #add(stream: StreamName, line: string): void {
    this.#bufferOf(stream).add(line);
    this.bytes += line.length;
    this.count += 1;
  }

  #bufferOf(stream: StreamName): LineBuffer {
    let buffer = this.#lines.get(stream);
    if (!buffer) this.#lines.set(stream, (buffer = new LineBuffer()));
    return buffer;
  }

  #addToFeed(feed: ObservationFeed, name: WireName): void {
    const text = nameText(name).slice(0, -1);
    const names = this.#feedNames.get(feed);
    if (names) names.push(text);
    else this.#feedNames.set(feed, [text]);
    this.bytes += text.length + feedLineBytes;
    this.count += 1;
  }
}
