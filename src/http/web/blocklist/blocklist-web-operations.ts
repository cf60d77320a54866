/** Blocklists: links, size, how they begin, who fetches them, and what is on them. */
import { Type } from 'typebox';
import type { Account } from '../../../model/account/account.ts';
import {
  type BlocklistFormatName,
  blocklistFileName,
  blocklistFormatNames,
  blocklistFormats,
} from '../../../model/detect/blocklist/format.ts';
import { blockedSelection } from '../../../model/detect/blocklist/selection.ts';
import { zoneName } from '../../../model/detect/blocklist/zone-name.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import type { AllowListNeeds } from '../../../product/detect/blocklist/allow-list.ts';
import {
  BlocklistSummaries,
  type BlocklistSummary,
  type SummaryNeeds,
} from '../../../product/detect/blocklist/blocklist-summary.ts';
import {
  deleteSelection,
  getSelectionRequest,
  listSelections,
  noSuchSelection,
  putSelection,
  type SelectionNeeds,
} from '../../../product/detect/blocklist/selections.ts';
import type { BlocklistSelection } from '../../../store/detect/blocklist-store.ts';
import type { BlocklistFetch, EscalationStore } from '../../../store/escalation-store.ts';
import type { BlocklistLinks } from '../../files/blocklist-links.ts';
import type { MispFeedLinks } from '../../files/misp-feed-links.ts';
import { defineWebOperation, type WebOperation } from '../web-operation.ts';
import { allowListWebOperations } from './allow-list-web-operations.ts';
import { BlocklistsView, SelectionBody } from './blocklist-wire.ts';

export interface BlocklistWebNeeds
  extends Omit<SelectionNeeds, 'blocklists'>,
    Omit<SummaryNeeds, 'blocklists' | 'settings'> {
  readonly blocklists: SelectionNeeds['blocklists'] &
    AllowListNeeds['blocklists'] &
    SummaryNeeds['blocklists'];
  readonly escalations: Pick<
    EscalationStore,
    'blocklistEdition' | 'renewBlocklistEdition' | 'listBlocklistFetches'
  >;
  readonly blocklistLinks: BlocklistLinks;
  readonly mispFeedLinks: MispFeedLinks;
  readonly settings: Pick<Settings, 'detect' | 'rpz' | 'sharing'>;
}

const common = {
  product: 'intel-detect-escalate-domains',
  charge: 'page',
  answer: BlocklistsView,
} as const;

const NameParameter = Type.Object({ name: Type.String() });

export function blocklistWebOperations(needs: BlocklistWebNeeds): readonly WebOperation[] {
  const { escalations } = needs;
  const view = blocklistView(needs);

  const list = defineWebOperation({
    ...common,
    method: 'GET',
    path: '/blocklists',
    access: 'read',
    summary: 'The blocklists of the account, and one of them in every format',
    query: Type.Object({ selection: Type.Optional(Type.String()) }),
    handle: async ({ caller: { account }, query: { selection = blockedSelection }, nowMs }) =>
      view(account, selection, nowMs),
  });

  const renew = defineWebOperation({
    ...common,
    method: 'POST',
    path: '/blocklists/renew',
    access: 'manage',
    summary: 'Makes new links; earlier ones stop working',
    handle: async ({ caller: { account }, nowMs }) => {
      await escalations.renewBlocklistEdition(account.id);
      return view(account, blockedSelection, nowMs);
    },
  });

  const put = defineWebOperation({
    ...common,
    method: 'PUT',
    path: '/blocklists/selections/:name',
    access: 'manage',
    summary: 'Creates a blocklist, or changes what is on it',
    params: NameParameter,
    body: SelectionBody,
    handle: async ({ caller, params: { name }, body, nowMs }) => {
      const rules = {
        blocked: body.blocked,
        ...(body.new_score_min === undefined ? {} : { newScoreMin: body.new_score_min }),
        tags: body.tags,
        monitorIds: body.monitor_ids,
      };
      const request = await getSelectionRequest(caller, { name, rules }, needs);
      await putSelection(caller, request, needs, nowMs);
      return view(caller.account, name, nowMs);
    },
  });

  const remove = defineWebOperation({
    ...common,
    method: 'DELETE',
    path: '/blocklists/selections/:name',
    access: 'manage',
    summary: 'Deletes a blocklist; its links and its zone stop working',
    params: NameParameter,
    handle: async ({ caller, params: { name }, nowMs }) => {
      await deleteSelection(caller, name, needs, nowMs);
      return view(caller.account, blockedSelection, nowMs);
    },
  });

  return [list, renew, put, remove, ...allowListWebOperations(needs)];
}

function blocklistView(needs: BlocklistWebNeeds) {
  const { escalations, blocklistLinks, mispFeedLinks } = needs;
  const summaries = new BlocklistSummaries(needs);
  return async (account: Account, selection: string, nowMs: number): Promise<BlocklistsView> => {
    const selections = await listSelections(account.id, needs, nowMs);
    const chosen = selections.find(({ name }) => name === selection);
    if (!chosen) throw noSuchSelection(selection);
    const key = { accountId: account.id, selection };
    const summary = await summaries.get({ ...key, accountName: account.name }, chosen.serial);
    const fetches = await escalations.listBlocklistFetches(account.id);
    const edition = await escalations.blocklistEdition(account.id);
    return {
      selections: await Promise.all(selections.map((one) => selectionView(account, one, fetches, needs))),
      selection,
      domains: chosen.blocked,
      serial: chosen.serial,
      blocklists: blocklistFormatNames.map((format) => ({
        format,
        description: blocklistFormats[format].description,
        file_name: blocklistFileName(selection, format),
        url: blocklistLinks.make({ ...key, edition, format }),
        ...sizeOf(format, summary),
        fetches: fetchesOf(fetches, chosen, format),
      })),
      misp: {
        url: mispFeedLinks.make({ ...key, edition }),
        fetches: fetchesOf(fetches, chosen, 'misp'),
      },
    };
  };
}

async function selectionView(
  account: Account,
  one: BlocklistSelection,
  fetches: readonly BlocklistFetch[],
  { monitors, settings }: BlocklistWebNeeds,
): Promise<BlocklistsView['selections'][number]> {
  const { blocked, newScoreMin, tags, monitorIds } = one.rules;
  const found = await Promise.all(monitorIds.map((id) => monitors.findMonitor(account.id, id)));
  return {
    name: one.name,
    blocked,
    ...(newScoreMin === undefined ? {} : { new_score_min: newScoreMin }),
    tags: [...tags],
    monitors: monitorIds.map((id, index) => ({ id, term: found[index]?.term ?? id })),
    domains: one.blocked,
    left_out: one.leftOut,
    serial: one.serial,
    ...(settings.rpz.listen === '' ? {} : { zone: zoneName(account, one.name) }),
    transfers: fetchesOf(fetches, one, 'transfer'),
  };
}

function sizeOf(format: BlocklistFormatName, { formats }: BlocklistSummary) {
  const { bytes = 0, lines = [], moreLines = false } = formats.get(format) ?? {};
  return { bytes, preview: [...lines], more_lines: moreLines };
}

function fetchesOf(
  fetches: readonly BlocklistFetch[],
  { name, serial }: Pick<BlocklistSelection, 'name' | 'serial'>,
  format: BlocklistFetch['format'],
) {
  return fetches
    .filter((fetch) => fetch.selection === name && fetch.format === format)
    .map(({ atMs, address, agent, version }) => ({
      at: new Date(atMs).toISOString(),
      address,
      agent,
      current: version === serial,
    }));
}
