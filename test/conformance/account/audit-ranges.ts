/** The part of the account store's suite about finding entries of the audit log and checking its chain. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccountStore } from '../../../src/store/account-store.ts';
import { newUser, type OpenAccountStore } from '../new-user.ts';

/** More than one slice of the log, most of them of one actor. */
async function longLog(store: AccountStore): Promise<AccountStore> {
  const author = { actor: 'operator', atMs: 1 };
  await store.createUser(newUser('ada'), [], author);
  await store.createUser(newUser('bob'), [], author);
  for (let count = 0; count < 600; count += 1) {
    const rare = count % 200 === 0;
    const event = { action: rare ? 'key.reset' : 'note.add', account: count % 2 === 0 ? 'ada' : 'bob' };
    await store.appendAudit({ ...event, detail: { count } }, { actor: rare ? 'eve' : 'mallory', atMs: 2 });
  }
  return store;
}

export function auditRangesConformance(open: OpenAccountStore): void {
  test('entries are found by actor and kind among many others, page by page', async (t) => {
    const store = await longLog(open(t)());
    const countsOf = async (range: Parameters<AccountStore['listAudit']>[0]) =>
      (await store.listAudit(range)).map(({ detail }) => detail['count']);
    assert.deepEqual(await countsOf({ account: 'ada', actor: 'eve', limit: 10 }), [400, 200, 0]);
    assert.deepEqual(await countsOf({ kind: 'key', limit: 2 }), [400, 200]);
    assert.deepEqual(await countsOf({ kind: 'key.reset', actor: 'mallory', limit: 2 }), []);
    assert.deepEqual(await countsOf({ kind: 'ke', limit: 2 }), []);
    const [, second] = await store.listAudit({ kind: 'key', limit: 2 });
    assert.deepEqual(await countsOf({ kind: 'key', before: second?.number ?? 0, limit: 2 }), [0]);
  });

  test('the whole chain is checked, and the entries of an account or of all are counted', async (t) => {
    const store = await longLog(open(t)());
    assert.deepEqual(await store.checkAudit(), { checked: 604 });
    assert.deepEqual(await store.checkAudit('ada'), { checked: 302 });
    assert.deepEqual(await store.checkAudit('nobody'), { checked: 0 });
  });
}
