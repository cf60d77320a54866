import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { readPixels, sizeOf } from '../../../src/product/screenshot/image-size.ts';

const pixels = fc.integer({ min: 1, max: 16_384 });
const wish = fc.option(fc.integer({ min: 1, max: 20_000 }), { nil: undefined });

test('no wish makes an image larger, and none makes nothing of it', () => {
  fc.assert(
    fc.property(pixels, pixels, wish, wish, (width, height, resizeWidth, cropHeight) => {
      const size = sizeOf({ width, height }, { resizeWidth, cropHeight });
      assert.ok(size.width >= 1 && size.width <= width);
      assert.ok(size.croppedHeight >= 1 && size.croppedHeight <= size.height && size.height <= height);
      if (resizeWidth === undefined || resizeWidth >= width)
        assert.deepEqual([size.width, size.height], [width, height]);
      else assert.equal(size.width, resizeWidth);
      assert.ok(
        size.height === 1 || Math.abs(size.height / size.width - height / width) <= 0.5 / size.width + 1e-9,
      );
      if (cropHeight !== undefined) assert.equal(size.croppedHeight, Math.min(cropHeight, size.height));
    }),
  );
});

test('a text is a number of pixels exactly where it is a positive integer in decimal', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1 }), (number) => {
      assert.equal(readPixels(String(number), 'resize_width'), number);
    }),
  );
  fc.assert(
    fc.property(fc.string(), (text) => {
      fc.pre(!/^\d+$/.test(text));
      assert.throws(() => readPixels(text, 'resize_width'), { name: 'Problem', code: 'invalid-parameters' });
    }),
  );
});
