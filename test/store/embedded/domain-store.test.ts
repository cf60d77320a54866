import type { DomainStore } from '../../../src/store/domain-store.ts';
import { openDomainStore } from '../../../src/store/embedded/domain-store.ts';
import { domainStoreConformance } from '../../conformance/domain-store.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { TestClock } from '../../harness/test-clock.ts';

domainStoreConformance('the embedded adapter', (t) => {
  const directory = temporaryDirectory(t);
  const opened: DomainStore[] = [];
  t.after(async () => {
    for (const store of opened) await store.close().catch(() => undefined);
  });
  return () => {
    const store = openDomainStore(directory, new TestClock());
    opened.push(store);
    return store;
  };
});
