/** The blocked names of an account as a file of one format, streamed in pages, so that its length does not matter. */
import {
  type BlocklistFormatName,
  blocklistFormats,
  isWritable,
} from '../../model/detect/blocklist/format.ts';
import type { Settings } from '../../model/settings/settings.ts';
import type { EscalationStore } from '../../store/escalation-store.ts';

export interface BlocklistNeeds {
  readonly escalations: Pick<EscalationStore, 'listBlockedDomains' | 'blocklistVersion'>;
  readonly settings: Pick<Settings, 'detect'>;
}

export interface Blocklist {
  /** An entity tag: lists with the same tag have the same bytes. */
  readonly tag: string;
  readonly version: number;
  scan(): AsyncGenerator<Uint8Array, void, undefined>;
}

const pageNames = 1000;

export async function openBlocklist(
  accountId: string,
  format: BlocklistFormatName,
  { escalations, settings }: BlocklistNeeds,
): Promise<Blocklist> {
  const { blocklistTtlSeconds: ttlSeconds } = settings.detect;
  const { head, lines } = blocklistFormats[format];
  // Read before the names: a change in the meantime makes a new version, which clients fetch again.
  const version = await escalations.blocklistVersion(accountId);
  return {
    tag: `${version}-${ttlSeconds}`,
    version,
    async *scan() {
      yield Buffer.from(head({ version, ttlSeconds }));
      for (let after = ''; ; ) {
        const names = await escalations.listBlockedDomains(accountId, after, pageNames);
        const written = names.filter(({ domain }) => isWritable(domain));
        yield Buffer.from(written.map(({ domain }) => lines(domain)).join(''));
        if (names.length < pageNames) return;
        after = names.at(-1)?.domain ?? '';
      }
    },
  };
}
