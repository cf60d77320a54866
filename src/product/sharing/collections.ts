/** The collections that a caller may know of, and may read: those of the lists that the account is provisioned for. */
import { type Caller, findGrant } from '../../model/account/account.ts';
import { permits } from '../../model/account/permission.ts';
import { Problem } from '../../model/problem.ts';
import type { ProductId } from '../../model/product-catalogue.ts';
import { ownUuid } from '../../model/stix/stix-ids.ts';
import type { CollectionKey, SharedList, SharingStore } from '../../store/detect/sharing-store.ts';
import type { MonitorStore } from '../../store/monitor-store.ts';

export interface SharedCollection {
  /** A UUID, of this account alone. */
  readonly id: string;
  /** May stand for the id. */
  readonly alias: SharedList;
  readonly title: string;
  readonly description: string;
  readonly product: ProductId;
  readonly isReadable: boolean;
  readonly key: CollectionKey;
}

export interface CollectionNeeds {
  readonly monitors: Pick<MonitorStore, 'findMonitor' | 'listMonitors'>;
  readonly sharing: Pick<SharingStore, 'listCollections'>;
}

type Described = Pick<SharedCollection, 'alias' | 'title' | 'description' | 'product'>;

const fixed: readonly Described[] = [
  {
    alias: 'blocked',
    title: 'Blocked domains',
    description: 'Domains that were escalated as blocked, except those that the allow list has.',
    product: 'intel-detect-escalate-domains',
  },
  {
    alias: 'watched',
    title: 'Watched domains',
    description: 'Domains on the watchlist that somebody watches.',
    product: 'intel-detect-watched-domains',
  },
  {
    alias: 'lookalikes-new',
    title: 'New lookalikes',
    description: 'Domains that monitors found, until they are ignored.',
    product: 'intel-detect-new-domains',
  },
  {
    alias: 'hotlist',
    title: 'Hotlist',
    description:
      'Domains of high risk that sensors have seen recently, each with the time at which it expires.',
    product: 'real-time-domain-hotlist-(api)',
  },
];

const monitorPrefix = 'monitor-';
const monitorsPerPage = 500;

export async function listCollections(
  caller: Caller,
  needs: CollectionNeeds,
  nowMs: number,
): Promise<readonly SharedCollection[]> {
  const { account } = caller;
  const terms = new Map<SharedList, string>();
  for (let offset = 0; ; offset += monitorsPerPage) {
    const query = { sort: ['created_date'], descending: false, offset, limit: monitorsPerPage } as const;
    const { monitors } = await needs.monitors.listMonitors(account.id, query);
    for (const { id, term } of monitors) terms.set(`${monitorPrefix}${id}`, ofTerm(term));
    if (monitors.length < monitorsPerPage) break;
  }
  // Those of deleted monitors stay: their readers are owed the revocations.
  for (const { list, title } of await needs.sharing.listCollections(account.id))
    if (list.startsWith(monitorPrefix) && !terms.has(list)) terms.set(list, title);
  return [...fixed, ...[...terms].map(([alias, title]) => ofMonitor(alias, title))].map((described) =>
    collectionOf(caller, described, nowMs),
  );
}

/** By id or alias. Of accounts with many monitors, an alias is found without listing them. */
export async function getCollection(
  caller: Caller,
  name: string,
  needs: CollectionNeeds,
  nowMs: number,
): Promise<SharedCollection> {
  const alias = name.toLowerCase();
  const known = fixed.find((each) => each.alias === alias || idOf(caller, each.alias) === alias);
  if (known) return collectionOf(caller, known, nowMs);
  if (name.startsWith(monitorPrefix)) {
    const id = name.slice(monitorPrefix.length);
    const monitor = await needs.monitors.findMonitor(caller.account.id, id);
    if (monitor) return collectionOf(caller, ofMonitor(`${monitorPrefix}${id}`, ofTerm(monitor.term)), nowMs);
  }
  const all = await listCollections(caller, needs, nowMs);
  const found = all.find((each) => each.alias === name || each.id === alias);
  if (!found) throw new Problem('not-found', 'There is no such collection.');
  return found;
}

function ofTerm(term: string): string {
  return `Lookalikes of ${term}`;
}

function ofMonitor(alias: SharedList, title: string): Described {
  return {
    alias,
    title,
    description: 'Domains that this monitor found, until they are ignored.',
    product: 'intel-detect-new-domains',
  };
}

function collectionOf(caller: Caller, described: Described, nowMs: number): SharedCollection {
  const { account, user } = caller;
  const { alias, product } = described;
  const isGranted = findGrant(account, product, nowMs, user.products) !== undefined;
  return {
    ...described,
    id: idOf(caller, alias),
    isReadable: account.active && isGranted && permits(user.permissions, 'read'),
    key: { accountId: alias === 'hotlist' ? '' : account.id, list: alias },
  };
}

function idOf({ account }: Caller, alias: SharedList): string {
  return ownUuid('collection', account.id, alias);
}
