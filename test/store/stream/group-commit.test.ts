import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GroupCommit } from '../../../src/store/stream/group-commit.ts';

/** Counts the operations of each transaction; an operation that throws fails its whole transaction. */
function counted() {
  const transactions: number[] = [];
  const group = new GroupCommit<() => unknown>(async (operations) => {
    transactions.push(operations.length);
    return operations.map((operation) => operation());
  });
  return { transactions, group };
}

test('operations that arrive together share a transaction and keep their order', async () => {
  const { transactions, group } = counted();
  const order: number[] = [];
  const results = [1, 2, 3].map((number) => group.run(() => order.push(number)));
  assert.deepEqual(await Promise.all(results), [1, 2, 3]);
  assert.deepEqual([transactions, order], [[3], [1, 2, 3]]);
});

test('a transaction has a limited number of operations and of bytes', async () => {
  const { transactions, group } = counted();
  const many = Array.from({ length: 300 }, () => group.run(() => undefined));
  const large = Array.from({ length: 3 }, () => group.run(() => undefined, 3 << 20));
  await Promise.all([...many, ...large]);
  assert.deepEqual(transactions, [256, 46, 1]);
});

test('exclusive work runs alone, between the transactions before and after it', async () => {
  const { transactions, group } = counted();
  const order: string[] = [];
  await Promise.all([
    group.run(() => order.push('before')),
    group.runExclusive(async () => order.push('exclusive')),
    group.run(() => order.push('after')),
  ]);
  assert.deepEqual(
    [transactions, order],
    [
      [1, 1],
      ['before', 'exclusive', 'after'],
    ],
  );
});

test('a failed transaction rejects all of its operations, and the next one runs', async () => {
  const { group } = counted();
  const failed = [group.run(() => 1), group.run(() => assert.fail('disk full'))];
  for (const outcome of await Promise.allSettled(failed)) assert.equal(outcome.status, 'rejected');
  assert.equal(await group.run(() => 2), 2);
});
