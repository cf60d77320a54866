/** The TSIG keys of the settings, and what each may read. */
import type { Account } from '../model/account/account.ts';
import { nameText, parseName } from '../model/dns/name.ts';
import type { WireName } from '../model/dns/rrset.ts';
import type { TsigKey } from '../model/dns/tsig.ts';
import { Problem } from '../model/problem.ts';
import type { Settings } from '../model/settings/settings.ts';

export interface ZoneKey extends TsigKey {
  readonly mayRead: (account: Pick<Account, 'name'>) => boolean;
}

const secretBytesMin = 16;

export class TsigKeys {
  readonly #keys = new Map<string, ZoneKey>();

  constructor(keys: Settings['rpz']['keys']) {
    for (const [text, { algorithm, secret: encoded, accounts }] of Object.entries(keys)) {
      const name = parseName(text);
      const secret = Buffer.from(encoded, 'base64');
      if (!name || secret.length < secretBytesMin)
        throw new Problem(
          'unavailable',
          `rpz.keys: the secret of ${text} must have at least ${secretBytesMin} bytes, in base64`,
        );
      const mayRead = (account: Pick<Account, 'name'>) =>
        accounts === undefined || accounts.includes(account.name);
      this.#keys.set(nameText(name), { name, algorithm, secret, mayRead });
    }
  }

  find(name: WireName): ZoneKey | undefined {
    return this.#keys.get(nameText(name));
  }

  /** By its name in the settings. */
  get(text: string): ZoneKey {
    const name = parseName(text);
    const key = name && this.find(name);
    if (!key) throw new Problem('unavailable', `rpz.notify: there is no key ${text} in rpz.keys`);
    return key;
  }
}
