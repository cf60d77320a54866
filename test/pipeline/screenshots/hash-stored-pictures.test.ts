import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { createDialer } from '../../../src/outgoing/guarded-dialer.ts';
import { startScreenshots } from '../../../src/pipeline/screenshots/start-screenshots.ts';
import { openEmbeddedStores } from '../../../src/store/embedded/open-stores.ts';
import { settingsOf, until } from '../../harness/fixtures/delivery-fixture.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { TestClock } from '../../harness/test-clock.ts';

test('pictures without a perceptual hash get one in the background, also without a browser', async (t) => {
  const clock = new TestClock();
  const stores = openEmbeddedStores({ data: temporaryDirectory(t), clock });
  for (const [index, background] of ['red', 'green', 'blue'].entries()) {
    const bytes = await sharp({ create: { width: 40, height: 30, channels: 3, background } })
      .png()
      .toBuffer();
    const image = { bytes, mimetype: 'image/png', width: 40, height: 30, pixelHash: String(index) };
    const domain = `${background}.example`;
    await stores.images.saveCapture({ domain, atMs: clock.now(), url: '', ipAddress: undefined, image });
  }
  const settings = settingsOf({ 'screenshots.browser': '/no/browser' });
  const failures: unknown[] = [];
  const screenshots = startScreenshots({
    ...stores,
    settings,
    clock,
    dialer: createDialer({ settings }),
    onUnavailable: () => undefined,
    onFailure: (error) => failures.push(error),
  });
  t.after(async () => {
    await screenshots.close();
    await stores.close();
  });
  await until(async () => (await stores.images.listAlike('0000000000000000', 9)).length === 3);
  assert.deepEqual(failures, []);
});
