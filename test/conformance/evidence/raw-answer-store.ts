/** What every store of raw answers must do. Two handles on the same data stand for two processes. */
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { describe, type TestContext, test } from 'node:test';
import type { RawAnswer } from '../../../src/model/evidence/raw-answer.ts';
import { answerOverheadBytes, type RawAnswerStore } from '../../../src/store/evidence/raw-answer-store.ts';

/** A function that opens one more handle on the data of this test. */
export type OpenRawAnswerStore = (t: TestContext) => () => RawAnswerStore;

const unlimited = { domainBytesMax: 1e9, totalBytesMax: 1e9 };

export function answer(domain: string, atMs: number, text: string, more: Partial<RawAnswer> = {}): RawAnswer {
  return {
    domain,
    collector: 'rdap',
    kind: 'rdap',
    atMs,
    asked: `https://rdap.example/domain/${domain}`,
    address: '192.0.2.1',
    request: `GET https://rdap.example/domain/${domain}`,
    mediaType: 'application/rdap+json',
    bytes: Buffer.from(text),
    isTruncated: false,
    ...more,
  };
}

export function rawAnswerStoreConformance(name: string, open: OpenRawAnswerStore): void {
  describe(`${name} as a store of raw answers`, () => {
    test('a saved answer is found in every process, byte for byte, with the probe that fetched it', async (t) => {
      const handle = open(t);
      const first = handle();
      const bytes = Buffer.from([0, 255, 128, 10, 13]);
      await first.saveAnswers([answer('a.example', 1000, '', { bytes, isTruncated: true })], unlimited);
      for (const store of [first, handle()]) {
        const { bytes: _bytes, atMs: _at, ...probe } = answer('a.example', 1000, '');
        const expected = {
          ...probe,
          isTruncated: true,
          firstMs: 1000,
          seenMs: 1000,
          hash: hash('sha256', bytes),
          size: 5,
        };
        assert.deepEqual(await store.listAnswers('a.example', 10), [expected]);
        assert.deepEqual(await store.findBytes(expected.hash), bytes);
      }
    });

    test('the same answer again is stored once, and moves the time at which it was last seen', async (t) => {
      const store = open(t)();
      for (const atMs of [1000, 3000, 2000])
        await store.saveAnswers([answer('a.example', atMs, 'x')], unlimited);
      const kept = await store.listAnswers('a.example', 10);
      assert.deepEqual(
        kept.map(({ firstMs, seenMs }) => [firstMs, seenMs]),
        [[1000, 3000]],
      );
      assert.deepEqual(await store.statistics(), { answers: 1, bytes: 1 + answerOverheadBytes });
    });

    test('equal bytes of two domains are counted once, and stay until neither has them', async (t) => {
      const store = open(t)();
      const [a, b] = [answer('a.example', 1000, 'parked'), answer('b.example', 2000, 'parked')];
      await store.saveAnswers([a, b], unlimited);
      assert.deepEqual(await store.statistics(), { answers: 2, bytes: 6 + 2 * answerOverheadBytes });
      const parked = hash('sha256', 'parked');
      const limits = { ...unlimited, totalBytesMax: 1 + answerOverheadBytes * 2 };
      await store.saveAnswers([b], limits);
      assert.deepEqual(await store.listAnswers('a.example', 10), []);
      assert.deepEqual(await store.findBytes(parked), Buffer.from('parked'));
      await store.saveAnswers([], { ...unlimited, totalBytesMax: 0 });
      assert.equal(await store.findBytes(parked), undefined);
      assert.deepEqual(await store.statistics(), { answers: 0, bytes: 0 });
    });

    test('a domain keeps the answers that were seen last, within its bound', async (t) => {
      const store = open(t)();
      const limits = { ...unlimited, domainBytesMax: 2 * (answerOverheadBytes + 1) };
      for (const [at, text] of ['1', '2', '3'].entries())
        await store.saveAnswers([answer('a.example', 1000 + at, text)], limits);
      const kept = await store.listAnswers('a.example', 10);
      assert.deepEqual(
        kept.map(({ seenMs }) => seenMs),
        [1002, 1001],
      );
    });

    test('at most as many answers as asked for are listed, last seen first', async (t) => {
      const store = open(t)();
      for (const atMs of [1, 2, 3])
        await store.saveAnswers([answer('a.example', atMs, `${atMs}`)], unlimited);
      const kept = await store.listAnswers('a.example', 2);
      assert.deepEqual(
        kept.map(({ seenMs }) => seenMs),
        [3, 2],
      );
    });
  });
}
