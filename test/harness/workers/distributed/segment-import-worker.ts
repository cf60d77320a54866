/**
 * A node that imports observations under one import id into segments in an object store, prints after every flush how many are durable, and compacts
 * occasionally. The test may kill it at any time.
 */
import {
  type DatabaseOptions,
  PostgresDatabase,
} from '../../../../src/store/distributed/postgres/database.ts';
import { openObjects } from '../../../../src/store/distributed/s3/open-objects.ts';
import type { S3Options } from '../../../../src/store/distributed/s3/s3-requests.ts';
import { openSegmentRrsets } from '../../../../src/store/distributed/segment-rrsets/segment-rrset-store.ts';
import { nowSeconds } from '../../arbitraries/rrset-arbitraries.ts';
import { crashObservations } from '../crash-observations.ts';

const [databaseOptions = '', s3Options = '', cacheDirectory = ''] = process.argv.slice(2);
const database = new PostgresDatabase(JSON.parse(databaseOptions) as DatabaseOptions);
const store = openSegmentRrsets({
  database,
  objects: openObjects(database, JSON.parse(s3Options) as S3Options),
  clock: { now: () => nowSeconds * 1000 },
  cacheDirectory,
  cacheBytesMax: 1 << 30,
  blockBytes: 1 << 20,
  searchBlockBytes: 1 << 20,
});
const intake = await store.openIntake({ importId: 'crash' });
for (const [index, observation] of crashObservations().entries()) {
  await intake.add(observation);
  if (index % 40 !== 39 || index < intake.durable) continue;
  await intake.flush();
  process.stdout.write(`${intake.durable}\n`);
  // On its own, so that the test kills writes and compactions alike.
  if (index % 200 === 199) await store.compact();
}
await intake.finish();
process.stdout.write('complete\n');
await store.close();
await database.close();
