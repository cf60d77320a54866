/** A small data directory with something in every store. */
import { randomBytes } from 'node:crypto';
import { openEmbeddedStores } from '../../../../src/store/embedded/open-stores.ts';
import type { Stores } from '../../../../src/stores.ts';
import { chunks, hourName } from '../../../conformance/archive-store.ts';
import { capture } from '../../../conformance/image-store.ts';
import { author, newUser } from '../../../conformance/new-user.ts';
import { observe, type Seen, someTime } from '../../../harness/fixtures/observe-rrsets.ts';

export const nowMs = (someTime + 86_400) * 1000;
const minuteMs = 60_000;

export const sampleStreams = Array.from({ length: 10 }, (_, index) => `ch${index}`);
export const sampleArchives = Array.from({ length: 10 }, (_, hour) => hourName('2026-02-20', hour + 10));
export const sampleImages = Array.from({ length: 10 }, (_, index) => `image${index}.example`);
const sampleDomains = Array.from({ length: 120 }, (_, index) => `name${index}.example`);

/** Open stores, with something in every one of them. */
export async function makeSample(data: string): Promise<Stores> {
  const stores = openEmbeddedStores({ data, clock: { now: () => nowMs } });
  for (let minute = 0; minute < 2; minute += 1) {
    const lines = sampleStreams.map((stream) => ({ stream, bytes: linesOf(stream, minute) }));
    await stores.streams.append(lines, minute * minuteMs);
  }
  for (const name of sampleArchives)
    await stores.archives.addFile(name, chunks(randomBytes(35_000).toString('hex')), nowMs);
  for (const domain of sampleImages)
    await stores.images.saveCapture(capture(domain, 1000, `${domain} ${'pixels '.repeat(500)}`));
  await observe(stores.rrsets, observations(0));
  await observe(stores.rrsets, observations(1));
  await stores.domains.upsert(
    sampleDomains.map((domain, index) => ({
      record: { domain, registrar: `Registrar ${index % 3}`, website_title: `The site ${index} `.repeat(20) },
      source: 'sample',
      seenMs: nowMs,
    })),
  );
  for (let index = 0; index < 20; index += 1)
    await stores.accounts.createUser(newUser(`user${index}`, { apiKey: `sample-key-${index}` }), [], author);
  await stores.names.recordNames('sample', sampleDomains, nowMs, { checkpoint: 'here' });
  const snapshot = { list: 'bad', label: 'phishing', weight: 1, id: 1, untilMs: undefined } as const;
  await stores.risks.addListed(
    snapshot,
    sampleDomains.map((domain) => ({ domain })),
  );
  await stores.risks.completeSnapshot(snapshot, 'here', nowMs);
  await addMore(stores, 'first');
  return stores;
}

/** Some of it in the logs of the databases alone, if the process is killed now. */
export async function reopenSample(data: string): Promise<Stores> {
  const stores = openEmbeddedStores({ data, clock: { now: () => nowMs } });
  await addMore(stores, 'later');
  return stores;
}

async function addMore(stores: Stores, when: string): Promise<void> {
  const { usage, jobs, monitors, domains, names, accounts, streams, images, risks, rrsets } = stores;
  for (let index = 0; index < 20; index += 1) {
    await usage.claim([{ id: randomBytes(16), usesMax: 1 }], nowMs + minuteMs, nowMs);
    await monitors.createMonitor(
      'account',
      {
        term: `${when}${index}`,
        matchSubstringVariations: true,
        nameserverExclusions: [],
        textExclusions: [],
      },
      { username: 'ann', atMs: nowMs },
    );
  }
  await names.recordNames('sample', [`${when}.example`], nowMs, { checkpoint: when });
  await accounts.createUser(newUser(when, { apiKey: `${when}-key` }), [], author);
  await streams.append([{ stream: when, bytes: linesOf(when, 0) }], 2 * minuteMs);
  await images.saveCapture(capture(`${when}.example`, 1000, when));
  await risks.addListed({ list: when, label: 'phishing', weight: 1, id: 1, untilMs: undefined }, [
    { domain: `${when}.example` },
  ]);
  await observe(rrsets, observations(when.length));
  await jobs.enqueue(sampleDomains.map((subject) => ({ kind: 'collect', subject, dueMs: nowMs })));
  const matches = await domains.search(
    { kind: 'has', attributes: ['registrar'], value: 'Registrar 1' },
    { by: 'domain', descending: false },
    999,
  );
  if (matches.total === 'too-many') throw new Error('the sample has grown');
  await domains.saveResultSnapshot(when, matches.ids, nowMs + minuteMs);
}

/** More than one block of checksums. */
function linesOf(stream: string, minute: number): Buffer {
  const lines = Array.from({ length: 700 }, (_, line) =>
    JSON.stringify({ stream, minute, line, text: 'x'.repeat(100) }),
  );
  return Buffer.from(`${lines.join('\n')}\n`);
}

function observations(batch: number): Seen[] {
  return Array.from({ length: 1500 }, (_, index) => ({
    rrname: `host${(index * 7 + batch) % 1000}.name${index % 40}.example`,
    rrtype: ['A', 'NS', 'TXT', 'MX'][index % 4] as string,
    rdata: [
      `192.0.2.${index % 200}`,
      `ns${index}.example.`,
      `"text ${index} of ${batch}"`,
      `10 mx${index}.example.`,
    ][index % 4] as string,
    count: index + 1,
    time_first: someTime + index,
  }));
}
