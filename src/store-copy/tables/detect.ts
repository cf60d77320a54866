import { termOrder } from '../../store/detect/rows/monitor-rows.ts';
import type { CopiedTable } from '../copied-table.ts';

/** The account of a row has another name in each. */
const ofAccount = { account: 'account_id' } as const;

const table = (name: string, distributed: string, ...key: string[]): CopiedTable => ({
  database: 'watchlist',
  embedded: name,
  distributed,
  key,
});

const ofAccounts = (name: string, distributed: string, ...key: string[]): CopiedTable => ({
  ...table(name, distributed, ...key),
  renamed: ofAccount,
});

/**
 * Triggers note what a change of these tables concerns, as long as there are selections and collections: so those come last, and what is noted
 * comes after all that may be noted.
 */
export const detectTables: readonly CopiedTable[] = [
  {
    ...ofAccounts('monitor', 'monitor', 'number'),
    computed: { distributed: { term_key: ({ term }) => termOrder(String(term)) } },
  },
  ofAccounts('own_domain', 'own_domain', 'account', 'name'),
  ofAccounts('domain', 'watchlist_domain', 'number'),
  {
    ...table('monitor_match', 'monitor_match', 'domain', 'monitor'),
    computed: { distributed: { class: ({ reason }) => classOf(String(reason)) } },
  },
  ofAccounts('escalation', 'escalation', 'number'),
  ofAccounts('event', 'watchlist_event', 'number'),
  {
    ...table('subscription', 'subscription', 'number'),
    renamed: { ...ofAccount, told_id: 'delivered_id' },
  },
  table('delivery', 'delivery', 'subscription', 'number'),
  ofAccounts('blocklist', 'blocklist', 'account'),
  ofAccounts('blocklist_fetched', 'blocklist_fetch', 'account', 'selection', 'format', 'address', 'agent'),
  ofAccounts('decision', 'decision', 'number'),
  table('decided_domain', 'decided_domain', 'number'),
  table('note', 'watchlist_note', 'number'),
  ofAccounts('list_visit', 'list_visit', 'account', 'username', 'list', 'monitor'),
  {
    ...table('counter', 'watchlist_counter', 'name'),
    only: { embedded: "name <> 'news'" },
  },
  {
    ...table('counter', 'watchlist_checkpoint', 'name'),
    only: { embedded: "name = 'news'" },
    renamed: { value: 'position' },
    converted: {
      name: { toDistributed: () => 'record changes', toEmbedded: () => 'news' },
      value: { toDistributed: String, toEmbedded: Number },
    },
  },
  ofAccounts('suggestion_answer', 'suggestion_answer', 'number'),
  table('domain_link', 'domain_link', 'domain'),
  ofAccounts('campaign_account', 'campaign_account', 'account'),
  ofAccounts('campaign', 'campaign', 'number'),
  ofAccounts('campaign_member', 'campaign_member', 'campaign', 'domain'),
  table('campaign_link', 'campaign_link', 'campaign', 'kind', 'value'),
  table('sighting', 'sighting', 'domain', 'sensor'),
  table('sighted_domain', 'sighted_domain', 'domain'),
  table('sighting_import', 'sighting_import', 'import'),
  ofAccounts('passive_domain', 'passive_domain', 'account', 'domain'),
  table('outgoing_request', 'outgoing_request', 'domain', 'at_ms', 'number'),
  ofAccounts('blocklist_allowed', 'blocklist_allowed', 'account', 'name'),
  ofAccounts('blocklist_tagged', 'blocklist_tagged', 'account', 'name', 'tag'),
  ofAccounts('blocklist_pending', 'blocklist_pending', 'account', 'name'),
  ofAccounts('sharing_pending', 'sharing_pending', 'account', 'name'),
  ofAccounts('blocklist_selection', 'blocklist_selection', 'number'),
  table('blocklist_version', 'blocklist_version', 'selection', 'serial'),
  table('blocklist_member', 'blocklist_member', 'selection', 'name', 'added'),
  ofAccounts('sharing_collection', 'sharing_collection', 'number'),
  table('sharing_object', 'sharing_object', 'collection', 'added'),
];

function classOf(reason: string): string | null {
  const { class: found } = JSON.parse(reason) as { class?: string };
  return found ?? null;
}
