/**
 * A process that writes to many stores as fast as it can, until it is ended, and prints a line for everything that was acknowledged. It also
 * prunes and compacts what it wrote, so that files go while a backup copies them.
 */
import { openEmbeddedStores } from '../../../../src/store/embedded/open-stores.ts';
import { capture } from '../../../conformance/image-store.ts';
import { observe } from '../../fixtures/observe-rrsets.ts';
import { WatchlistFixture } from '../../fixtures/watchlist-fixture.ts';

const [data = '', id = ''] = process.argv.slice(2);
const baseMs = Date.parse('2026-03-01T00:00:00Z');
const stores = openEmbeddedStores({ data, clock: { now: () => Date.now() } });
const watchlist = new WatchlistFixture(stores, `account-${id}`);
const monitor = await watchlist.monitor();

/** What is printed was acknowledged, and what was acknowledged is printed at once: on a pipe this waits for its reader. */
const acknowledge = (kind: string, number: number) => process.stdout.write(`${kind} ${number}\n`);

const writers: Readonly<Record<string, (number: number) => Promise<unknown>>> = {
  stream: async (number) => {
    const stream = `writer-${id}`;
    const nowMs = baseMs + number * 20_000;
    await stores.streams.append([{ stream, bytes: Buffer.from(`{"number":${number}}\n`) }], nowMs);
    if (number % 10 === 0) await stores.streams.pruneSegments(stream, Math.floor(nowMs / 60_000) - 5);
  },
  rrset: (number) => observe(stores.rrsets, [{ rrname: `n${number}.w${id}.example.` }]),
  image: async (number) => {
    await stores.images.saveCapture(capture(`w${id}.example`, number, `pixels ${id} ${number}`));
    if (number % 5 === 0) await stores.images.pruneImages(number);
  },
  record: (number) =>
    stores.domains.upsert([{ record: { domain: `n${number}.w${id}` }, source: 'test', seenMs: number }]),
  discovery: (number) => watchlist.discover(`paypa1-${number}.w${id}`, [monitor]),
};

async function writeForEver(kind: string, write: (number: number) => Promise<unknown>): Promise<never> {
  for (let number = 1; ; number += 1) {
    await write(number);
    acknowledge(kind, number);
  }
}

await Promise.all(Object.entries(writers).map(([kind, write]) => writeForEver(kind, write)));
