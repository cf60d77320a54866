/** The zones that exist: one for each blocklist of an account that is active and may escalate. */
import { type Account, findGrant } from '../model/account/account.ts';
import type { Clock } from '../model/clock.ts';
import { zoneName } from '../model/detect/blocklist/zone-name.ts';
import { refreshSoon } from '../product/detect/blocklist/refresh-soon.ts';
import type { AccountStore } from '../store/account-store.ts';
import type { BlocklistStore, SelectionKey } from '../store/detect/blocklist-store.ts';

export interface PolicyZone {
  readonly name: string;
  readonly account: Account;
  readonly key: SelectionKey;
  readonly serial: number;
}

export interface PolicyZoneNeeds {
  readonly accounts: Pick<AccountStore, 'listUsers'>;
  readonly blocklists: Pick<BlocklistStore, 'refreshSelections' | 'findSelection'>;
  readonly clock: Clock;
}

const usersPerPage = 500;
/** How old the list of accounts may be; an account itself is read for every request. */
const accountsFreshMs = 2000;

export class PolicyZones {
  readonly #needs: PolicyZoneNeeds;
  /** Ids of accounts by the part of the zone that stands for them. */
  #ids: Promise<ReadonlyMap<string, string>> | undefined;
  #readMs = 0;

  constructor(needs: PolicyZoneNeeds) {
    this.#needs = needs;
  }

  /** By a name without final dot in lower case, with all that was written before. */
  async find(name: string): Promise<PolicyZone | undefined> {
    const [selection = '', ofAccount = '', root, ...more] = name.split('.');
    if (root !== 'rpz' || more.length > 0) return undefined;
    const accountId = (await this.#accountIds()).get(ofAccount);
    const account = accountId === undefined ? undefined : await this.findAccount(accountId);
    if (!account || zoneName(account, selection) !== name) return undefined;
    const key = { accountId: account.id, selection };
    const { blocklists, clock } = this.#needs;
    await refreshSoon(blocklists, account.id, clock.now());
    const found = await blocklists.findSelection(key);
    return found && found.serial > 0 ? { name, account, key, serial: found.serial } : undefined;
  }

  /** Undefined for one whose zones nobody may read. */
  async findAccount(accountId: string): Promise<Account | undefined> {
    const [caller] = await this.#needs.accounts.listUsers({ accountId, limit: 1 });
    if (!caller?.account.active) return undefined;
    const grant = findGrant(caller.account, 'intel-detect-escalate-domains', this.#needs.clock.now());
    return grant && caller.account;
  }

  #accountIds(): Promise<ReadonlyMap<string, string>> {
    const nowMs = performance.now();
    if (!this.#ids || nowMs - this.#readMs > accountsFreshMs) {
      this.#readMs = nowMs;
      const ids = this.#readAccounts();
      this.#ids = ids;
      ids.catch(() => {
        if (this.#ids === ids) this.#ids = undefined;
      });
    }
    return this.#ids;
  }

  async #readAccounts(): Promise<ReadonlyMap<string, string>> {
    const ids = new Map<string, string>();
    for (let after = ''; ; ) {
      const page = await this.#needs.accounts.listUsers({ after, limit: usersPerPage });
      for (const { account } of page) {
        const [, ofAccount = ''] = zoneName(account, 'x').split('.');
        ids.set(ofAccount, account.id);
      }
      const last = page.at(-1);
      if (!last || page.length < usersPerPage) return ids;
      after = last.user.username;
    }
  }
}
