import { openRrsetStore } from '../../../src/store/embedded/rrset-store.ts';
import { rrsetNewsConformance } from '../../conformance/rrset-news.ts';
import { type OpenRrsetStore, rrsetStoreConformance } from '../../conformance/rrset-store.ts';
import { nowSeconds } from '../../harness/rrset-arbitraries.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

const clock = { now: () => nowSeconds * 1000 };

const open: OpenRrsetStore = (t) => {
  const directory = temporaryDirectory(t);
  return () => openRrsetStore(directory, clock);
};

rrsetStoreConformance('the embedded store', open);
rrsetNewsConformance('the embedded store', open);
