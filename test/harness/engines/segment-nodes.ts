/** Nodes of passive DNS with segments in an object store, each with a cache directory of its own. */
import { PostgresDatabase } from '../../../src/store/distributed/postgres/database.ts';
import { openObjects } from '../../../src/store/distributed/s3/open-objects.ts';
import type { S3Options } from '../../../src/store/distributed/s3/s3-requests.ts';
import {
  openSegmentRrsets,
  type SegmentRrsetsOptions,
} from '../../../src/store/distributed/segment-rrsets/segment-rrset-store.ts';
import { nowSeconds } from '../arbitraries/rrset-arbitraries.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import { lastFirst, type TestScope } from '../test-scope.ts';
import { newSchema, type PostgresServer } from './postgres.ts';

export function newSegmentNodes(postgres: PostgresServer, s3: S3Options, t: TestScope) {
  const databaseOptions = newSchema(postgres, ['segments']);
  lastFirst(t);
  const newDatabase = () => {
    const database = new PostgresDatabase(databaseOptions);
    t.after(() => database.close());
    return database;
  };
  return {
    databaseOptions,
    newDatabase,
    open: (more: Partial<SegmentRrsetsOptions> & { readonly endpoint?: string } = {}) => {
      const { endpoint = s3.endpoint, ...options } = more;
      const database = newDatabase();
      return openSegmentRrsets({
        database,
        objects: openObjects(database, { ...s3, endpoint }),
        clock: { now: () => nowSeconds * 1000 },
        cacheDirectory: temporaryDirectory(t),
        cacheBytesMax: 1 << 30,
        blockBytes: 8 << 20,
        searchBlockBytes: 4 << 20,
        ...options,
      });
    },
  };
}
