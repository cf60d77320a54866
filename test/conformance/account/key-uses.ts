/** The part of the usage store's suite about who used what. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayMs } from '../../../src/model/durations.ts';
import type { KeyUse, UsageStore } from '../../../src/store/usage-store.ts';
import type { OpenUsageStore } from '../usage-store.ts';

const day = Date.parse('2026-03-04T00:00:00Z');
const noon = day + dayMs / 2;

function use(username: string, item: string, ip = '192.0.2.7'): KeyUse {
  return { accountId: 'a', username, item, key: { userId: `id-${username}`, client: { ip } } };
}

const noteTimes = (store: UsageStore, times: number, what: KeyUse, atMs = noon) => {
  for (let count = 0; count < times; count += 1) store.noteUse(what, atMs);
};

export function keyUsesConformance(open: OpenUsageStore): void {
  test('uses are added up by day, user and item, over all processes and restarts', async (t) => {
    const handle = open(t);
    const [one, other] = [handle(), handle()];
    noteTimes(one, 3, use('ada', 'x'));
    noteTimes(other, 2, use('ada', 'x'));
    noteTimes(other, 1, use('ada', 'y'), noon + dayMs);
    noteTimes(other, 4, { accountId: 'a', username: 'person', item: 'x' });
    noteTimes(other, 9, { ...use('eve', 'x'), accountId: 'b' });
    await other.dailyUses('a', 0);
    const expected = [
      { dayMs: day, username: 'ada', item: 'x', used: 5 },
      { dayMs: day, username: 'person', item: 'x', used: 4 },
      { dayMs: day + dayMs, username: 'ada', item: 'y', used: 1 },
    ];
    assert.deepEqual(await one.dailyUses('a', 0), expected);
    assert.deepEqual(await one.dailyUses('a', day + 1), expected.slice(2));
    assert.deepEqual(await handle().dailyUses('a', 0), expected);
  });

  test('uses are written when the store closes', async (t) => {
    const handle = open(t);
    const store = handle();
    store.noteUse(use('ada', 'x'), noon);
    await store.close();
    assert.equal((await handle().dailyUses('a', 0)).length, 1);
  });

  test('40 days with requests are kept, however far apart', async (t) => {
    const store = open(t)();
    for (let index = 0; index < 50; index += 1) {
      store.noteUse(use('ada', 'x'), noon + index * 3 * dayMs);
      store.noteUse(use('ada', 'y'), noon + index * 3 * dayMs);
    }
    const days = new Set((await store.dailyUses('a', 0)).map((daily) => daily.dayMs));
    assert.deepEqual([days.size, Math.min(...days)], [40, day + 30 * dayMs]);
  });

  test('the last use has its time, to the second, and address; the last refusal its reason', async (t) => {
    const handle = open(t);
    const store = handle();
    store.noteUse(use('ada', 'x', '192.0.2.1'), noon);
    store.noteUse(use('ada', 'x', '192.0.2.2'), noon + 999);
    assert.deepEqual((await store.lastUses(['id-ada', 'id-bob'])).get('id-ada'), {
      atMs: noon,
      address: '192.0.2.1',
    });
    store.noteUse(use('ada', 'x', '192.0.2.3'), noon + 1000);
    const refused = { atMs: noon + 5000, address: '198.51.100.9', why: 'address' } as const;
    store.noteRefusal('id-ada', refused);
    store.noteRefusal('id-bob', { ...refused, why: 'expired' });
    await store.lastUses([]);
    const last = await handle().lastUses(['id-ada', 'id-bob', 'id-eve']);
    assert.deepEqual(
      [...last],
      [
        ['id-ada', { atMs: noon + 1000, address: '192.0.2.3', refused }],
        ['id-bob', { refused: { ...refused, why: 'expired' } }],
      ],
    );
  });

  test('a refusal does not hide the use before it, and a later use keeps the refusal', async (t) => {
    const store = open(t)();
    const refused = { atMs: noon, address: '198.51.100.9', why: 'expired' } as const;
    store.noteUse(use('ada', 'x'), noon - 5000);
    await store.lastUses([]);
    store.noteRefusal('id-ada', refused);
    await store.lastUses([]);
    store.noteUse(use('ada', 'x'), noon + 5000);
    assert.deepEqual((await store.lastUses(['id-ada'])).get('id-ada'), {
      atMs: noon + 5000,
      address: '192.0.2.7',
      refused,
    });
  });
}
