import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { Problem } from '../../../src/model/problem.ts';
import { SizedImages } from '../../../src/product/screenshot/sized-images.ts';

test('whoever asks for many sizes at once is told to come again, and the server goes on', async () => {
  const [width, height] = [300, 200];
  const create = { width, height, channels: 3, background: 'navy' } as const;
  const bytes = await sharp({ create }).png().toBuffer();
  const image = { bytes, mimetype: 'image/png', width, height, pixelHash: 'ab' };
  const sized = new SizedImages();
  const asked = Array.from({ length: 100 }, (_, index) =>
    sized.get(image, { resizeWidth: index + 1, cropHeight: undefined }),
  );
  const outcomes = await Promise.allSettled(asked);
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
  assert.ok(refused.length > 0 && refused.length < 100, `${refused.length} were refused`);
  for (const { reason } of refused)
    assert.ok(reason instanceof Problem && reason.code === 'unavailable', String(reason));
  assert.equal((await sized.get(image, { resizeWidth: 100, cropHeight: undefined })).width, 100);
});
