/** What every image-store promises. Two handles on the same data stand for two processes. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, type TestContext, test } from 'node:test';
import * as fc from 'fast-check';
import type { Capture, Image, ImageStore, Screenshot } from '../../src/store/image-store.ts';

/** A function that opens one more handle on the data of this test. */
export type OpenImageStore = (t: TestContext) => () => ImageStore;

/** Pictures are bytes to a store: what they show is told by their hash. */
export function image(look: string, spelling = ''): Image {
  const pixelHash = createHash('sha256').update(look).digest('hex');
  return { bytes: Buffer.from(`${look}${spelling}`), mimetype: 'image/png', width: 4, height: 3, pixelHash };
}

export function capture(domain: string, atMs: number, look = 'a', more: Partial<Capture> = {}): Capture {
  return { domain, atMs, url: `http://${domain}`, ipAddress: '192.0.2.1', image: image(look), ...more };
}

async function timesOf(store: ImageStore, domain: string) {
  const [found] = await store.findScreenshots([domain]);
  return found && [found.capturedMs, found.seenMs, found.attemptedMs];
}

export function imageStoreConformance(name: string, open: OpenImageStore): void {
  describe(`${name} as an image-store`, () => {
    keeping(open);
    times(open);
    finding(open);
    pruning(open);
    atRandom(open);
  });
}

function keeping(open: OpenImageStore): void {
  test('what was kept is there, in every process and after a restart', async (t) => {
    const handle = open(t);
    const first = handle();
    assert.equal(await first.keep(capture('a.example', 1000)), 'first');
    const expected: Screenshot = {
      domain: 'a.example',
      capturedMs: 1000,
      seenMs: 1000,
      attemptedMs: 1000,
      url: 'http://a.example',
      ipAddress: '192.0.2.1',
      width: 4,
      height: 3,
    };
    for (const store of [first, handle()]) {
      assert.deepEqual(await store.findScreenshots(['a.example']), [expected]);
      assert.deepEqual(await store.findImage('a.example', 1000), image('a'));
    }
  });

  test('a picture that looks the same is the same picture, whatever bytes stand for it', async (t) => {
    const store = open(t)();
    await store.keep(capture('a.example', 1000));
    const again = { url: 'https://a.example', ipAddress: '192.0.2.2', image: image('a', ' otherwise') };
    assert.equal(await store.keep(capture('a.example', 2000, 'a', again)), 'same');
    const [found, ...others] = await store.listCaptures('a.example', 9);
    assert.deepEqual([found?.url, found?.ipAddress, others], ['http://a.example', '192.0.2.1', []]);
    assert.deepEqual((await store.findImage('a.example', 1000))?.bytes, image('a').bytes);
  });

  test('one that looks otherwise takes its place, and a look that comes back is new again', async (t) => {
    const store = open(t)();
    const kept: string[] = [];
    for (const [at, look] of ['a', 'b', 'a'].entries())
      kept.push(await store.keep(capture('a.example', at * 1000, look)));
    assert.deepEqual(kept, ['first', 'changed', 'changed']);
    const captures = await store.listCaptures('a.example', 9);
    assert.deepEqual(
      captures.map(({ capturedMs }) => capturedMs),
      [2000, 1000, 0],
    );
    for (const [at, look] of ['a', 'b', 'a'].entries())
      assert.deepEqual(await store.findImage('a.example', at * 1000), image(look));
  });

  test('several processes that keep at once lose nothing', async (t) => {
    const handle = open(t);
    const stores = [handle(), handle(), handle()];
    const names = Array.from({ length: 8 }, (_, index) => `n${index}.example`);
    const outcomes = await Promise.all(
      stores.flatMap((store, at) =>
        names.map((name) => store.keep(capture(name, 1000 + at, 'all the same'))),
      ),
    );
    assert.equal(outcomes.filter((outcome) => outcome === 'first').length, names.length);
    assert.ok(!outcomes.includes('changed'));
    assert.deepEqual(await handle().statistics(), { domains: 8, images: 8, bytes: 12 });
  });
}

function times(open: OpenImageStore): void {
  test('the times of a picture tell capture, confirmation and attempt apart', async (t) => {
    const store = open(t)();
    await store.keep(capture('a.example', 1000));
    assert.deepEqual(await timesOf(store, 'a.example'), [1000, 1000, 1000]);
    await store.noteFailure('a.example', 2000, 'no answer');
    assert.deepEqual(await timesOf(store, 'a.example'), [1000, 1000, 2000]);
    await store.keep(capture('a.example', 3000));
    assert.deepEqual(await timesOf(store, 'a.example'), [1000, 3000, 3000]);
    await store.noteFailure('a.example', 4000, 'no answer');
    assert.deepEqual(await timesOf(store, 'a.example'), [1000, 3000, 4000]);
    await store.keep(capture('a.example', 5000, 'b'));
    assert.deepEqual(await timesOf(store, 'a.example'), [5000, 5000, 5000]);
    const [, before] = await store.listCaptures('a.example', 9);
    assert.deepEqual([before?.seenMs, before?.attemptedMs], [3000, 4000]);
  });

  test('a clock that goes backwards turns no times round', async (t) => {
    const store = open(t)();
    await store.keep(capture('a.example', 5000));
    await store.keep(capture('a.example', 4000));
    await store.noteFailure('a.example', 3000, 'no answer');
    assert.deepEqual(await timesOf(store, 'a.example'), [5000, 5000, 5000]);
    assert.equal(await store.keep(capture('a.example', 2000, 'b')), 'changed');
    const [newest, before] = await store.listCaptures('a.example', 9);
    assert.ok((newest?.capturedMs ?? 0) > (before?.attemptedMs ?? 0));
    assert.deepEqual(await store.findImage('a.example', newest?.capturedMs ?? 0), image('b'));
  });

  test('a failure of a domain without a picture makes none', async (t) => {
    const store = open(t)();
    await store.noteFailure('a.example', 1000, `no answer \ud800 ${'x'.repeat(10_000)}`);
    assert.deepEqual(await store.findScreenshots(['a.example']), [undefined]);
    assert.deepEqual(await store.listCaptures('a.example', 9), []);
    assert.equal(await store.keep(capture('a.example', 2000)), 'first');
  });
}

