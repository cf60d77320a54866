/** Opens the stores of people, of their sessions and of single sign-on. */
import type { KeyVault } from '../../key-vault.ts';
import type { PersonStore } from '../../person/person-store.ts';
import type { SessionStore } from '../../person/session-store.ts';
import type { SignOnStore } from '../../person/sign-on-store.ts';
import type { PostgresDatabase } from '../postgres/database.ts';
import { openPersonStore } from './person-store.ts';
import { openSessionStore } from './session-store.ts';
import { openSignOnStore } from './sign-on-store.ts';

export interface PersonStores {
  readonly people: PersonStore;
  readonly sessions: SessionStore;
  readonly signOn: SignOnStore;
}

export function openPersonStores(database: PostgresDatabase, vault: KeyVault): PersonStores {
  return {
    people: openPersonStore(database, vault),
    sessions: openSessionStore(database),
    signOn: openSignOnStore(database, vault),
  };
}
