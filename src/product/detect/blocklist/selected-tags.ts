/**
 * Copies which domains have the tags that selections name from the tag store, where they change without notice. A tag is read again when its
 * definition differs from the one read last, and every minute in any case.
 */
import { minuteMs } from '../../../model/durations.ts';
import type { BlocklistStore } from '../../../store/detect/blocklist-store.ts';
import { type TagDefinition, type TagStore, tagsPerAccountMax } from '../../../store/domain/tag-store.ts';

export interface SelectedTagNeeds {
  readonly blocklists: Pick<
    BlocklistStore,
    'listSelectedTags' | 'nextTagRound' | 'putTagged' | 'removeUntagged'
  >;
  readonly domains: Pick<TagStore, 'listTags' | 'listTaggedDomains'>;
}

interface Copied {
  readonly definition: string;
  readonly atMs: number;
}

const pageDomains = 2000;

export class SelectedTags {
  readonly #needs: SelectedTagNeeds;
  readonly #copied = new Map<string, Copied>();

  constructor(needs: SelectedTagNeeds) {
    this.#needs = needs;
  }

  /** Of one account, or of all. */
  async sync(nowMs: number, accountId?: string): Promise<void> {
    const selected = await this.#needs.blocklists.listSelectedTags();
    const ofAccount = Map.groupBy(selected, (one) => one.accountId);
    for (const [account, tags] of ofAccount) {
      if (accountId !== undefined && accountId !== account) continue;
      const reader = { accountId: account, userId: '', nowMs };
      const definitions = await this.#needs.domains.listTags(reader, tagsPerAccountMax);
      for (const { tag } of tags) await this.#syncTag(account, tag, definitions, nowMs);
    }
  }

  async #syncTag(
    accountId: string,
    tag: string,
    definitions: readonly TagDefinition[],
    nowMs: number,
  ): Promise<void> {
    const key = JSON.stringify([accountId, tag]);
    const found = definitions.find(({ label }) => label.toLowerCase() === tag.toLowerCase());
    const definition = JSON.stringify(found && [found.id, found.domains, found.usedMs]) ?? '';
    const known = this.#copied.get(key);
    if (known?.definition === definition && Math.abs(nowMs - known.atMs) < minuteMs) return;
    const { blocklists, domains } = this.#needs;
    const round = await blocklists.nextTagRound(accountId, tag);
    for (let after: string | undefined = ''; after !== undefined; ) {
      const reader = { accountId, userId: '', nowMs };
      const page = await domains.listTaggedDomains(tag, reader, { after, limit: pageDomains });
      await blocklists.putTagged(accountId, tag, { names: page.domains, round });
      after = page.next;
    }
    await blocklists.removeUntagged(accountId, tag, round);
    this.#copied.set(key, { definition, atMs: nowMs });
  }
}
