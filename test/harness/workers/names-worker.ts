/**
 * A process to be killed that ingests names and publishes discoveries: `node names-worker.ts DIRECTORY`. It prints
 * the number of every durable batch. Batch n has hosts of the domains n and n + 1, so every domain occurs twice.
 */
import { openNameIntake } from '../../../src/collect/sources/name-intake.ts';
import { publishDiscoveries } from '../../../src/pipeline/publishing/publish-discoveries.ts';
import { openNameStore } from '../../../src/store/embedded/name-store.ts';
import { openStreamStore } from '../../../src/store/embedded/stream-store.ts';
import { TestClock } from '../test-clock.ts';

const [directory = ''] = process.argv.slice(2);
const names = openNameStore(directory);
const streams = openStreamStore(directory);
const clock = new TestClock();
const intake = openNameIntake({ names, streams, clock });

const ingest = async () => {
  for (let batch = Number((await intake.findCheckpoint('worker')) ?? 0); ; batch += 1) {
    const hosts = [`www.n${batch}.example`, `login.n${batch}.example`, `n${batch + 1}.example`];
    await intake.ingest('worker', { names: hosts, seenMs: clock.now(), checkpoint: String(batch + 1) });
    process.stdout.write(`${batch + 1}\n`);
  }
};
const publish = async () => {
  for (;;) {
    await publishDiscoveries({ names, streams, clock });
    await new Promise((resolve) => setImmediate(resolve));
  }
};
await Promise.all([ingest(), publish()]);
