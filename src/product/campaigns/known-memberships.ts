/** What campaigns have to do with domains: members, those that people removed, and those of campaigns that people forgot. */
import type { WatchlistId } from '../../model/detect/watchlist.ts';
import type { Membership } from '../../store/detect/campaign-store.ts';

export class KnownMemberships {
  readonly members = new Map<WatchlistId, Set<string>>();
  readonly #forgotten = new Map<WatchlistId, Set<string>>();
  readonly #forgottenOf = new Map<string, WatchlistId[]>();
  readonly #removed = new Map<WatchlistId, Set<string>>();
  readonly #campaignOf = new Map<string, WatchlistId>();
  readonly #removedNames = new Set<string>();
  readonly #ages = new Map<WatchlistId, number>();
  readonly #made = new Set<WatchlistId>();

  /** The oldest campaign first. */
  constructor(memberships: readonly Membership[]) {
    const setsOf = { member: this.members, removed: this.#removed, forgotten: this.#forgotten };
    for (const { campaignId, campaignOrigin, domain, kind } of memberships) {
      const names = setsOf[kind].get(campaignId) ?? new Set();
      names.add(domain);
      setsOf[kind].set(campaignId, names);
      if (!this.#ages.has(campaignId)) this.#ages.set(campaignId, this.#ages.size);
      if (campaignOrigin === 'made') this.#made.add(campaignId);
      if (kind === 'member') this.#campaignOf.set(domain, campaignId);
      if (kind === 'removed') this.#removedNames.add(domain);
      if (kind === 'forgotten')
        this.#forgottenOf.set(domain, [...(this.#forgottenOf.get(domain) ?? []), campaignId]);
    }
  }

  campaignOf(domain: string): WatchlistId | undefined {
    return this.#campaignOf.get(domain);
  }

  /** The oldest has the least. */
  ageOf(id: WatchlistId): number {
    return this.#ages.get(id) ?? 0;
  }

  /** By a person. */
  isMade(id: WatchlistId): boolean {
    return this.#made.has(id);
  }

  /** A person removed it from a campaign, and added it to no other: it joins none by itself, and links nothing. */
  isRemoved(domain: string): boolean {
    return this.#removedNames.has(domain) && !this.#campaignOf.has(domain);
  }

  /** A person took a member of one out of the other. */
  areSeparated(one: WatchlistId, other: WatchlistId): boolean {
    const tookFrom = (from: WatchlistId, into: WatchlistId) => {
      const members = this.members.get(into);
      return [...(this.#removed.get(from) ?? [])].some((name) => members?.has(name));
    };
    return tookFrom(one, other) || tookFrom(other, one);
  }

  /** Forgotten campaigns that had one of the domains, and how many they had. */
  forgottenWith(domains: readonly string[]): readonly { readonly id: WatchlistId; readonly size: number }[] {
    const ids = new Set(domains.flatMap((name) => this.#forgottenOf.get(name) ?? []));
    return [...ids].map((id) => ({ id, size: this.#forgotten.get(id)?.size ?? 0 }));
  }
}
