/** What every image store must do. Two handles on the same data stand for two processes. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, type TestContext, test } from 'node:test';
import * as fc from 'fast-check';
import type { Capture, Image, ImageStore, Screenshot } from '../../src/store/image-store.ts';

/** A function that opens one more handle on the data of this test. */
export type OpenImageStore = (t: TestContext) => () => ImageStore;

/** To a store images are opaque bytes with a hash of their pixels. */
export function image(pixels: string, encoding = ''): Image {
  const pixelHash = createHash('sha256').update(pixels).digest('hex');
  return {
    bytes: Buffer.from(`${pixels}${encoding}`),
    mimetype: 'image/png',
    width: 4,
    height: 3,
    pixelHash,
  };
}

export function capture(domain: string, atMs: number, pixels = 'a', more: Partial<Capture> = {}): Capture {
  return { domain, atMs, url: `http://${domain}`, ipAddress: '192.0.2.1', image: image(pixels), ...more };
}

async function timesOf(store: ImageStore, domain: string) {
  const [found] = await store.findScreenshots([domain]);
  return found && [found.capturedMs, found.seenMs, found.attemptedMs];
}

export function imageStoreConformance(name: string, open: OpenImageStore): void {
  describe(`${name} as an image store`, () => {
    saving(open);
    times(open);
    finding(open);
    pruning(open);
    resembling(open);
    atRandom(open);
  });
}

function saving(open: OpenImageStore): void {
  test('a saved capture is found in every process and after a restart', async (t) => {
    const handle = open(t);
    const first = handle();
    assert.equal(await first.saveCapture(capture('a.example', 1000)), 'first');
    const expected: Screenshot = {
      domain: 'a.example',
      capturedMs: 1000,
      seenMs: 1000,
      attemptedMs: 1000,
      url: 'http://a.example',
      ipAddress: '192.0.2.1',
      width: 4,
      height: 3,
      perceptualHash: undefined,
    };
    for (const store of [first, handle()]) {
      assert.deepEqual(await store.findScreenshots(['a.example']), [expected]);
      assert.deepEqual(await store.findImage('a.example', 1000), image('a'));
    }
  });

  test('an image with the same pixels is not stored again, even if its bytes differ', async (t) => {
    const store = open(t)();
    await store.saveCapture(capture('a.example', 1000));
    const again = { url: 'https://a.example', ipAddress: '192.0.2.2', image: image('a', ' otherwise') };
    assert.equal(await store.saveCapture(capture('a.example', 2000, 'a', again)), 'same');
    const [found, ...others] = await store.listCaptures('a.example', 9);
    assert.deepEqual([found?.url, found?.ipAddress, others], ['http://a.example', '192.0.2.1', []]);
    assert.deepEqual((await store.findImage('a.example', 1000))?.bytes, image('a').bytes);
  });

  test('an image with other pixels replaces the newest, and one that comes back later is new again', async (t) => {
    const store = open(t)();
    const outcomes: string[] = [];
    for (const [at, pixels] of ['a', 'b', 'a'].entries())
      outcomes.push(await store.saveCapture(capture('a.example', at * 1000, pixels)));
    assert.deepEqual(outcomes, ['first', 'changed', 'changed']);
    const captures = await store.listCaptures('a.example', 9);
    assert.deepEqual(
      captures.map(({ capturedMs }) => capturedMs),
      [2000, 1000, 0],
    );
    for (const [at, pixels] of ['a', 'b', 'a'].entries())
      assert.deepEqual(await store.findImage('a.example', at * 1000), image(pixels));
  });

  test('concurrent captures by several processes lose nothing', async (t) => {
    const handle = open(t);
    const stores = [handle(), handle(), handle()];
    const names = Array.from({ length: 8 }, (_, index) => `n${index}.example`);
    const outcomes = await Promise.all(
      stores.flatMap((store, at) =>
        names.map((name) => store.saveCapture(capture(name, 1000 + at, 'all the same'))),
      ),
    );
    assert.equal(outcomes.filter((outcome) => outcome === 'first').length, names.length);
    assert.ok(!outcomes.includes('changed'));
    assert.deepEqual(await handle().statistics(), { domains: 8, images: 8, bytes: 12 });
  });
}

