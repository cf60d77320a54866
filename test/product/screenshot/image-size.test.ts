import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { parsePixels, sizeOf } from '../../../src/product/screenshot/image-size.ts';

const pixels = fc.integer({ min: 1, max: 16_384 });
const option = fc.option(fc.integer({ min: 1, max: 20_000 }), { nil: undefined });

test('no option makes an image larger, or smaller than one pixel', () => {
  fc.assert(
    fc.property(pixels, pixels, option, option, (width, height, resizeWidth, cropHeight) => {
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

test('a number of pixels is a positive decimal integer', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1 }), (number) => {
      assert.equal(parsePixels(String(number), 'resize_width'), number);
    }),
  );
  fc.assert(
    fc.property(fc.string(), (text) => {
      fc.pre(!/^\d+$/.test(text));
      assert.throws(() => parsePixels(text, 'resize_width'), { name: 'Problem', code: 'invalid-parameters' });
    }),
  );
});
