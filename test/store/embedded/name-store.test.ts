import { openNameStore } from '../../../src/store/embedded/name-store.ts';
import type { NameStore } from '../../../src/store/name-store.ts';
import { nameStoreConformance } from '../../conformance/name-store.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

nameStoreConformance('the embedded adapter', (t) => {
  const directory = temporaryDirectory(t);
  const opened: NameStore[] = [];
  t.after(async () => {
    for (const store of opened) await store.close();
  });
  return () => {
    const store = openNameStore(directory);
    opened.push(store);
    return store;
  };
});
