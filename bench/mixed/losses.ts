/** Compares what was acknowledged with what is stored, after the server has stopped. */
import { setTimeout as pause } from 'node:timers/promises';
import { feedStream } from '../../src/model/stream-names.ts';
import { openStreamStore } from '../../src/store/embedded/stream-store.ts';
import { dnstapZone, importZone, storedIn } from './load-zones.ts';
import type { MixedSite } from './mixed-site.ts';

const patienceMs = 60_000;

export interface Acknowledged {
  readonly dnstap: { readonly seconds: readonly number[]; readonly each: number };
  readonly imports: { readonly files: readonly number[]; readonly each: number };
}

export interface Losses {
  readonly acknowledged: number;
  readonly lost: number;
}

/** Discovered domains must be on their feed once each: one that is doubled counts as lost, too. */
export async function findLosses(
  { data, domains }: Pick<MixedSite, 'data' | 'domains'>,
  { dnstap, imports }: Acknowledged,
): Promise<Losses> {
  const received = await storedIn(data, dnstapZone);
  const imported = await storedIn(data, importZone);
  const missing = (stored: ReadonlyMap<string, number>, groups: readonly string[], each: number) =>
    groups.reduce((sum, group) => sum + Math.abs(each - (stored.get(group) ?? 0)), 0);
  const published = await publishedDomains(data);
  const observations = dnstap.seconds.length * dnstap.each + imports.files.length * imports.each;
  return {
    acknowledged: observations + domains.length,
    lost:
      missing(
        received,
        dnstap.seconds.map((second) => `s${second}`),
        dnstap.each,
      ) +
      missing(
        imported,
        imports.files.map((file) => `f${file}`),
        imports.each,
      ) +
      domains.filter((domain) => published.get(domain) !== 1).length,
  };
}

/** Domains of a list are published some seconds after it was read. Those that are not there in the end are lost. */
export async function untilPublished({ data, domains }: Pick<MixedSite, 'data' | 'domains'>): Promise<void> {
  const endMs = performance.now() + patienceMs;
  for (;;) {
    const published = await publishedDomains(data);
    if (performance.now() > endMs || domains.every((domain) => published.has(domain))) return;
    await pause(500);
  }
}

/** How often each is on the feed of discoveries. */
async function publishedDomains(data: string): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  const store = openStreamStore(data);
  const range = await store.openRange(feedStream('domaindiscovery'), 0, Number.MAX_SAFE_INTEGER);
  const chunks: Uint8Array[] = [];
  if (range) for await (const chunk of range.read()) chunks.push(chunk);
  await range?.close();
  await store.close();
  for (const line of Buffer.concat(chunks).toString('utf8').split('\n').filter(Boolean)) {
    const { domain } = JSON.parse(line) as { domain: string };
    counts.set(domain, (counts.get(domain) ?? 0) + 1);
  }
  return counts;
}
