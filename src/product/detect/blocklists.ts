/** The blocked names of an account as a file of one format, written while it is sent: its length does not matter. */
import {
  type BlocklistFormatName,
  blocklistFormats,
  isWritable,
} from '../../model/detect/blocklist/format.ts';
import type { Settings } from '../../model/settings.ts';
import type { WatchlistStore } from '../../store/watchlist-store.ts';

export interface BlocklistNeeds {
  readonly watchlist: Pick<WatchlistStore, 'listBlocked' | 'blockedVersion'>;
  readonly settings: Pick<Settings, 'detect'>;
}

export interface Blocklist {
  /** Names these bytes: of two lists with the same tag either may be taken for the other. */
  readonly tag: string;
  scan(): AsyncGenerator<Uint8Array, void, undefined>;
}

const namesAtOnce = 1000;

export async function openBlocklist(
  accountId: string,
  format: BlocklistFormatName,
  { watchlist, settings }: BlocklistNeeds,
): Promise<Blocklist> {
  const { blocklistTtlSeconds: ttlSeconds } = settings.detect;
  const { head, lines } = blocklistFormats[format];
  // Asked for before the names: whatever changes meanwhile makes a new version, and is fetched again.
  const version = await watchlist.blockedVersion(accountId);
  return {
    tag: `${version}-${ttlSeconds}`,
    async *scan() {
      yield Buffer.from(head({ version, ttlSeconds }));
      for (let after = ''; ; ) {
        const names = await watchlist.listBlocked(accountId, after, namesAtOnce);
        const written = names.filter(({ domain }) => isWritable(domain));
        yield Buffer.from(written.map(({ domain }) => lines(domain)).join(''));
        if (names.length < namesAtOnce) return;
        after = names.at(-1)?.domain ?? '';
      }
    },
  };
}