function times(open: OpenImageStore): void {
  test('capture, confirmation and attempt have separate times', async (t) => {
    const store = open(t)();
    await store.saveCapture(capture('a.example', 1000));
    assert.deepEqual(await timesOf(store, 'a.example'), [1000, 1000, 1000]);
    await store.recordFailure('a.example', 2000, 'no answer');
    assert.deepEqual(await timesOf(store, 'a.example'), [1000, 1000, 2000]);
    await store.saveCapture(capture('a.example', 3000));
    assert.deepEqual(await timesOf(store, 'a.example'), [1000, 3000, 3000]);
    await store.recordFailure('a.example', 4000, 'no answer');
    assert.deepEqual(await timesOf(store, 'a.example'), [1000, 3000, 4000]);
    await store.saveCapture(capture('a.example', 5000, 'b'));
    assert.deepEqual(await timesOf(store, 'a.example'), [5000, 5000, 5000]);
    const [, before] = await store.listCaptures('a.example', 9);
    assert.deepEqual([before?.seenMs, before?.attemptedMs], [3000, 4000]);
  });

  test('times stay in order when the clock goes backwards', async (t) => {
    const store = open(t)();
    await store.saveCapture(capture('a.example', 5000));
    await store.saveCapture(capture('a.example', 4000));
    await store.recordFailure('a.example', 3000, 'no answer');
    assert.deepEqual(await timesOf(store, 'a.example'), [5000, 5000, 5000]);
    assert.equal(await store.saveCapture(capture('a.example', 2000, 'b')), 'changed');
    const [newest, before] = await store.listCaptures('a.example', 9);
    assert.ok((newest?.capturedMs ?? 0) > (before?.attemptedMs ?? 0));
    assert.deepEqual(await store.findImage('a.example', newest?.capturedMs ?? 0), image('b'));
  });

  test('a failure does not create a screenshot for a domain without one', async (t) => {
    const store = open(t)();
    await store.recordFailure('a.example', 1000, `no answer \ud800 ${'x'.repeat(10_000)}`);
    assert.deepEqual(await store.findScreenshots(['a.example']), [undefined]);
    assert.deepEqual(await store.listCaptures('a.example', 9), []);
    assert.equal(await store.saveCapture(capture('a.example', 2000)), 'first');
  });
}

function finding(open: OpenImageStore): void {
  test('the newest screenshot of each domain is returned in the order given', async (t) => {
    const store = open(t)();
    for (const name of ['b.example', 'a.example']) await store.saveCapture(capture(name, 1000));
    const asked = ['a.example', 'none.example', 'b.example', 'a.example', "' or 1=1 --", ''];
    const found = await store.findScreenshots(asked);
    assert.deepEqual(
      found.map((one) => one?.domain),
      ['a.example', undefined, 'b.example', 'a.example', undefined, undefined],
    );
    assert.deepEqual(await store.findScreenshots([]), []);
  });

  test('an image is found only by its exact domain and time', async (t) => {
    const store = open(t)();
    await store.saveCapture(capture('a.example', 1000));
    for (const [domain, atMs] of [
      ['a.example', 999],
      ['a.example', Number.NaN],
      ['b.example', 1000],
      ['../a.example', 1000],
    ] as const)
      assert.equal(await store.findImage(domain, atMs), undefined);
  });

  test('at most `limit` captures are listed', async (t) => {
    const store = open(t)();
    for (const [at, pixels] of ['a', 'b', 'c'].entries())
      await store.saveCapture(capture('a.example', at, pixels));
    assert.deepEqual(
      (await store.listCaptures('a.example', 2)).map(({ capturedMs }) => capturedMs),
      [2, 1],
    );
  });
}

const hashed = (pixels: string, perceptualHash: string) => ({ image: { ...image(pixels), perceptualHash } });
const flat = '00ff00ff00ff00ff';