function finding(open: OpenImageStore): void {
  test('the newest of each domain comes in the order asked for', async (t) => {
    const store = open(t)();
    for (const name of ['b.example', 'a.example']) await store.keep(capture(name, 1000));
    const asked = ['a.example', 'none.example', 'b.example', 'a.example', "' or 1=1 --", ''];
    const found = await store.findScreenshots(asked);
    assert.deepEqual(
      found.map((one) => one?.domain),
      ['a.example', undefined, 'b.example', 'a.example', undefined, undefined],
    );
    assert.deepEqual(await store.findScreenshots([]), []);
  });

  test('an image is found by exactly its domain and time', async (t) => {
    const store = open(t)();
    await store.keep(capture('a.example', 1000));
    for (const [domain, atMs] of [
      ['a.example', 999],
      ['a.example', Number.NaN],
      ['b.example', 1000],
      ['../a.example', 1000],
    ] as const)
      assert.equal(await store.findImage(domain, atMs), undefined);
  });

  test('no more captures are listed than asked for', async (t) => {
    const store = open(t)();
    for (const [at, look] of ['a', 'b', 'c'].entries()) await store.keep(capture('a.example', at, look));
    assert.deepEqual(
      (await store.listCaptures('a.example', 2)).map(({ capturedMs }) => capturedMs),
      [2, 1],
    );
  });
}

function pruning(open: OpenImageStore): void {
  test('pruning forgets what is old and replaced, and never the newest of a domain', async (t) => {
    const store = open(t)();
    for (const [at, look] of ['a', 'b', 'c'].entries())
      await store.keep(capture('a.example', at * 1000, look));
    await store.keep(capture('b.example', 0, 'd'));
    assert.equal(await store.prune(1000), 1);
    assert.equal(await store.findImage('a.example', 0), undefined);
    assert.deepEqual(await store.findImage('a.example', 1000), image('b'));
    assert.equal(await store.prune(1_000_000), 1);
    assert.deepEqual(await store.statistics(), { domains: 2, images: 2, bytes: 2 });
    assert.deepEqual(await store.findImage('a.example', 2000), image('c'));
    assert.deepEqual(await store.findImage('b.example', 0), image('d'));
    assert.equal(await store.prune(1_000_000), 0);
  });

  test('a look that others still have stays with them', async (t) => {
    const store = open(t)();
    await store.keep(capture('a.example', 0, 'parked'));
    await store.keep(capture('b.example', 0, 'parked'));
    await store.keep(capture('a.example', 1000, 'sold'));
    assert.equal(await store.prune(1000), 1);
    assert.deepEqual(await store.findImage('b.example', 0), image('parked'));
    assert.deepEqual(await store.statistics(), { domains: 2, images: 2, bytes: 10 });
  });
}

function atRandom(open: OpenImageStore): void {
  const step = fc.record({
    domain: fc.constantFrom('a.example', 'b.example'),
    deed: fc.constantFrom('a', 'b', 'c', 'fail', 'prune'),
    waitMs: fc.integer({ min: 1, max: 1000 }),
  });

  test('whatever happens, times stand in their order, and every picture that is listed can be had', async (t) => {
    const opened = open(t);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), fc.uuid(), async (steps, world) => {
        const store = opened();
        let nowMs = 0;
        for (const { domain: name, deed, waitMs } of steps) {
          nowMs += waitMs;
          const domain = `${world}.${name}`;
          if (deed === 'fail') await store.noteFailure(domain, nowMs, 'no answer');
          else if (deed === 'prune') await store.prune(nowMs - 500);
          else await store.keep(capture(domain, nowMs, deed));
          const captures = await store.listCaptures(domain, 100);
          for (const { capturedMs, seenMs, attemptedMs } of captures) {
            assert.ok(capturedMs <= seenMs && seenMs <= attemptedMs && attemptedMs <= nowMs);
            assert.ok(await store.findImage(domain, capturedMs));
          }
          const looks = await Promise.all(captures.map((one) => store.findImage(domain, one.capturedMs)));
          for (const [at, look] of looks.entries())
            assert.notEqual(look?.pixelHash, looks[at + 1]?.pixelHash, 'neighbours differ');
        }
      }),
      { numRuns: 15 },
    );
  });
}
