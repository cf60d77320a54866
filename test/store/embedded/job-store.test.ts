import { openJobStore } from '../../../src/store/embedded/job-store.ts';
import type { JobStore } from '../../../src/store/job-store.ts';
import { jobStoreConformance } from '../../conformance/job-store.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

jobStoreConformance('the embedded store', (t) => {
  const directory = temporaryDirectory(t);
  const opened: JobStore[] = [];
  t.after(async () => {
    for (const store of opened) await store.close();
  });
  return () => {
    const store = openJobStore(directory);
    opened.push(store);
    return store;
  };
});
