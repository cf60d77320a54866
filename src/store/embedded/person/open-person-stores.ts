/** Opens the stores of people, of their sessions and of single sign-on. All are in accounts.db and share a connection. */
import { join } from 'node:path';
import type { KeyVault } from '../../key-vault.ts';
import type { PersonStore } from '../../person/person-store.ts';
import type { SessionStore } from '../../person/session-store.ts';
import type { SignOnStore } from '../../person/sign-on-store.ts';
import { openDatabase } from '../database.ts';
import { EmbeddedPersonStore } from './person-store.ts';
import { EmbeddedSessionStore } from './session-store.ts';
import { EmbeddedSignOnStore } from './sign-on-store.ts';

export interface PersonStores {
  readonly people: PersonStore;
  readonly sessions: SessionStore;
  readonly signOn: SignOnStore;
}

export function openPersonStores(directory: string, vault: KeyVault): PersonStores {
  const database = openDatabase(join(directory, 'accounts.db'), 'accounts', 'full');
  return {
    people: new EmbeddedPersonStore(database, vault),
    sessions: new EmbeddedSessionStore(database),
    signOn: new EmbeddedSignOnStore(database, vault),
  };
}
