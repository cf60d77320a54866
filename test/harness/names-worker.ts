/**
 * A process that takes names and tells discoveries, to be killed: `node names-worker.ts DIRECTORY`. It says the number of every batch that
 * is durable. Batch n brings hosts of the domains n and n + 1, so every domain comes twice.
 */
import { openNameIntake } from '../../src/collect/sources/name-intake.ts';
import { tellDiscoveries } from '../../src/collect/sources/tell-discoveries.ts';
import { openNameStore } from '../../src/store/embedded/name-store.ts';
import { openStreamStore } from '../../src/store/embedded/stream-store.ts';
import { TestClock } from './test-clock.ts';

const [directory = ''] = process.argv.slice(2);
const names = openNameStore(directory);
const streams = openStreamStore(directory);
const clock = new TestClock();
const intake = openNameIntake({ names, streams, clock });

const take = async () => {
  for (let batch = Number((await intake.findPlace('worker')) ?? 0); ; batch += 1) {
    const hosts = [`www.n${batch}.example`, `login.n${batch}.example`, `n${batch + 1}.example`];
    await intake.take('worker', { names: hosts, seenMs: clock.now(), place: String(batch + 1) });
    process.stdout.write(`${batch + 1}\n`);
  }
};
const tell = async () => {
  for (;;) {
    await tellDiscoveries({ names, streams, clock });
    await new Promise((resolve) => setImmediate(resolve));
  }
};
await Promise.all([take(), tell()]);
