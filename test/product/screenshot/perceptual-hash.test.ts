import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { alikeBitsMax, hammingDistance } from '../../../src/model/picture/difference-hash.ts';
import { perceptualHash } from '../../../src/product/screenshot/perceptual-hash.ts';

/** A page with a heading, a form at a place, and a footer far below. */
async function page({ title = 'Sign in', left = 400, height = 960, footer = 'grey' } = {}) {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1280" height="${height}">
    <rect width="1280" height="${height}" fill="white"/><rect width="1280" height="120" fill="navy"/>
    <text x="40" y="80" font-size="40" fill="white">${title}</text>
    <rect x="${left}" y="260" width="440" height="420" fill="#ddd"/>
    <rect x="${left + 40}" y="400" width="360" height="50" fill="black"/>
    <rect y="1000" width="1280" height="2000" fill="${footer}"/></svg>`;
  const bytes = await sharp(Buffer.from(svg)).png().toBuffer();
  return { bytes, width: 1280, height };
}

test('pages that differ in little text have hashes within the bound, other pages have not', async () => {
  const original = await perceptualHash(await page());
  const renamed = await perceptualHash(await page({ title: 'Log in' }));
  const moved = await perceptualHash(await page({ left: 30 }));
  assert.match(original, /^[0-9a-f]{16}$/);
  assert.ok(hammingDistance(original, renamed) <= alikeBitsMax);
  assert.ok(hammingDistance(original, moved) > alikeBitsMax);
});

test('what is below the first screenful does not count', async () => {
  const [short, long] = [await page(), await page({ height: 2400, footer: 'red' })];
  assert.equal(await perceptualHash(long), await perceptualHash(short));
});

test('decoded pixels have the hash of the image', async () => {
  const original = await page();
  const { data } = await sharp(original.bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  assert.equal(
    await perceptualHash({ ...original, bytes: data, channels: 3 }),
    await perceptualHash(original),
  );
});

test('an image of one pixel has a hash, and bytes that are none are an error', async () => {
  const dot = await sharp({ create: { width: 1, height: 1, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  assert.equal(await perceptualHash({ bytes: dot, width: 1, height: 1 }), '0000000000000000');
  await assert.rejects(perceptualHash({ bytes: Buffer.from('no image'), width: 4, height: 3 }));
});
