/** What every store promises that is written to under a lease. */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { LeaseLost } from '../../../src/store/lease/fencing-token.ts';
import type { LeaseStore } from '../../../src/store/lease/lease-store.ts';
import type { NameStore } from '../../../src/store/name-store.ts';
import type { StreamStore } from '../../../src/store/stream-store.ts';

export interface FencedStores {
  readonly leases: LeaseStore;
  readonly names: NameStore;
  readonly streams: StreamStore;
}

export const fencedAtMs = Date.parse('2026-03-04T10:00:00Z');
const untilMs = fencedAtMs + 30_000;

/** The tokens of two workers, of which the second has the lease. */
export async function formerAndPresent({ leases }: FencedStores) {
  const former = (await leases.acquireLease('source one', 'a', fencedAtMs, untilMs)) ?? assert.fail();
  const present = (await leases.acquireLease('source one', 'b', untilMs, untilMs + 30_000)) ?? assert.fail();
  return { former, present };
}

export function fencingConformance(title: string, open: (t: TestContext) => FencedStores): void {
  describe(`${title} under leases`, () => {
    test('names of a former holder are refused once a later one has written, and its checkpoint stays', async (t) => {
      const stores = open(t);
      const { names } = stores;
      const { former, present } = await formerAndPresent(stores);
      await names.recordNames('one', ['b.example'], fencedAtMs, { checkpoint: '9', fence: present });
      const late = { checkpoint: '5', fence: former };
      await assert.rejects(names.recordNames('one', ['a.example'], fencedAtMs, late), LeaseLost);
      assert.equal(await names.findCheckpoint('one'), '9');
      assert.deepEqual(await names.findSeenMs(['a.example', 'b.example']), [undefined, fencedAtMs]);
      await names.recordNames('one', ['c.example'], fencedAtMs, { checkpoint: '10', fence: present });
      assert.equal(await names.findCheckpoint('one'), '10');
    });

    test('lines of a former holder are refused once a later one has appended, and its producer mark stays', async (t) => {
      const stores = open(t);
      const { streams } = stores;
      const { former, present } = await formerAndPresent(stores);
      const lines = (text: string) => [{ stream: 'hosts', bytes: Buffer.from(`${text}\n`) }];
      const mark = { producer: 'hosts', from: undefined, to: '1' };
      assert.equal(await streams.append(lines('present'), fencedAtMs, undefined, present), true);
      const [late, free] = await Promise.all([
        streams.append(lines('former'), fencedAtMs, mark, former),
        streams.append(lines('free'), fencedAtMs),
      ]);
      assert.deepEqual([late, free], [false, true], 'one that shares the transaction is not affected');
      assert.equal(await streams.findProducerMark('hosts'), undefined);
      assert.equal((await streams.findState('hosts'))?.lines, 2);
    });

    test('a lease that ended and that nobody else has acquired still admits what its holder writes', async (t) => {
      const { leases, names } = open(t);
      const fence = (await leases.acquireLease('source one', 'a', fencedAtMs, untilMs)) ?? assert.fail();
      await leases.releaseLease('source one', 'a');
      await names.recordNames('one', [], fencedAtMs, { checkpoint: '1', fence });
      assert.equal(await names.findCheckpoint('one'), '1');
    });
  });
}
