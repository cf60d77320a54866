/** Shared by the suites of people and sessions. */
import type { TestContext } from 'node:test';
import type { AccountStore } from '../../../src/store/account-store.ts';
import type { FoundPerson, NewPerson, PersonStore } from '../../../src/store/person/person-store.ts';
import type { SessionStore } from '../../../src/store/person/session-store.ts';
import type { SignOnStore } from '../../../src/store/person/sign-on-store.ts';
import { author, newUser } from '../new-user.ts';

export interface PersonStores {
  readonly accounts: AccountStore;
  readonly people: PersonStore;
  readonly sessions: SessionStore;
  readonly signOn: SignOnStore;
}

/** A function that opens one more set of handles on the data of this test. */
export type OpenPersonStores = (t: TestContext) => () => PersonStores;

/** With the accounts `acme` and `other`. */
export async function withAccounts(stores: PersonStores): Promise<PersonStores> {
  for (const account of ['acme', 'other'])
    await stores.accounts.createUser(newUser(`key-of-${account}`, { account }), [], author);
  return stores;
}

export function ada(
  { people }: Pick<PersonStores, 'people'>,
  more: Partial<NewPerson> = {},
): Promise<FoundPerson> {
  return people.createPerson({ account: 'acme', name: 'ada', permissions: ['read'], ...more }, author);
}
