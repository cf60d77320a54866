import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as zlib from 'node:zlib';
import * as fc from 'fast-check';
import { decompressBody } from '../../../../src/collect/collectors/web/decompress-body.ts';

const max = 5_000_000;
const packers: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: zlib.gzipSync,
  'x-gzip': zlib.gzipSync,
  deflate: zlib.deflateSync,
  br: (bytes) => zlib.brotliCompressSync(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 5 } }),
  zstd: zlib.zstdCompressSync,
  identity: (bytes) => bytes,
};
const page = Buffer.from('<title>Ünpacked</title>'.repeat(50));

test('every content coding that we accept is decoded, also applied twice, and deflate without its zlib header', async () => {
  for (const [outer, packOuter] of Object.entries(packers)) {
    assert.deepEqual(await decompressBody(packOuter(page), outer, max), page, outer);
    for (const [inner, packInner] of Object.entries(packers))
      assert.deepEqual(
        await decompressBody(packOuter(packInner(page)), ` ${inner.toUpperCase()} , ${outer}`, max),
        page,
        `${inner}, ${outer}`,
      );
  }
  assert.deepEqual(await decompressBody(zlib.deflateRawSync(page), 'deflate', max), page);
  assert.deepEqual(await decompressBody(page, '', max), page);
});

test('a body with three codings or an unknown one is not decoded', async () => {
  const thrice = zlib.gzipSync(zlib.gzipSync(zlib.gzipSync(page)));
  assert.equal(await decompressBody(thrice, 'gzip, gzip, gzip', max), undefined);
  assert.equal(await decompressBody(page, 'compress', max), undefined);
  assert.equal(await decompressBody(page, 'gzip,'.repeat(100_000), max), undefined);
});

test('a decompression bomb is cut at the maximum ratio of text', async () => {
  const zeros = Buffer.alloc(50_000_000);
  for (const [packing, bomb] of [
    ['br', (packers['br'] as (bytes: Buffer) => Buffer)(zeros)],
    ['gzip', zlib.gzipSync(zeros)],
    ['zstd', zlib.zstdCompressSync(zeros)],
  ] as const) {
    const bytes = (await decompressBody(bomb, packing, max))?.length ?? -1;
    assert.ok(bytes >= 0 && bytes <= Math.min(max, Math.max(262_144, 250 * bomb.length)), packing);
  }
  const twice = await decompressBody(zlib.gzipSync(zlib.gzipSync(zeros)), 'gzip, gzip', max);
  assert.equal(twice?.length, max);
});

test('a truncated body yields what could be decoded', async () => {
  const text = Buffer.from(Array.from({ length: 50_000 }, (_, index) => `line ${index}\n`).join(''));
  for (const packing of ['gzip', 'deflate', 'br', 'zstd']) {
    const packed = (packers[packing] as (bytes: Buffer) => Buffer)(text);
    const cut = await decompressBody(packed.subarray(0, packed.length / 2), packing, max);
    assert.ok(cut && cut.length > 10_000 && cut.length < text.length, `${packing} ${cut?.length}`);
    assert.deepEqual(cut, text.subarray(0, cut.length));
  }
});

test('any bytes with any content coding are decoded or refused', async () => {
  const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));
  const mutated = fc
    .tuple(fc.constantFrom(...Object.values(packers)), fc.nat(400), fc.nat(255))
    .map(([pack, at, value]) => {
      const packed = Buffer.from(pack(page));
      packed[at % packed.length] = value;
      return packed;
    });
  const encoding = fc.array(fc.constantFrom(...Object.keys(packers), 'odd', ''), { maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(fc.oneof(bytes, mutated), encoding, async (body, words) => {
      const unpacked = await decompressBody(body, words.join(','), 10_000);
      assert.ok(unpacked === undefined || unpacked.length <= 10_000);
    }),
    { numRuns: 200 },
  );
});
