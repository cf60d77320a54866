import type { PostgresDatabase } from '../postgres/database.ts';
import { ObjectReader } from './object-reader.ts';
import { S3Client } from './s3-client.ts';
import type { S3Options } from './s3-requests.ts';
import { StoredObjects } from './stored-objects.ts';

/** What streams, archives and images share: one cache, and one sweep of objects that none of them names. */
export interface Objects {
  readonly stored: StoredObjects;
  readonly reader: ObjectReader;
  /** One that has cached nothing, to verify what is stored. */
  newReader(): ObjectReader;
  /** Throws unless the object store answers. */
  ask(): Promise<void>;
}

const cacheBytes = 32 << 20;
const verificationBytes = 8 << 20;

export function openObjects(database: PostgresDatabase, options: S3Options): Objects {
  const s3 = new S3Client(options);
  return {
    stored: new StoredObjects(database, s3),
    reader: new ObjectReader(s3, cacheBytes),
    newReader: () => new ObjectReader(s3, verificationBytes),
    ask: async () => void (await s3.findBytes('no-such-object', 0, 1)),
  };
}
