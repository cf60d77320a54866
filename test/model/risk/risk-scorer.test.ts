import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RiskScorer } from '../../../src/model/risk/risk-scorer.ts';
import { readModel } from '../../../src/product/risk/read-model.ts';
import { readModelInThread } from '../../../src/product/risk/read-model-in-thread.ts';

const name = 'secure-paypal-login-verify.top';

test('a model from a file is read with the first use, once', () => {
  const model = readModel();
  let reads = 0;
  const read = () => {
    reads += 1;
    return model;
  };
  const scorer = new RiskScorer(
    { read, readInThread: async () => read() },
    { popularRankMax: 0, version: 7 },
  );
  assert.deepEqual([scorer.version, reads], [7, 0]);
  assert.ok(scorer.names.findScores(name));
  assert.ok(scorer.records);
  assert.equal(reads, 1);
});

test('a model that a thread read scores like one that was read here', async () => {
  const here = new RiskScorer(readModel(), { popularRankMax: 0 });
  const read = () => assert.fail('not in the thread');
  const there = new RiskScorer({ read, readInThread: readModelInThread }, { popularRankMax: 0 });
  const [loaded, again] = await Promise.all([there.load(), there.load()]);
  assert.equal(loaded, again);
  assert.deepEqual(there.names.findScores(name), here.names.findScores(name));
});

test('a model that could not be read is read again when it is next needed', async () => {
  const model = readModel();
  const answers = [() => Promise.reject(new Error('no memory')), async () => model];
  const readInThread = () => (answers.shift() as () => Promise<typeof model>)();
  const scorer = new RiskScorer({ read: () => assert.fail(), readInThread }, { popularRankMax: 0 });
  await assert.rejects(scorer.load(), /no memory/);
  assert.ok((await scorer.load()).names.findScores(name));
});
