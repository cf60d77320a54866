/**
 * Blocklists of accounts: selections of domains, each a series of versions with rising serials, and the allow list that wins over all of them.
 * A version never changes and can be read while later ones are made; the latest 1,000 of a selection are kept. Serials are seconds since 1970,
 * or more when changes are faster than that, so that they rise after a restore as well. Every account has the selection `blocked`.
 */
import type { ListedName, MembershipPeriod, SelectionRules } from '../../model/detect/blocklist/selection.ts';

export interface BlocklistSelection {
  readonly name: string;
  readonly rules: SelectionRules;
  readonly createdBy: string;
  readonly createdMs: number;
  /** Of the latest version; 0 until there is one. */
  readonly serial: number;
  /** Names that it blocks. */
  readonly blocked: number;
  /** Names that it would block, were they not allowed. */
  readonly leftOut: number;
}

export interface SelectionKey {
  readonly accountId: string;
  readonly selection: string;
}

export interface AllowedName {
  readonly name: string;
  readonly by: string;
  readonly atMs: number;
}

export interface NamePage {
  /** Names after this one. */
  readonly after: string;
  readonly limit: number;
}

export interface PeriodPage {
  /** Periods after this one. */
  readonly after: Pick<MembershipPeriod, 'name' | 'added'>;
  readonly limit: number;
}

export interface BlocklistActor {
  readonly username: string;
  readonly atMs: number;
}

export interface BlocklistStore {
  /**
   * Makes new versions of those selections of the account that have changed, so that they contain everything written before the call. Calls that
   * overlap share the work.
   */
  refreshSelections(accountId: string, nowMs: number): Promise<void>;

  /** Accounts with something to refresh; cheap when there is nothing. */
  listUnrefreshed(): Promise<readonly string[]>;

  /** Makes a version with a higher serial of every selection: data that were restored must not repeat serials that were handed out since. */
  renewSerials(nowMs: number): Promise<void>;

  /** `blocked` first, the others by name. */
  listSelections(accountId: string): Promise<readonly BlocklistSelection[]>;

  /** The serials of all selections of all accounts. */
  listSerials(): Promise<readonly (SelectionKey & { readonly serial: number })[]>;

  findSelection(key: SelectionKey): Promise<BlocklistSelection | undefined>;

  /** Creates the selection or changes its rules. */
  putSelection(key: SelectionKey, rules: SelectionRules, by: BlocklistActor): Promise<void>;

  /** Whether there was such a selection. `blocked` cannot be deleted. */
  deleteSelection(key: SelectionKey): Promise<boolean>;

  /** A kept version by the low 32 bits of its serial, as DNS has them. */
  findSerial(key: SelectionKey, lowBits: number): Promise<number | undefined>;

  /** Names of a version in order; undefined if the version is no longer kept. */
  listNames(key: SelectionKey, serial: number, page: NamePage): Promise<readonly ListedName[] | undefined>;

  /**
   * When names were blocked, up to this version, by name and then by time; undefined if the version is no longer kept. Periods that ended before
   * the oldest kept version are missing.
   */
  listPeriods(
    key: SelectionKey,
    serial: number,
    page: PeriodPage,
  ): Promise<readonly MembershipPeriod[] | undefined>;

  /** Names of one version that another does not have, or has as another kind; undefined if either is no longer kept. */
  listDifference(
    key: SelectionKey,
    versions: { readonly in: number; readonly notIn: number },
    page: NamePage,
  ): Promise<readonly ListedName[] | undefined>;

  listAllowed(accountId: string): Promise<readonly AllowedName[]>;

  changeAllowed(
    accountId: string,
    change: { readonly add: readonly string[]; readonly remove: readonly string[] },
    by: BlocklistActor,
  ): Promise<void>;

  /** The tags that rules of selections name, by account. */
  listSelectedTags(): Promise<readonly { readonly accountId: string; readonly tag: string }[]>;

  /** The number of the next comparison of a tag with its domains. */
  nextTagRound(accountId: string, tag: string): Promise<number>;

  /** Records that these domains have the tag. */
  putTagged(
    accountId: string,
    tag: string,
    tagged: { readonly names: readonly string[]; readonly round: number },
  ): Promise<void>;

  /** Domains that were last recorded in an earlier round no longer have the tag. */
  removeUntagged(accountId: string, tag: string, round: number): Promise<void>;
}
