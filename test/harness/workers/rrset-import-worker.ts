/**
 * A process that imports observations under one import id, prints after every flush how many are durable, and
 * compacts segments occasionally. The test may kill it at any time.
 */
import { openRrsetStore } from '../../../src/store/embedded/rrset-store.ts';
import { nowSeconds } from '../arbitraries/rrset-arbitraries.ts';
import { crashObservations } from './crash-observations.ts';

const [directory = ''] = process.argv.slice(2);
const store = openRrsetStore(directory, { now: () => nowSeconds * 1000 });
const intake = await store.openIntake({ importId: 'crash' });
for (const [index, observation] of crashObservations().entries()) {
  await intake.add(observation);
  if (index % 40 !== 39 || index < intake.durable) continue;
  await intake.flush();
  process.stdout.write(`${intake.durable}\n`);
  if (index % 400 === 399) await store.compact();
}
await intake.finish();
process.stdout.write('complete\n');
await store.close();
