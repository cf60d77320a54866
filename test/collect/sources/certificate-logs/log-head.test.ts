import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  getCheckpoint,
  getLogKey,
  getTreeHead,
} from '../../../../src/collect/sources/certificate-logs/log-head.ts';
import { pathOf } from '../../../../src/collect/sources/certificate-logs/static-log.ts';
import { Problem } from '../../../../src/model/problem.ts';
import { TestLog } from '../../../harness/network/certificate-log.ts';

const log = new TestLog();
log.claimedSize = 70_000;
const key = getLogKey(log.publicKey);
const kinds = [
  ['a tree head', getTreeHead, log.treeHead()],
  ['a checkpoint', getCheckpoint, log.checkpoint()],
] as const;
const isUnavailable = (error: unknown) => error instanceof Problem && error.code === 'unavailable';

for (const [what, read, text] of kinds) {
  test(`${what} signed by the log has its size and time`, () => {
    assert.deepEqual(read(Buffer.from(text), key), { size: 70_000, timestampMs: 1_700_000_000_123 });
  });

  test(`${what} that differs from what was signed is refused`, () => {
    for (const [from, to] of [
      ['70000', '70001'],
      ['70000', '-1'],
      ['70000', '1e5'],
      ['70000', '07000'],
      ['70000', '99999999999999999999'],
    ] as const) {
      assert.throws(() => read(Buffer.from(text.replace(from, to)), key), isUnavailable, to);
    }
    assert.throws(() => read(Buffer.from(text), getLogKey(new TestLog().publicKey)), isUnavailable);
  });

  test(`${what} of a log without a configured key is accepted`, () => {
    assert.equal(read(Buffer.from(text.replace('70000', '70001')), undefined).size, 70_001);
  });

  test(`${what} with any damaged byte is refused`, () => {
    const bytes = Buffer.from(text);
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, by) => {
        const damaged = Buffer.from(bytes);
        damaged[at] = (damaged[at] as number) ^ by;
        try {
          assert.equal(read(damaged, key).size, 70_000);
        } catch (error) {
          assert.ok(isUnavailable(error), String(error));
        }
      }),
      { numRuns: 600 },
    );
    fc.assert(
      fc.property(fc.uint8Array(), (any) => assert.throws(() => read(Buffer.from(any), key), isUnavailable)),
    );
  });
}

test('an invalid key, or one of an unsupported type, is refused', () => {
  const other = generateKeyPairSync('ed25519').publicKey.export({ format: 'der', type: 'spki' });
  for (const text of ['', 'nonsense', other.toString('base64')]) {
    assert.throws(() => getLogKey(text), { code: 'invalid-parameters' });
  }
});

test('the path of a tile is its number in groups of three digits', () => {
  assert.deepEqual([0, 67, 1234, 1_234_067].map(pathOf), ['000', '067', 'x001/234', 'x001/x234/067']);
});
