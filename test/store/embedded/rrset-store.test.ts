import { openRrsetStore } from '../../../src/store/embedded/rrset-store.ts';
import { newlyObservedConformance } from '../../conformance/rrset-new-observations.ts';
import { type OpenRrsetStore, rrsetStoreConformance } from '../../conformance/rrset-store.ts';
import { nowSeconds } from '../../harness/arbitraries/rrset-arbitraries.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

const clock = { now: () => nowSeconds * 1000 };

const open: OpenRrsetStore = (t) => {
  const directory = temporaryDirectory(t);
  return () => openRrsetStore(directory, clock);
};

rrsetStoreConformance('the embedded adapter', open);
newlyObservedConformance('the embedded adapter', open);
