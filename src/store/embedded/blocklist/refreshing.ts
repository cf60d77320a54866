/**
 * Brings selections up to date: evaluates the names that triggers have noted, and all names of a selection whose rules have changed, in short
 * transactions. A version is published when all of it is written, so a change of any size becomes visible at once.
 */
import { evaluateName, type NameFacts } from '../../detect/blocklist/evaluate-name.ts';
import type { Member, Membership } from '../../detect/blocklist/member-changes.ts';
import { isAlive, isDue } from '../../detect/blocklist/selection-state.ts';
import type { Database } from '../database.ts';
import { AllowedNames } from './allowed-names.ts';
import { Candidates } from './candidates.ts';
import { MemberRows } from './member-rows.ts';
import { type SelectionRow, SelectionRows } from './selection-rows.ts';
import { Versions } from './versions.ts';

/** What one transaction has found out and still has to write. */
interface Step {
  readonly accountId: string;
  readonly nowMs: number;
  readonly hasAllowed: boolean;
  readonly drafts: Map<number, number>;
  readonly counts: Map<number, { blocked: number; leftOut: number }>;
}

/** Of one transaction: other writers wait some milliseconds for it. */
const namesPerStep = 250;
const prunedPerStep = 1000;

export class Refreshing {
  readonly #selections: SelectionRows;
  readonly #members: MemberRows;
  readonly #versions: Versions;
  readonly #allowed: AllowedNames;
  readonly #candidates: Candidates;
  readonly #pending;
  readonly #removePending;
  readonly #domainNames;
  readonly #taggedNames;

  constructor(database: Database) {
    this.#selections = new SelectionRows(database);
    this.#members = new MemberRows(database);
    this.#versions = new Versions(database);
    this.#allowed = new AllowedNames(database);
    this.#candidates = new Candidates(database);
    this.#pending = database
      .prepare('select name from blocklist_pending where account = ? order by name limit ?')
      .pluck();
    this.#removePending = database.prepare('delete from blocklist_pending where account = ? and name = ?');
    this.#domainNames = database
      .prepare('select name from domain where account = ? and name > ? order by name limit ?')
      .pluck();
    this.#taggedNames = database
      .prepare(
        'select distinct name from blocklist_tagged where account = ? and name > ? order by name limit ?',
      )
      .pluck();
  }

  /** Whether there may be more to do. */
  step(accountId: string, nowMs: number): boolean {
    this.#selections.ensureBlocked(accountId, nowMs);
    const rows = this.#selections.ofAccount(accountId).filter(isAlive);
    const names = this.#pending.all(accountId, namesPerStep) as string[];
    const step: Step = {
      accountId,
      nowMs,
      hasAllowed: this.#allowed.hasSome(accountId),
      drafts: new Map(),
      counts: new Map(),
    };
    for (const name of names) {
      this.#evaluate(rows, name, step);
      this.#removePending.run(accountId, name);
    }
    // What was noted goes before what is new: a block does not wait for a selection of a million names.
    const filling = rows.find(({ filled }) => filled !== null);
    const isFilling = filling !== undefined && names.length < namesPerStep;
    if (isFilling) this.#fill(filling, step);
    for (const [number, count] of step.counts) this.#selections.count(number, count);
    if (names.length === namesPerStep) return true;
    this.#publish(accountId, nowMs);
    const prunes = rows.filter(({ number }) => this.#versions.prune(number, prunedPerStep));
    return isFilling || prunes.length > 0;
  }

  #fill(row: SelectionRow, step: Step): void {
    const { number, account } = row;
    const after = row.filled ?? '';
    const sources = [
      this.#domainNames.all(account, after, namesPerStep) as string[],
      this.#taggedNames.all(account, after, namesPerStep) as string[],
      this.#members.names(number, after, namesPerStep),
    ];
    const names = [...new Set(sources.flat())].sort(byBytes).slice(0, namesPerStep);
    for (const name of names) this.#evaluate([row], name, step);
    const isWhole = names.length < namesPerStep;
    this.#selections.putFilled(number, isWhole ? null : (names.at(-1) ?? null));
  }

  #publish(accountId: string, nowMs: number): void {
    for (const row of this.#selections.ofAccount(accountId)) {
      if (!isDue(row)) continue;
      this.#selections.beginDraft(row, nowMs);
      this.#versions.publish(row.number);
    }
  }

  #evaluate(rows: readonly SelectionRow[], name: string, step: Step): void {
    const { accountId, hasAllowed } = step;
    const facts: NameFacts = {
      hasAllowed,
      candidate: (one) => this.#candidates.read(accountId, one),
      isAllowed: (one) => this.#allowed.has(accountId, one),
      allowedBelow: (one) => this.#allowed.below(accountId, one),
    };
    evaluateName(rows, name, facts, {
      find: ({ number }, one) => this.#members.find(number, one),
      put: (row, one, change) => this.#put(row, one, change, step),
    });
  }

  #put(
    row: SelectionRow,
    name: string,
    { before, after }: { readonly before: Member | undefined; readonly after: Membership | undefined },
    { nowMs, drafts, counts }: Step,
  ): void {
    const { number } = row;
    const serial = drafts.get(number) ?? this.#selections.beginDraft(row, nowMs);
    drafts.set(number, serial);
    this.#members.change({ selection: number, serial, atMs: nowMs }, name, { before, after });
    const count = counts.get(number) ?? { blocked: 0, leftOut: 0 };
    counts.set(number, count);
    count.blocked += Number(after?.kind === 'blocked') - Number(before?.kind === 'blocked');
    count.leftOut += Number(after?.kind === 'left-out') - Number(before?.kind === 'left-out');
  }
}

/** As SQLite orders them. */
function byBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
