/** Checks the hash chain of the audit log for many who ask: each account at most once in a while, and only once at a time. */
import type { Clock } from '../../model/clock.ts';
import { minuteMs } from '../../model/durations.ts';
import type { AccountStore, AuditCheck } from '../../store/account-store.ts';

export interface AuditCheckNeeds {
  readonly accounts: Pick<AccountStore, 'checkAudit'>;
  readonly clock: Clock;
}

export interface TimedCheck extends AuditCheck {
  readonly atMs: number;
}

const keptMs = minuteMs;
const accountsMax = 1000;

export class AuditChecker {
  readonly #needs: AuditCheckNeeds;
  readonly #checks = new Map<string, { readonly atMs: number; readonly check: Promise<AuditCheck> }>();

  constructor(needs: AuditCheckNeeds) {
    this.#needs = needs;
  }

  async check(account: string): Promise<TimedCheck> {
    const nowMs = this.#needs.clock.now();
    let begun = this.#checks.get(account);
    if (!begun || Math.abs(nowMs - begun.atMs) >= keptMs) {
      if (this.#checks.size >= accountsMax) this.#checks.clear();
      begun = { atMs: nowMs, check: this.#needs.accounts.checkAudit(account) };
      this.#checks.set(account, begun);
      begun.check.catch(() => this.#checks.delete(account));
    }
    return { atMs: begun.atMs, ...(await begun.check) };
  }
}
