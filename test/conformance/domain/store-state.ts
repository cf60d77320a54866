/** What caches of answers rely on: the state of a domain store is another after every change, by whichever process. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OpenDomainStore } from '../domain-store.ts';

const atMs = Date.parse('2026-03-04T12:00:00Z');
const by = { accountId: 'acme', userId: 'ann', username: 'ann', scope: 'team', atMs } as const;

export function storeStateConformance(open: OpenDomainStore): void {
  test('the state is the same while nothing changes', async (t) => {
    const store = open(t)();
    await store.upsert([{ record: { domain: 'a.com' }, source: 'test', seenMs: atMs }]);
    const state = await store.state();
    await store.findRecords(['a.com']);
    assert.equal(await store.state(), state);
  });

  test('the state is another after a change of records or of tags by another handle', async (t) => {
    const handle = open(t);
    const [reader, writer] = [handle(), handle()];
    const changes = {
      'a new record': () => writer.upsert([{ record: { domain: 'a.com' }, source: 'test', seenMs: atMs }]),
      'a changed record': () =>
        writer.upsert([{ record: { domain: 'a.com', registrar: 'R' }, source: 'test', seenMs: atMs }]),
      'a tag': () => writer.changeTags(['a.com'], { add: ['seen'], remove: [] }, by),
      'no tag any more': () => writer.changeTags(['a.com'], { add: [], remove: ['seen'] }, by),
    };
    for (const [change, make] of Object.entries(changes)) {
      const before = await reader.state();
      await make();
      assert.notEqual(await reader.state(), before, change);
    }
  });
}
