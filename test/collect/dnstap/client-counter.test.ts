/** Distinct clients, from frames of dnstap to the store: how many, and that nobody can find out who. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ClientCounter } from '../../../src/collect/dnstap/client-counter.ts';
import { FrameIntake } from '../../../src/collect/dnstap/frame-intake.ts';
import { observationsOf } from '../../../src/collect/dnstap/observations-of.ts';
import { ownClients } from '../../../src/collect/dnstap/own-clients.ts';
import { openEmbeddedStores } from '../../../src/store/embedded/open-stores.ts';
import { RecordingIntake } from '../../harness/fixtures/recording-intake.ts';
import { WatchlistFixture } from '../../harness/fixtures/watchlist-fixture.ts';
import { encodeMessage } from '../../harness/network/encode-dns-message.ts';
import { encodeDnstap, noon } from '../../harness/network/encode-dnstap.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { TestClock } from '../../harness/test-clock.ts';

const clientResponse = 6;
const lookalike = 'paypa1.example';
const start = new Date(noon * 1000).toISOString();
const clientOf = (number: number) => Uint8Array.of(10, 77, number >> 8, number & 255);

function frameOf(client: Uint8Array, domain = lookalike): Uint8Array {
  const records = [{ owner: `www.${domain}`, type: 1, rdata: [Uint8Array.of(192, 0, 2, 1)] }];
  const message = encodeMessage({ records });
  const zone = new Uint8Array(0);
  return encodeDnstap({ kind: clientResponse, zone, message, client });
}

/** Keys are random, and two clients may share a register. */
function assertNear(count: number | undefined, wanted: number, tolerance = 2): void {
  assert.ok(Math.abs((count ?? 0) - wanted) <= tolerance, `${count} instead of ${wanted}`);
}

async function counting(t: TestContext, own: readonly string[] = []) {
  const directory = temporaryDirectory(t);
  const clock = new TestClock(start);
  const stores = openEmbeddedStores({ data: directory, clock });
  t.after(() => stores.close());
  const watchlist = new WatchlistFixture(stores);
  await watchlist.discover(lookalike, [await watchlist.monitor()]);
  await stores.sightings.addPast([{ domain: lookalike, past: undefined }], 0);
  const sighting = { domain: lookalike, firstSeconds: noon, lastSeconds: noon, count: 1 };
  await stores.sightings.addSightings(
    { sensor: 'dnstap', sightings: [sighting], from: 0, to: 1 },
    noon * 1000,
  );
  const failures: unknown[] = [];
  const newCounter = () => {
    const counter = new ClientCounter({
      sightings: stores.sightings,
      clock,
      isOwn: ownClients(own, []),
      onFailure: (error) => failures.push(error),
    });
    t.after(() => counter.close());
    return counter;
  };
  const framesOf = (clients: ClientCounter) =>
    new FrameIntake(
      { intake: new RecordingIntake(), clients, clock, report: () => undefined },
      ['CLIENT_RESPONSE'],
      60,
    );
  const clients = newCounter();
  const frames = framesOf(clients);
  t.after(() => frames.stop());
  const stored = async () => (await watchlist.find(lookalike)).sightings[0]?.clients;
  return { directory, clock, stores, clients, frames, stored, failures, newCounter, framesOf };
}

test('each client counts once for a day, however often it asks', async (t) => {
  const { clients, frames, stored, failures } = await counting(t);
  for (let round = 0; round < 3; round += 1)
    for (let number = 1; number <= 8; number += 1) await frames.ingest(frameOf(clientOf(number)));
  await clients.record();
  const first = await stored();
  assert.equal(first?.day, start.slice(0, 10));
  assertNear(first?.count, 8);
  for (let number = 5; number <= 9; number += 1) await frames.ingest(frameOf(clientOf(number)));
  await clients.record();
  assertNear((await stored())?.count, 9);
  assert.deepEqual(failures, []);
});

test('our own queries do not count, and neither do those about other domains', async (t) => {
  const { clients, frames, stored } = await counting(t, ['10.77.0.0/30', '2001:db8::5']);
  await frames.ingest(frameOf(clientOf(1)));
  await frames.ingest(frameOf(Uint8Array.of(127, 0, 0, 1)));
  await frames.ingest(frameOf(Buffer.from('20010db8000000000000000000000005', 'hex')));
  await frames.ingest(frameOf(clientOf(9), 'other.example'));
  await frames.ingest(frameOf(Uint8Array.of(1, 2)));
  await clients.record();
  assert.equal(await stored(), undefined);
  await frames.ingest(frameOf(clientOf(9)));
  await clients.record();
  assert.equal((await stored())?.count, 1);
});

test('a new day has a new key and begins at zero', async (t) => {
  const { clock, clients, frames, stored } = await counting(t);
  for (let number = 1; number <= 8; number += 1) await frames.ingest(frameOf(clientOf(number)));
  await clients.record();
  const tomorrow = new Date((noon + 86_400) * 1000).toISOString();
  clock.set(tomorrow);
  await frames.ingest(frameOf(clientOf(1)));
  await clients.record();
  assert.deepEqual(await stored(), { day: tomorrow.slice(0, 10), count: 1 });
});

test('after a restart within the day counting begins anew, and the greater number stays', async (t) => {
  const { clients, frames, stored, newCounter, framesOf } = await counting(t);
  for (let number = 1; number <= 8; number += 1) await frames.ingest(frameOf(clientOf(number)));
  await clients.close();
  const before = await stored();
  assertNear(before?.count, 8);
  const later = newCounter();
  const more = framesOf(later);
  t.after(() => more.stop());
  await more.ingest(frameOf(clientOf(1)));
  await later.record();
  assert.deepEqual(await stored(), before);
});

test('without counting, the address of a client is not even decoded', () => {
  const read = observationsOf(frameOf(clientOf(1)), noon, ['CLIENT_RESPONSE']);
  assert.equal(read.outcome, 'observed');
  assert.ok(!('client' in read));
});

test('the data directory has no address of a client, and nothing that one could be tried against', async (t) => {
  const one = await counting(t);
  const other = await counting(t);
  // Different clients, equally many: if what is stored depended on who they are, the two would differ.
  for (let number = 0; number < 40; number += 1) {
    await one.frames.ingest(frameOf(clientOf(1000 + number)));
    await other.frames.ingest(frameOf(clientOf(2000 + number)));
  }
  for (const each of [one, other]) await each.clients.close();
  const files = (directory: string) =>
    readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name)));
  const written = files(one.directory);
  assert.ok(written.some((bytes) => bytes.includes(lookalike)));
  for (let number = 0; number < 40; number += 1) {
    const client = clientOf(1000 + number);
    for (const trace of [Buffer.from(client), client.join('.'), Buffer.from(client).toString('hex')])
      assert.ok(!written.some((bytes) => bytes.includes(trace)), trace.toString());
  }
  const [first, second] = [await one.stored(), await other.stored()];
  assert.deepEqual(Object.keys(first ?? {}).toSorted(), ['count', 'day']);
  for (const each of [first, second]) assertNear(each?.count, 40, 6);
});
