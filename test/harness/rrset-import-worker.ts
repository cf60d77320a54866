/**
 * A process that imports observations of a small world under one id, tells after every flush how many are durable, and
 * merges runs now and then. Whoever started it kills it when it likes.
 */
import { openRrsetStore } from '../../src/store/embedded/rrset-store.ts';
import { nowSeconds } from './rrset-arbitraries.ts';
import { crashObservations } from './rrset-crash-world.ts';

const [directory = ''] = process.argv.slice(2);
const store = openRrsetStore(directory, { now: () => nowSeconds * 1000 });
const intake = await store.openIntake({ importId: 'crash' });
for (const [index, observation] of crashObservations().entries()) {
  await intake.add(observation);
  if (index % 40 !== 39 || index < intake.durable) continue;
  await intake.flush();
  process.stdout.write(`${intake.durable}\n`);
  if (index % 400 === 399) await store.settle();
}
await intake.finish();
process.stdout.write('complete\n');
await store.close();
