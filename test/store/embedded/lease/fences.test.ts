import { openLeaseStore } from '../../../../src/store/embedded/lease-store.ts';
import { openNameStore } from '../../../../src/store/embedded/name-store.ts';
import { openStreamStore } from '../../../../src/store/embedded/stream-store.ts';
import { fencingConformance } from '../../../conformance/lease/fencing.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';

fencingConformance('the embedded adapter', (t) => {
  const directory = temporaryDirectory(t);
  const stores = {
    leases: openLeaseStore(directory),
    names: openNameStore(directory),
    streams: openStreamStore(directory),
  };
  t.after(async () => {
    for (const store of Object.values(stores)) await store.close();
  });
  return stores;
});
