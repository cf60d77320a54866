/** What every store of evidence cases must do. Two handles on the same data stand for two processes. */
import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { describe, type TestContext, test } from 'node:test';
import {
  abandonedMs,
  type CaseStore,
  type EvidenceCase,
  partBytes,
} from '../../../src/store/evidence/case-store.ts';

/** A function that opens one more handle on the data of this test. */
export type OpenCaseStore = (t: TestContext) => () => CaseStore;

const made = (id: string, createdMs: number, more: Partial<EvidenceCase> = {}): EvidenceCase => ({
  id,
  accountId: 'a',
  createdMs,
  createdBy: 'alice',
  domains: ['a.example', 'b.example'],
  recipient: 'registrar',
  recipientName: 'Registrar Ltd',
  note: '',
  hash: 'ab'.repeat(32),
  bytes: 3,
  sentMs: undefined,
  answeredMs: undefined,
  outcome: 'open',
  ...more,
});

const bytesOf = (store: CaseStore, id: string, accountId = 'a') => buffer(store.scanPack({ accountId, id }));

export function caseStoreConformance(name: string, open: OpenCaseStore): void {
  describe(`${name} as a store of evidence cases`, () => {
    test('a case is found in every process with all bytes of its pack', async (t) => {
      const handle = open(t);
      const pack = Buffer.alloc(2 * partBytes + 10, 'x');
      assert.equal(await handle().createCase(made('1', 1000), pack, 10), true);
      const other = handle();
      assert.deepEqual(await other.findCase({ accountId: 'a', id: '1' }), made('1', 1000));
      assert.ok(pack.equals(await bytesOf(other, '1')));
    });

    test('another account sees, changes and deletes nothing', async (t) => {
      const store = open(t)();
      await store.createCase(made('1', 1000), Buffer.from('abc'), 10);
      const key = { accountId: 'b', id: '1' };
      assert.deepEqual(await store.listCases('b', 10), []);
      assert.equal(await store.findCase(key), undefined);
      assert.equal(await store.changeCase(key, { note: 'x' }), undefined);
      assert.equal(await store.deleteCase(key), false);
      assert.equal((await bytesOf(store, '1', 'b')).length, 0);
      assert.deepEqual(await store.listCases('a', 10), [made('1', 1000)]);
    });

    test('cases are listed newest first', async (t) => {
      const store = open(t)();
      for (const [id, ms] of [
        ['1', 1000],
        ['2', 3000],
        ['3', 2000],
      ] as const)
        await store.createCase(made(id, ms), Buffer.from('abc'), 10);
      assert.deepEqual(
        (await store.listCases('a', 2)).map(({ id }) => id),
        ['2', '3'],
      );
    });

    test('a change leaves the other members as they are', async (t) => {
      const store = open(t)();
      await store.createCase(made('1', 1000), Buffer.from('abc'), 10);
      const key = { accountId: 'a', id: '1' };
      await store.changeCase(key, { sentMs: 5000 });
      const changed = await store.changeCase(key, { outcome: 'taken-down', answeredMs: 6000 });
      const expected = made('1', 1000, { sentMs: 5000, answeredMs: 6000, outcome: 'taken-down' });
      assert.deepEqual([changed, await store.findCase(key)], [expected, expected]);
    });

    test('an account that has as many cases as it may gets no other, until one is deleted', async (t) => {
      const store = open(t)();
      assert.equal(await store.createCase(made('1', 1000), Buffer.from('abc'), 1), true);
      assert.equal(await store.createCase(made('2', 2000), Buffer.from('abc'), 1), false);
      assert.equal(await store.createCase(made('3', 2000, { accountId: 'b' }), Buffer.from('abc'), 1), true);
      assert.equal(await store.deleteCase({ accountId: 'a', id: '1' }), true);
      assert.equal((await bytesOf(store, '1')).length, 0);
      assert.equal(await store.createCase(made('4', 3000 + abandonedMs), Buffer.from('abc'), 1), true);
      assert.deepEqual(await bytesOf(store, '4'), Buffer.from('abc'));
    });
  });
}
