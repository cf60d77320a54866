import { type TestContext } from 'node:test';
import { openAccountStore } from '../../../../src/store/embedded/account-store.ts';
import { openPersonStores } from '../../../../src/store/embedded/person/open-person-stores.ts';
import { keyVault, openServerSecret } from '../../../../src/store/key-vault.ts';
import { personStoreConformance } from '../../../conformance/person/person-store.ts';
import { sessionStoreConformance } from '../../../conformance/person/session-store.ts';
import { signOnStoreConformance } from '../../../conformance/person/sign-on-store.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';

function open(t: TestContext) {
  const directory = temporaryDirectory(t);
  return () => {
    const vault = keyVault(openServerSecret(directory, ''));
    const stores = { accounts: openAccountStore(directory, vault), ...openPersonStores(directory, vault) };
    t.after(() => Promise.all(Object.values(stores).map((store) => store.close())));
    return stores;
  };
}

personStoreConformance('the embedded adapter', open);
sessionStoreConformance('the embedded adapter', open);
signOnStoreConformance('the embedded adapter', open);
