import { openRiskStore } from '../../../src/store/embedded/risk-store.ts';
import type { RiskStore } from '../../../src/store/risk-store.ts';
import { riskStoreConformance } from '../../conformance/risk-store.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

riskStoreConformance('the embedded adapter', (t) => {
  const directory = temporaryDirectory(t);
  const opened: RiskStore[] = [];
  t.after(async () => {
    for (const store of opened) await store.close();
  });
  return () => {
    const store = openRiskStore(directory);
    opened.push(store);
    return store;
  };
});
