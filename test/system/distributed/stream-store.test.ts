import { test } from 'node:test';
import { openObjects } from '../../../src/store/distributed/s3/open-objects.ts';
import { openStreamStore } from '../../../src/store/distributed/stream/stream-store.ts';
import type { StreamStore } from '../../../src/store/stream-store.ts';
import { streamStoreConformance } from '../../conformance/stream-store.ts';
import { newNodes } from '../../harness/engines/nodes.ts';
import { startPostgres } from '../../harness/engines/postgres.ts';
import { startRadosGateway } from '../../harness/engines/rados-gateway.ts';
import { fileScope } from '../../harness/test-scope.ts';

const scope = fileScope();
const postgres = await startPostgres(scope);
const gateway = await startRadosGateway(scope);

if (postgres && gateway) {
  for (const isSealed of [false, true]) {
    const name = isSealed ? 'the distributed adapter with lines in S3' : 'the distributed adapter';
    streamStoreConformance(name, (t) => {
      const node = newNodes(postgres, ['streams'], t);
      const options = gateway.newOptions();
      return () => {
        const database = node();
        const store = openStreamStore(database, openObjects(database, options));
        t.after(() => store.close());
        return isSealed ? sealing(store) : store;
      };
    });
  }
} else {
  test(
    'streams in PostgreSQL and S3',
    { skip: 'skipped: no PostgreSQL or no RADOS Gateway' },
    () => undefined,
  );
}

/** Whatever is appended is in S3 before it can be read. */
function sealing(store: ReturnType<typeof openStreamStore>): StreamStore {
  return {
    ...store,
    append: async (...parameters) => {
      const isAppended = await store.append(...parameters);
      await store.sealSegments(Number.MAX_SAFE_INTEGER);
      return isAppended;
    },
  };
}