function resembling(open: OpenImageStore): void {
  test('a saved perceptual hash is returned with the screenshot', async (t) => {
    const store = open(t)();
    await store.saveCapture(capture('a.example', 1000, 'a', hashed('a', flat)));
    await store.saveCapture(capture('b.example', 1000, 'b'));
    const found = await store.findScreenshots(['a.example', 'b.example']);
    assert.deepEqual(
      found.map((one) => one?.perceptualHash),
      [flat, undefined],
    );
    assert.equal((await store.listCaptures('a.example', 1))[0]?.perceptualHash, flat);
  });

  test('domains whose newest image differs in up to seven bits are alike, the nearest first', async (t) => {
    const store = open(t)();
    const hashes = {
      'same.example': flat,
      'one.example': '00ff00ff00ff00fe',
      'seven.example': '01fe01fe01fe00fe',
      'eight.example': '01fe01fe01fe01fe',
      'other.example': 'ff00ff00ff00ff00',
    };
    for (const [domain, hash] of Object.entries(hashes))
      await store.saveCapture(capture(domain, 1000, domain, hashed(domain, hash)));
    await store.saveCapture(capture('was.example', 1000, 'was', hashed('was', flat)));
    await store.saveCapture(capture('was.example', 2000, 'is', hashed('is', 'ff00ff00ff00ff00')));
    const alike = await store.listAlike(flat, 10);
    assert.deepEqual(
      alike.map(({ domain, distance }) => [domain, distance]),
      [
        ['same.example', 0],
        ['one.example', 1],
        ['seven.example', 7],
      ],
    );
    assert.deepEqual(alike[1]?.perceptualHash, hashes['one.example']);
    assert.equal((await store.listAlike(flat, 2)).length, 2);
  });

  test('an image that was pruned is no longer alike', async (t) => {
    const store = open(t)();
    await store.saveCapture(capture('a.example', 0, 'a', hashed('a', flat)));
    await store.saveCapture(capture('a.example', 1000, 'b', hashed('b', 'ff00ff00ff00ff00')));
    await store.pruneImages(1000);
    assert.deepEqual(await store.listAlike(flat, 10), []);
    assert.equal((await store.listAlike('ff00ff00ff00ff00', 10)).length, 1);
  });

  test('images without a perceptual hash get one once, and one that cannot be decoded is not tried again', async (t) => {
    const handle = open(t);
    const store = handle();
    for (const pixels of ['a', 'b', 'broken'])
      await store.saveCapture(capture(`${pixels}.example`, 1000, pixels));
    const tried: string[] = [];
    const hashOf = async ({ bytes }: Image) => {
      tried.push(bytes.toString());
      if (bytes.toString() === 'broken') throw new Error('no image');
      return flat;
    };
    assert.equal(await store.hashImages(2, hashOf), 2);
    assert.equal(await handle().hashImages(2, hashOf), 1);
    assert.equal(await store.hashImages(2, hashOf), 0);
    assert.deepEqual(tried.sort(), ['a', 'b', 'broken']);
    const found = await store.findScreenshots(['a.example', 'b.example', 'broken.example']);
    assert.deepEqual(
      found.map((one) => one?.perceptualHash),
      [flat, flat, undefined],
    );
    assert.equal((await store.listAlike(flat, 10)).length, 2);
  });

  test('the last failed attempt is found until there is an image again', async (t) => {
    const store = open(t)();
    await store.recordFailure('a.example', 1000, 'no answer');
    await store.recordFailure('a.example', 2000, 'refused');
    const asked = ['b.example', 'a.example'];
    assert.deepEqual(await store.findFailures(asked), [undefined, { atMs: 2000, reason: 'refused' }]);
    await store.saveCapture(capture('a.example', 3000));
    assert.deepEqual(await store.findFailures(asked), [undefined, undefined]);
  });
}

function pruning(open: OpenImageStore): void {
  test('pruning deletes old captures that were replaced, and never the newest of a domain', async (t) => {
    const store = open(t)();
    for (const [at, pixels] of ['a', 'b', 'c'].entries())
      await store.saveCapture(capture('a.example', at * 1000, pixels));
    await store.saveCapture(capture('b.example', 0, 'd'));
    assert.equal(await store.pruneImages(1000), 1);
    assert.equal(await store.findImage('a.example', 0), undefined);
    assert.deepEqual(await store.findImage('a.example', 1000), image('b'));
    assert.equal(await store.pruneImages(1_000_000), 1);
    assert.deepEqual(await store.statistics(), { domains: 2, images: 2, bytes: 2 });
    assert.deepEqual(await store.findImage('a.example', 2000), image('c'));
    assert.deepEqual(await store.findImage('b.example', 0), image('d'));
    assert.equal(await store.pruneImages(1_000_000), 0);
  });

  test('an image that other domains still reference is not deleted', async (t) => {
    const store = open(t)();
    await store.saveCapture(capture('a.example', 0, 'parked'));
    await store.saveCapture(capture('b.example', 0, 'parked'));
    await store.saveCapture(capture('a.example', 1000, 'sold'));
    assert.equal(await store.pruneImages(1000), 1);
    assert.deepEqual(await store.findImage('b.example', 0), image('parked'));
    assert.deepEqual(await store.statistics(), { domains: 2, images: 2, bytes: 10 });
  });
}

function atRandom(open: OpenImageStore): void {
  const step = fc.record({
    domain: fc.constantFrom('a.example', 'b.example'),
    operation: fc.constantFrom('a', 'b', 'c', 'fail', 'prune'),
    waitMs: fc.integer({ min: 1, max: 1000 }),
  });

  test('in any sequence of operations times stay in order, and every listed image can be read', async (t) => {
    const opened = open(t);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), fc.uuid(), async (steps, world) => {
        const store = opened();
        let nowMs = 0;
        for (const { domain: name, operation, waitMs } of steps) {
          nowMs += waitMs;
          const domain = `${world}.${name}`;
          if (operation === 'fail') await store.recordFailure(domain, nowMs, 'no answer');
          else if (operation === 'prune') await store.pruneImages(nowMs - 500);
          else await store.saveCapture(capture(domain, nowMs, operation));
          const captures = await store.listCaptures(domain, 100);
          for (const { capturedMs, seenMs, attemptedMs } of captures) {
            assert.ok(capturedMs <= seenMs && seenMs <= attemptedMs && attemptedMs <= nowMs);
            assert.ok(await store.findImage(domain, capturedMs));
          }
          const shots = await Promise.all(captures.map((one) => store.findImage(domain, one.capturedMs)));
          for (const [at, shot] of shots.entries())
            assert.notEqual(shot?.pixelHash, shots[at + 1]?.pixelHash, 'neighbours differ');
        }
      }),
      { numRuns: 15 },
    );
  });
}
