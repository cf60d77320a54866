import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, type TestContext, test } from 'node:test';
import { createCertificateLogSource } from '../../../../src/collect/sources/certificate-logs/certificate-log.ts';
import { PageReader } from '../../../../src/collect/sources/certificate-logs/page-reader.ts';
import type { NameBatch, NameIntake } from '../../../../src/collect/sources/source.ts';
import { readConfig } from '../../../../src/config.ts';
import { createDialer } from '../../../../src/outgoing/guarded-dialer.ts';
import { nameWorld } from '../../../harness/fixtures/name-fixture.ts';
import { type TestEntry, TestLog } from '../../../harness/network/certificate-log.ts';
import { certificateOf, issueCertificate } from '../../../harness/network/certificates.ts';
import { TestClock } from '../../../harness/test-clock.ts';

const { settings } = readConfig({ environment: {}, flags: {} });
const dialer = createDialer({ settings: { outgoing: { allow: ['127.0.0.1/32'] } } });
const pages = new PageReader();
after(() => pages.close());
const clock = new TestClock();
const { signal } = new AbortController();

type Kind = 'static' | 'rfc6962';
interface LogOptions {
  readonly kind: Kind;
  readonly from?: 'start' | 'now';
  readonly name?: string;
  readonly publicKey?: string;
}

function sourceOf(
  log: TestLog,
  { kind, from = 'start', name = 'test', publicKey = log.publicKey }: LogOptions,
) {
  const logSettings = { name, url: log.url, kind, publicKey, from };
  return createCertificateLogSource(logSettings, { dialer, pages, clock, settings });
}

/** An intake that only records. */
class RecordingIntake implements NameIntake {
  readonly batches: NameBatch[] = [];
  place: string | undefined;

  get names(): string[] {
    return this.batches.flatMap(({ names }) => names);
  }

  findCheckpoint() {
    return Promise.resolve(this.place);
  }

  ingest(_source: string, batch: NameBatch) {
    this.batches.push(batch);
    this.place = batch.checkpoint;
    return Promise.resolve({ newDomains: 0 });
  }
}

const nameOf = (index: number) => `n${String(index).padStart(3, '0')}.example`;
let certificates: readonly Buffer[] = [];
before(async () => {
  const der = await certificateOf({ names: [nameOf(0)] });
  // Reused, because generating keys is slow and the issuer does not matter.
  certificates = Array.from({ length: 600 }, (_, index) =>
    Buffer.from(der.toString('latin1').replace(nameOf(0), nameOf(index)), 'latin1'),
  );
});
const entriesOf = (from: number, to: number) =>
  certificates.slice(from, to).map((der): TestEntry => ({ kind: 'certificate', der }));
const namesOf = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => nameOf(from + index));

async function newLog(t: TestContext, entries: readonly TestEntry[]): Promise<TestLog> {
  const log = await new TestLog().serve(t);
  log.entries.push(...entries);
  return log;
}

