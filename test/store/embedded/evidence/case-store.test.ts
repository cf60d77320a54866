import type { TestContext } from 'node:test';
import { openCaseStore } from '../../../../src/store/embedded/evidence/case-store.ts';
import { caseStoreConformance } from '../../../conformance/evidence/case-store.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';

caseStoreConformance('the embedded adapter', (t: TestContext) => {
  const directory = temporaryDirectory(t);
  return () => {
    const store = openCaseStore(directory);
    t.after(() => store.close());
    return store;
  };
});
