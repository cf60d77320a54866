import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { Problem } from '../../../src/model/problem.ts';
import { SizedImages } from '../../../src/product/screenshot/sized-images.ts';

test('of many concurrent requests some are refused as unavailable, and later ones succeed', async () => {
  const [width, height] = [300, 200];
  const create = { width, height, channels: 3, background: 'navy' } as const;
  const bytes = await sharp({ create }).png().toBuffer();
  const image = { bytes, mimetype: 'image/png', width, height, pixelHash: 'ab' };
  const sized = new SizedImages();
  const requests = Array.from({ length: 100 }, (_, index) =>
    sized.get(image, { resizeWidth: index + 1, cropHeight: undefined }),
  );
  const outcomes = await Promise.allSettled(requests);
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
  assert.ok(refused.length > 0 && refused.length < 100, `${refused.length} were refused`);
  for (const { reason } of refused)
    assert.ok(reason instanceof Problem && reason.code === 'unavailable', String(reason));
  assert.equal((await sized.get(image, { resizeWidth: 100, cropHeight: undefined })).width, 100);
});
