import { openStreamStore } from '../../../src/store/embedded/stream-store.ts';
import type { StreamStore } from '../../../src/store/stream-store.ts';
import { streamStoreConformance } from '../../conformance/stream-store.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

streamStoreConformance('the embedded adapter', (t) => {
  const directory = temporaryDirectory(t);
  const opened: StreamStore[] = [];
  t.after(async () => {
    for (const store of opened) await store.close().catch(() => undefined);
  });
  return () => {
    const store = openStreamStore(directory);
    opened.push(store);
    return store;
  };
});
