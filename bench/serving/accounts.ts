/** Users of a data directory, made beside a server or before one starts. */
import { mkdirSync } from 'node:fs';
import { createUser, type NewKeys, unlimitedPdns } from '../../src/product/account/operate.ts';
import { openAccountStore } from '../../src/store/embedded/account-store.ts';
import { keyVault, openServerSecret } from '../../src/store/key-vault.ts';

const clock = { now: () => Date.now() };

export async function createUsers(data: string, usernames: readonly string[]): Promise<readonly NewKeys[]> {
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const accounts = openAccountStore(data, keyVault(openServerSecret(data, '')));
  try {
    const keys: NewKeys[] = [];
    for (const username of usernames) {
      const request = { username, permissions: ['read'], channels: 'all', pdns: unlimitedPdns } as const;
      keys.push(await createUser(request, { accounts, clock }));
    }
    return keys;
  } finally {
    await accounts.close();
  }
}

/** The headers of a new user. */
export async function newCaller(data: string): Promise<Readonly<Record<string, string>>> {
  const [keys] = await createUsers(data, [`bench-${Math.random().toString(36).slice(2)}`]);
  return { 'x-api-key': keys?.apiKey ?? '' };
}
