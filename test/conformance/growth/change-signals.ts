/** What every store promises that signals growth. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { ChangeSignals } from '../../../src/store/growth/change-signals.ts';
import { GrowthPoller } from '../../../src/store/growth/growth-poller.ts';

export interface Growing {
  /** Of one node. */
  readonly signals: ChangeSignals;
  findEnd(name: string): Promise<number>;
  /** On another node. */
  grow(name: string): Promise<void>;
  /** Breaks the connection over which signals come. */
  lose(): Promise<void>;
}

const never = new AbortController().signal;
const longMs = 600_000;

export function changeSignalsConformance(title: string, open: (t: TestContext) => Promise<Growing>): void {
  const connected = async ({ signals }: Growing) => {
    while (!signals.isConnected()) await pause(5);
  };

  test(`${title}: a reader that waits is woken by growth on another node, and nothing else is asked for meanwhile`, async (t) => {
    const growing = await open(t);
    let polls = 0;
    const findEnd = (name: string) => {
      polls += 1;
      return growing.findEnd(name);
    };
    // By polling alone it would wait for ten minutes.
    const growth = new GrowthPoller(findEnd, longMs, { growth: growing.signals });
    const keepListening = growing.signals.listen(() => undefined);
    await connected(growing);
    const waiting = growth.wait('one', 0, longMs, never);
    await pause(50);
    await growing.grow('two');
    await growing.grow('one');
    const end = await waiting;
    assert.equal(end, await growing.findEnd('one'));
    const before = polls;
    const later = growth.wait('one', end, longMs, never);
    await pause(100);
    assert.ok(polls <= before + 1, `${polls} polls`);
    await growing.grow('one');
    assert.ok((await later) > end);
    keepListening();
  });

  test(`${title}: who listens is called when the connection is lost and when it is there again, and then signals come as before`, async (t) => {
    const growing = await open(t);
    const names: string[] = [];
    const stop = growing.signals.listen((name) => names.push(name));
    await connected(growing);
    assert.deepEqual(names, ['']);
    await growing.lose();
    while (names.length < 3) await pause(5);
    assert.deepEqual(names, ['', '', '']);
    await growing.grow('two');
    while (!names.includes('two')) await pause(5);
    stop();
    assert.equal(growing.signals.isConnected(), false);
  });
}
