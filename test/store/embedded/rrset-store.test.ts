import { openRrsetStore } from '../../../src/store/embedded/rrset-store.ts';
import { rrsetStoreConformance } from '../../conformance/rrset-store.ts';
import { nowSeconds } from '../../harness/rrset-arbitraries.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

const clock = { now: () => nowSeconds * 1000 };

rrsetStoreConformance('the embedded store', (t) => {
  const directory = temporaryDirectory(t);
  return () => openRrsetStore(directory, clock);
});
