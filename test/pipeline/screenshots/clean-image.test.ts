import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import * as fc from 'fast-check';
import sharp from 'sharp';
import { cleanImage } from '../../../src/pipeline/screenshots/clean-image.ts';

const pixelsMax = 1_000_000;
const blank = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#123456' } });

test('an image keeps its pixels and loses everything else', async () => {
  const comment = { IFD0: { ImageDescription: 'secret words', Copyright: 'secret words' } };
  const png = await blank(20, 10).withExif(comment).withIccProfile('p3').png().toBuffer();
  assert.ok(png.includes('secret words'));
  const { bytes, width, height, mimetype, pixelHash } = await cleanImage(png, pixelsMax);
  assert.deepEqual([width, height, mimetype], [20, 10, 'image/png']);
  const { exif, icc, xmp, comments } = await sharp(bytes).metadata();
  assert.deepEqual([exif, icc, xmp, comments], [undefined, undefined, undefined, undefined]);
  assert.ok(!bytes.includes('secret words'));
  const pixels = await sharp(bytes).raw().toBuffer();
  assert.equal(pixelHash, createHash('sha256').update(pixels).digest('hex'));
});

test('equal pixels give the same hash and the same bytes, however they were compressed', async () => {
  const encoded = await Promise.all(
    [{ compressionLevel: 0 }, { compressionLevel: 9 }, { palette: true }].map((options) =>
      blank(30, 30).png(options).toBuffer(),
    ),
  );
  const cleaned = await Promise.all(encoded.map((png) => cleanImage(png, pixelsMax)));
  assert.equal(new Set(cleaned.map(({ pixelHash }) => pixelHash)).size, 1);
  assert.ok(cleaned.every(({ bytes }) => bytes.equals(cleaned[0]?.bytes as Buffer)));
});

test('an image with too many pixels is not decompressed', async () => {
  const bomb = await blank(4000, 4000).png().toBuffer();
  await assert.rejects(cleanImage(bomb, pixelsMax), /pixel limit/);
});

test('bytes that are not a PNG, or a corrupt one, are rejected', async () => {
  const png = await blank(16, 16).png().toBuffer();
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.uint8Array({ maxLength: 200 }),
        fc.tuple(fc.nat(png.length - 1), fc.nat(255)).map(([at, value]) => {
          const changed = Uint8Array.from(png);
          changed[at] = value;
          return changed;
        }),
        fc.nat(png.length).map((length) => Uint8Array.from(png.subarray(0, length))),
      ),
      async (bytes) => {
        const cleaned = await cleanImage(bytes, pixelsMax).catch((error: unknown) => {
          assert.ok(error instanceof Error);
        });
        if (cleaned) assert.ok(cleaned.width * cleaned.height <= pixelsMax);
      },
    ),
    { numRuns: 100 },
  );
});

test('other image formats are rejected', async () => {
  const svg = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>',
  );
  await assert.rejects(cleanImage(svg, pixelsMax));
  await assert.rejects(cleanImage(await blank(9, 9).jpeg().toBuffer(), pixelsMax));
});
