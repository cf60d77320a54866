/** A node that seals the segments of all streams, and reports how many it made. The test may kill it at any time. */
import { PostgresDatabase } from '../../../../src/store/distributed/postgres/database.ts';
import { openObjects } from '../../../../src/store/distributed/s3/open-objects.ts';
import { openStreamStore } from '../../../../src/store/distributed/stream/stream-store.ts';

const [databaseOptions = '', s3Options = ''] = process.argv.slice(2);
const database = new PostgresDatabase(JSON.parse(databaseOptions));
const store = openStreamStore(database, openObjects(database, JSON.parse(s3Options)));
process.stdout.write(`${await store.sealSegments(Date.now())}\n`);
await store.close();
await database.close();
