/** Shared by the parts of the account store's suite. */
import type { TestContext } from 'node:test';
import type { ProductId } from '../../src/model/product-catalogue.ts';
import type { AccountStore, NewUser } from '../../src/store/account-store.ts';
import { canaryKey } from '../harness/artifacts.ts';

/** A function that opens one more handle on the data of this test. */
export type OpenAccountStore = (t: TestContext) => () => AccountStore;

export const author = { actor: 'operator', atMs: Date.parse('2026-03-04T10:11:12Z') };
export const twoProducts: readonly ProductId[] = ['account-information', 'intel-enrich'];

export function newUser(username: string, more: Partial<NewUser> = {}): NewUser {
  return { account: username, username, permissions: ['read'], apiKey: canaryKey(), ...more };
}