for (const kind of ['static', 'rfc6962'] as const) {
  test(`${kind}: a log is read in order from its start and resumes from its checkpoint`, async (t) => {
    const log = await newLog(t, entriesOf(0, 550));
    const [source, intake] = [sourceOf(log, { kind }), new RecordingIntake()];
    await source.poll(intake, signal);
    assert.deepEqual([intake.names, intake.place], [namesOf(0, 550), '550']);
    log.entries.push(...entriesOf(550, 600));
    await sourceOf(log, { kind }).poll(intake, signal);
    assert.deepEqual([intake.names, intake.place], [namesOf(0, 600), '600']);
    await source.poll(intake, signal);
    assert.equal(intake.names.length, 600);
  });

  test(`${kind}: a log configured to start now begins at its head`, async (t) => {
    const log = await newLog(t, entriesOf(0, 10));
    const [source, intake] = [sourceOf(log, { kind, from: 'now' }), new RecordingIntake()];
    await source.poll(intake, signal);
    assert.deepEqual([intake.names, intake.place], [[], '10']);
    log.entries.push(...entriesOf(10, 12));
    await source.poll(intake, signal);
    assert.deepEqual(intake.names, namesOf(10, 12));
  });

  test(`${kind}: compressed responses are read`, async (t) => {
    const log = await newLog(t, entriesOf(0, 300));
    log.isPacking = true;
    const intake = new RecordingIntake();
    log.misbehave = (request) => {
      log.isPacking = !/checkpoint|get-sth/.test(request.url ?? '');
      return false;
    };
    await sourceOf(log, { kind }).poll(intake, signal);
    assert.equal(intake.names.length, 300);
  });

  test(`${kind}: a head with a wrong signature is refused`, async (t) => {
    const log = await newLog(t, entriesOf(0, 3));
    const { publicKey } = new TestLog();
    const intake = new RecordingIntake();
    await assert.rejects(sourceOf(log, { kind, publicKey }).poll(intake, signal), /not signed by the log/);
    assert.deepEqual(intake.batches, []);
  });

  test(`${kind}: a log that has shrunk is reported and not read`, async (t) => {
    const log = await newLog(t, entriesOf(0, 10));
    const [source, intake] = [sourceOf(log, { kind }), new RecordingIntake()];
    await source.poll(intake, signal);
    log.claimedSize = 5;
    await assert.rejects(source.poll(intake, signal), /ct:test has shrunk from 10 entries to 5/);
    assert.equal(intake.place, '10');
  });

  test(`${kind}: the checkpoint stays when a log returns fewer entries than its head says, or fails`, async (t) => {
    const log = await newLog(t, entriesOf(0, 300));
    log.claimedSize = 700;
    const [source, intake] = [sourceOf(log, { kind }), new RecordingIntake()];
    await assert.rejects(source.poll(intake, signal), { code: 'unavailable' });
    assert.ok(Number(intake.place) <= 300);
    assert.deepEqual(intake.names, namesOf(0, Number(intake.place)));
    log.claimedSize = undefined;
    const misbehaviours: readonly (readonly [says: RegExp, answer: (response: ServerResponse) => void])[] = [
      [/status 429/, (response) => response.writeHead(429).end()],
      [/status 500/, (response) => response.writeHead(500).end()],
      [/status 302/, (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
      [/./, (response) => response.destroy()],
      [
        /./,
        (response) => response.writeHead(200, { 'content-length': 1000 }).end('x', () => response.destroy()),
      ],
    ];
    log.entries.push(...entriesOf(300, 310));
    for (const [says, answer] of misbehaviours) {
      log.misbehave = (request, response) => {
        if (/checkpoint|get-sth/.test(request.url ?? '')) return false;
        answer(response);
        return true;
      };
      await assert.rejects(source.poll(intake, signal), says);
    }
    log.misbehave = () => false;
    await source.poll(intake, signal);
    assert.deepEqual(intake.names, namesOf(0, 310));
  });

  test(`${kind}: an endless head or page is cut at its limit`, async (t) => {
    const log = await newLog(t, entriesOf(0, 1));
    const endless = (part: RegExp) => {
      log.misbehave = (request, response) => {
        if (!part.test(request.url ?? '')) return false;
        const piece = Buffer.alloc(1 << 20, '{');
        const pour = () => {
          while (!response.destroyed && response.write(piece));
        };
        response.on('drain', pour);
        pour();
        return true;
      };
    };
    const [source, intake] = [sourceOf(log, { kind }), new RecordingIntake()];
    endless(/checkpoint|get-sth/);
    await assert.rejects(source.poll(intake, signal), { code: 'unavailable' });
    endless(/tile|get-entries/);
    // An entry that cannot be fetched is skipped where entries are requested one by one.
    if (kind === 'static') await assert.rejects(source.poll(intake, signal), /larger than/);
    else await source.poll(intake, signal);
    assert.deepEqual(intake.names, []);
  });

  test(`${kind}: a source that is stopped ends within a page and loses nothing`, async (t) => {
    const log = await newLog(t, entriesOf(0, 600));
    const stopping = new AbortController();
    const intake = new RecordingIntake();
    const take = intake.ingest.bind(intake);
    intake.ingest = (source, batch) => {
      if (batch.names.length > 0) stopping.abort();
      return take(source, batch);
    };
    await sourceOf(log, { kind }).poll(intake, stopping.signal);
    assert.equal(intake.place, '256');
    intake.ingest = take;
    await sourceOf(log, { kind }).poll(intake, signal);
    assert.deepEqual(intake.names, namesOf(0, 600));
  });
}

test('rfc6962: a log with small pages is queried until all entries are read', async (t) => {
  const log = await newLog(t, entriesOf(0, 100));
  log.pageEntries = 7;
  const intake = new RecordingIntake();
  await sourceOf(log, { kind: 'rfc6962' }).poll(intake, signal);
  assert.deepEqual(intake.names, namesOf(0, 100));
});

test('rfc6962: an entry that exceeds the response limit is skipped, and its neighbours are read', async (t) => {
  const log = await newLog(t, entriesOf(0, 8));
  log.entries[5] = { kind: 'certificate', der: Buffer.alloc(13 << 20) };
  const [source, intake] = [sourceOf(log, { kind: 'rfc6962' }), new RecordingIntake()];
  await source.poll(intake, signal);
  assert.deepEqual(
    [intake.names, source.statistics?.()['malformed']],
    [[...namesOf(0, 5), ...namesOf(6, 8)], 1],
  );
});

test('static: where a partial tile was deleted, the full tile is read up to the head', async (t) => {
  const log = await newLog(t, entriesOf(0, 256));
  log.claimedSize = 200;
  const [source, intake] = [sourceOf(log, { kind: 'static' }), new RecordingIntake()];
  await source.poll(intake, signal);
  assert.deepEqual([intake.names, intake.place], [namesOf(0, 200), '200']);
  assert.deepEqual(log.requestedPaths.slice(-2), ['/2027/tile/data/000.p/200', '/2027/tile/data/000']);
});

test('a certificate and its precertificate in several logs count once, and every entry is counted', async (t) => {
  const { precertificate, certificate } = await issueCertificate(['both.example', 'login.both.example']);
  const entries: readonly TestEntry[] = [
    { kind: 'precertificate', der: precertificate },
    { kind: 'certificate', der: certificate },
  ];
  const { intake, published, hosts } = nameWorld(t);
  const counts: unknown[] = [];
  for (const kind of ['static', 'rfc6962'] as const) {
    const source = sourceOf(await newLog(t, entries), { kind, name: kind });
    await source.poll(intake, signal);
    counts.push(source.statistics?.());
  }
  const none = { malformed: 0, lag: 0 };
  assert.deepEqual(counts, [
    { entries: 2, certificates: 1, ...none },
    { entries: 2, certificates: 0, ...none },
  ]);
  assert.deepEqual([await published(), await hosts()], [['both.example'], ['login.both.example']]);
  assert.deepEqual(
    [await intake.findCheckpoint('ct:static'), await intake.findCheckpoint('ct:rfc6962')],
    ['2', '2'],
  );
});

test('names have the time of their entry, capped at now', async (t) => {
  const log = await newLog(t, [
    { kind: 'certificate', der: certificates[0] as Buffer, timestampMs: 1_600_000_000_000 },
  ]);
  const [source, intake] = [sourceOf(log, { kind: 'static' }), new RecordingIntake()];
  await source.poll(intake, signal);
  log.entries.push({ kind: 'certificate', der: certificates[1] as Buffer, timestampMs: 2 ** 53 });
  await source.poll(intake, signal);
  assert.deepEqual(
    intake.batches.slice(-2).map(({ seenMs }) => seenMs),
    [1_600_000_000_000, clock.now()],
  );
});
