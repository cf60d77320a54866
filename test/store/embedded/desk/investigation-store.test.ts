import type { TestContext } from 'node:test';
import type { InvestigationStore } from '../../../../src/store/desk/investigation-store.ts';
import { openInvestigationStore } from '../../../../src/store/embedded/desk/investigation-store.ts';
import { investigationModel } from '../../../conformance/desk/investigation-model.ts';
import { investigationStoreConformance } from '../../../conformance/desk/investigation-store.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';

function open(t: TestContext): () => InvestigationStore {
  const directory = temporaryDirectory(t);
  const opened: InvestigationStore[] = [];
  t.after(async () => {
    for (const store of opened) await store.close();
  });
  return () => {
    const store = openInvestigationStore(directory);
    opened.push(store);
    return store;
  };
}

investigationStoreConformance('the embedded adapter', open);
investigationModel('the embedded adapter', open);
