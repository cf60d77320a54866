/**
 * Where names of all sources come in. Each is cleaned and reduced to its registrable domain, which the store takes once and for ever. Host
 * names below a domain go on to whoever matches names, unless the same came not long ago; so a host may be handed on twice, and none is
 * lost: hosts are appended before the place of the source moves.
 */
import type { Clock } from '../../model/clock.ts';
import { lineOf } from '../../model/feed/record-line.ts';
import { secondText } from '../../model/feed/second.ts';
import { hostsStream } from '../../model/stream-names.ts';
import type { NameStore } from '../../store/name-store.ts';
import type { StreamStore } from '../../store/stream-store.ts';
import { Turn } from '../dnstap/turn.ts';
import { cleanName } from './clean-name.ts';
import { RecentNames } from './recent-names.ts';
import type { NameBatch, NameIntake, TakenNames } from './source.ts';

export interface IntakeNeeds {
  readonly names: Pick<NameStore, 'take' | 'findPlace'>;
  readonly streams: Pick<StreamStore, 'append'>;
  readonly clock: Clock;
  /** How many names are kept in mind, so as not to hand them on again. */
  readonly rememberedNames?: number;
}

/** As many as the store takes at once. */
const takenMax = 10_000;
/** About 20 MB. Certificates of a day come several times: for their announcement, for themselves, and in several logs. */
const usuallyRemembered = 100_000;
const namesBetweenLooks = 64;

interface Sorted {
  readonly domains: ReadonlySet<string>;
  /** That are handed on. */
  readonly hosts: ReadonlySet<string>;
  /** Of both kinds and of neither. */
  readonly seen: ReadonlySet<string>;
}

export function openNameIntake({
  names,
  streams,
  clock,
  rememberedNames = usuallyRemembered,
}: IntakeNeeds): NameIntake {
  const recent = new RecentNames(rememberedNames);
  const turn = new Turn();

  const sort = async (texts: readonly string[]): Promise<Sorted> => {
    const [domains, hosts, seen] = [new Set<string>(), new Set<string>(), new Set<string>()];
    for (const [index, text] of texts.entries()) {
      if (index % namesBetweenLooks === 0) await turn.over();
      const clean = recent.has(text) ? undefined : cleanName(text);
      if (!clean) continue;
      const { host, domain } = clean;
      seen.add(domain).add(host);
      if (!recent.has(domain)) domains.add(domain);
      // Whoever matches the domain has matched its `www` too.
      if (host !== domain && host !== `www.${domain}` && !recent.has(host)) hosts.add(host);
    }
    return { domains, hosts, seen };
  };

  const handOn = async (hosts: ReadonlySet<string>): Promise<void> => {
    if (hosts.size === 0) return;
    const nowMs = clock.now();
    const timestamp = secondText(Math.floor(nowMs / 1000));
    const lines: string[] = [];
    for (const domain of hosts) {
      if (lines.length % namesBetweenLooks === 0) await turn.over();
      lines.push(lineOf('noh', { timestamp, domain }));
    }
    await streams.append([{ stream: hostsStream, bytes: Buffer.from(lines.join('')) }], nowMs);
  };

  const makeKnown = async (source: string, domains: readonly string[], batch: NameBatch): Promise<number> => {
    const { seenMs, place } = batch;
    let fresh = 0;
    let from = 0;
    for (; domains.length - from > takenMax; from += takenMax) {
      fresh += await names.take(source, domains.slice(from, from + takenMax), seenMs, undefined);
    }
    if (from === domains.length && place === undefined) return fresh;
    return fresh + (await names.take(source, domains.slice(from), seenMs, place));
  };

  return {
    findPlace: (source) => names.findPlace(source),
    async take(source: string, batch: NameBatch): Promise<TakenNames> {
      const { domains, hosts, seen } = await sort(batch.names);
      await handOn(hosts);
      const fresh = await makeKnown(source, [...domains], batch);
      // Only now: what was not taken must come in again.
      for (const name of seen) recent.add(name);
      return { fresh };
    },
  };
}
