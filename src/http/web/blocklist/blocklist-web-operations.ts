/** Blocklists: links, size, how they begin, and who fetches them. */
import {
  type BlocklistFormatName,
  blocklistFormatNames,
  blocklistFormats,
} from '../../../model/detect/blocklist/format.ts';
import {
  BlocklistSummaries,
  type BlocklistSummary,
} from '../../../product/detect/blocklist/blocklist-summary.ts';
import type { BlocklistNeeds } from '../../../product/detect/blocklists.ts';
import type { BlocklistFetch, EscalationStore } from '../../../store/escalation-store.ts';
import type { BlocklistLinks } from '../../files/blocklist-links.ts';
import { defineWebOperation, type WebOperation } from '../web-operation.ts';
import { BlocklistsView } from './blocklist-wire.ts';

export interface BlocklistWebNeeds extends BlocklistNeeds {
  readonly escalations: BlocklistNeeds['escalations'] &
    Pick<EscalationStore, 'blocklistEdition' | 'renewBlocklistEdition' | 'listBlocklistFetches'>;
  readonly blocklistLinks: BlocklistLinks;
}

const common = {
  product: 'intel-detect-escalate-domains',
  charge: 'page',
  answer: BlocklistsView,
} as const;

export function blocklistWebOperations(needs: BlocklistWebNeeds): readonly WebOperation[] {
  const { escalations, blocklistLinks } = needs;
  const summaries = new BlocklistSummaries(needs);
  const view = async (accountId: string, edition: number): Promise<BlocklistsView> => {
    const summary = await summaries.get(accountId);
    const fetches = await escalations.listBlocklistFetches(accountId);
    return {
      domains: summary.domains,
      serial: summary.version,
      blocklists: blocklistFormatNames.map((format) => ({
        format,
        description: blocklistFormats[format].description,
        file_name: blocklistFormats[format].fileName,
        url: blocklistLinks.make({ accountId, edition, format }),
        ...sizeOf(format, summary),
        fetches: fetches.filter((one) => one.format === format).map((one) => fetchView(one, summary.version)),
      })),
    };
  };

  const list = defineWebOperation({
    ...common,
    method: 'GET',
    path: '/blocklists',
    access: 'read',
    summary: 'The blocklists of the account in every format',
    handle: async ({ caller: { account } }) =>
      view(account.id, await escalations.blocklistEdition(account.id)),
  });

  const renew = defineWebOperation({
    ...common,
    method: 'POST',
    path: '/blocklists/renew',
    access: 'manage',
    summary: 'Makes new links; earlier ones stop working',
    handle: async ({ caller: { account } }) =>
      view(account.id, await escalations.renewBlocklistEdition(account.id)),
  });

  return [list, renew];
}

function sizeOf(format: BlocklistFormatName, { formats }: BlocklistSummary) {
  const { bytes = 0, lines = [], moreLines = false } = formats.get(format) ?? {};
  return { bytes, preview: [...lines], more_lines: moreLines };
}

function fetchView({ atMs, address, agent, version }: BlocklistFetch, current: number) {
  return { at: new Date(atMs).toISOString(), address, agent, current: version === current };
}
