import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Turn } from '../../../src/collect/dnstap/turn.ts';

/** Works on, synchronously, until the turn is over. */
function work(turn: Turn): { rounds: number; next: Promise<void> } {
  for (let rounds = 0; ; rounds++) {
    const next = turn.over();
    if (next) return { rounds, next };
  }
}

test('a turn is long enough for many rounds of work', async () => {
  const turn = new Turn();
  let most = 0;
  // A busy machine may take the processor away for a whole turn, but not for all of them.
  for (let turns = 0; turns < 1000 && most <= 10; turns++) {
    const { rounds, next } = work(turn);
    most = Math.max(most, rounds);
    await next;
  }
  assert.ok(most > 10);
});

test('everything else has its turn before the next one begins', async () => {
  const turn = new Turn();
  await turn.over();
  const order: string[] = [];
  setImmediate(() => order.push('something else'));
  await work(turn).next;
  order.push('work');
  assert.deepEqual(order, ['something else', 'work']);
});

test('all who share a turn wait for the same next one', async () => {
  const turn = new Turn();
  await turn.over();
  const { next } = work(turn);
  assert.equal(turn.over(), next);
  await next;
});
