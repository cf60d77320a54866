import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { readConfig } from '../../../src/config.ts';
import type { CapturePageNeeds } from '../../../src/pipeline/screenshots/capture-page.ts';
import { type Screenshots, startScreenshots } from '../../../src/pipeline/screenshots/start-screenshots.ts';
import { openDetectStores } from '../../../src/store/embedded/detect-stores.ts';
import { openImageStore } from '../../../src/store/embedded/image-store.ts';
import { openJobStore } from '../../../src/store/embedded/job-store.ts';
import type { ImageStore } from '../../../src/store/image-store.ts';
import type { JobStore } from '../../../src/store/job-store.ts';
import { needsPackage } from '../../harness/debian-package.ts';
import { browserFixture, untilGone } from '../../harness/network/browser-fixture.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { TestClock } from '../../harness/test-clock.ts';

const hourSeconds = 3600;

interface Working {
  readonly jobs: JobStore;
  readonly images: ImageStore;
  readonly clock: TestClock;
  readonly reasons: readonly string[];
  readonly screenshots: Screenshots;
}

type Network = Pick<CapturePageNeeds, 'dialer' | 'settings'>;

async function working(t: TestContext, network: Network, domains: readonly string[]): Promise<Working> {
  const directory = temporaryDirectory(t);
  const [jobs, images, clock, detect] = [
    openJobStore(directory, { now: Date.now }),
    openImageStore(directory),
    new TestClock(),
    openDetectStores(directory),
  ];
  await jobs.enqueue(domains.map((subject) => ({ kind: 'screenshot', subject, dueMs: clock.now() })));
  const reasons: string[] = [];
  const screenshots = startScreenshots({
    ...network,
    ...detect,
    jobs,
    images,
    clock,
    onUnavailable: (reason) => reasons.push(reason),
    onFailure: (error) => assert.fail(String(error)),
  });
  t.after(async () => {
    await screenshots.close();
    await images.close();
    await jobs.close();
    await detect.close();
  });
  return { jobs, images, clock, reasons, screenshots };
}

function settingsWith(browser: string): Network {
  const environment = { NAMEGLASS_SCREENSHOTS_BROWSER: browser };
  const { settings } = readConfig({ environment, file: undefined, flags: {} });
  const dialer = { check: async () => undefined, connect: () => assert.fail('no connection is made') };
  return { settings, dialer };
}

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await pause(20);
}

test('without a browser jobs wait, the reason is reported once, and the counters say so', async (t) => {
  const { jobs, clock, reasons, screenshots } = await working(t, settingsWith('/missing/chromium'), [
    'a.example',
  ]);
  assert.deepEqual(await jobs.statistics('screenshot', clock.now()), { waiting: 0, due: 1, leased: 0 });
  assert.match(reasons.join('\n'), /^no Chromium found.*screenshots\.browser/);
  assert.deepEqual(screenshots.statistics(), {
    browsers: 0,
    first: 0,
    same: 0,
    changed: 0,
    failed: 0,
    active: 0,
  });
});

test('no screenshots are taken as root or as a user that does not exist', async (t) => {
  if (process.getuid?.() !== 0) return t.skip('skipped: not root');
  for (const user of ['root', 'no-such-user']) {
    const { settings, dialer } = settingsWith('/bin/false');
    const screenshots = { ...settings.screenshots, user };
    const { reasons } = await working(t, { settings: { ...settings, screenshots }, dialer }, []);
    assert.match(reasons.join('\n'), /^screenshots\.user: /);
  }
});

test('a failed attempt is recorded and retried twice, an hour apart', async (t) => {
  // A browser that exits immediately.
  const { jobs, images, clock, screenshots } = await working(t, settingsWith('/bin/false'), ['a.example']);
  const image = { bytes: Buffer.from('x'), mimetype: 'image/png', width: 1, height: 1, pixelHash: 'ab' };
  const capturedMs = clock.now() - 1000;
  await images.saveCapture({
    domain: 'a.example',
    atMs: capturedMs,
    url: 'http://a.example',
    ipAddress: undefined,
    image,
  });
  for (const attempt of [1, 2, 3]) {
    await until(() => screenshots.statistics().failed === attempt);
    await until(async () => (await jobs.statistics('screenshot', clock.now())).leased === 0);
    const [shown] = await images.findScreenshots(['a.example']);
    assert.deepEqual(
      [shown?.capturedMs, shown?.seenMs, shown?.attemptedMs],
      [capturedMs, capturedMs, clock.now()],
    );
    const dueMs = await jobs.findNextDueMs('screenshot');
    assert.equal(dueMs, attempt === 3 ? undefined : clock.now() + hourSeconds * 1000);
    clock.advanceSeconds(hourSeconds);
  }
});

test('SHOT-10 SHOT-11 due domains are captured, and an unchanged screenshot is only confirmed', async (t) => {
  if (!(needsPackage(t, 'chromium', 'chromium') && needsPackage(t, 'openssl', 'openssl'))) return;
  const browsed = await browserFixture(t, () => ({ 'http://shop.example/': { body: '<h1>Shop</h1>' } }));
  const { jobs, images, clock, screenshots } = await working(t, browsed, ['shop.example']);
  const firstMs = clock.now();
  await until(() => screenshots.statistics().first === 1);
  await until(async () => (await jobs.findNextDueMs('screenshot')) === undefined);
  clock.advanceSeconds(24 * hourSeconds);
  await jobs.enqueue([{ kind: 'screenshot', subject: 'shop.example', dueMs: clock.now() }]);
  await until(() => screenshots.statistics().same === 1);
  const [shown] = await images.findScreenshots(['shop.example']);
  assert.match(shown?.perceptualHash ?? '', /^[\da-f]{16}$/);
  assert.deepEqual(shown, {
    domain: 'shop.example',
    perceptualHash: shown?.perceptualHash,
    capturedMs: firstMs,
    seenMs: clock.now(),
    attemptedMs: clock.now(),
    url: 'http://shop.example',
    ipAddress: '127.80.0.1',
    width: 1280,
    height: 960,
  });
  await screenshots.close();
  assert.deepEqual(await untilGone(browsed), []);
});

test('closing kills a running browser, and the job keeps its due time', async (t) => {
  if (!(needsPackage(t, 'chromium', 'chromium') && needsPackage(t, 'openssl', 'openssl'))) return;
  const browsed = await browserFixture(t, () => ({
    'http://slow.example/': { body: '<script>for (;;);</script>' },
  }));
  const { jobs, images, clock, screenshots } = await working(t, browsed, ['slow.example']);
  await until(() => browsed.requests.length > 0);
  await screenshots.close();
  assert.deepEqual(await untilGone(browsed), []);
  assert.equal(await jobs.findNextDueMs('screenshot'), clock.now());
  assert.deepEqual(await images.findScreenshots(['slow.example']), [undefined]);
});
