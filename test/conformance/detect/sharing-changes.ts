/** Random changes of an account's lists, after which its collections must say what the lists say. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { Monitor, WatchlistDomain } from '../../../src/model/detect/watchlist.ts';
import type { CollectionKey, SharedList } from '../../../src/store/detect/sharing-store.ts';
import { facts, type WatchlistFixture } from '../../harness/fixtures/watchlist-fixture.ts';
import type { NewFixture } from './describe-detect-store.ts';

const nowMs = 1_772_619_072_000;
const author = { title: 'A list', name: 'Acme', marking: 'amber' } as const;
const ann = { username: 'ann', atMs: 3000 };
/** The last one is discovered later than the others. */
const names = ['a.test', 'b.a.test', 'c.test', 'd.test', 'late.test'];

const kinds = [
  'watch',
  'ignore',
  'block',
  'undo',
  'allow',
  'disallow',
  'score',
  'exclude',
  'discover',
] as const;
const change = fc.record({
  kind: fc.constantFrom(...kinds),
  at: fc.nat(names.length - 1),
  score: fc.nat(100),
  /** Whether the collections are refreshed and compared afterwards. */
  isRead: fc.boolean(),
});
type Change = typeof change extends fc.Arbitrary<infer One> ? One : never;

interface Account {
  readonly fixture: WatchlistFixture;
  /** Both match all names, and have exclusions of their own. */
  readonly monitors: readonly Monitor[];
  readonly allowed: Set<string>;
  /** The latest decision to block each. */
  readonly blocks: Map<string, string>;
}

export function sharedChanges(newFixture: NewFixture): void {
  test('after any changes a collection has the domains of its list with their scores, and no others', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 20 }), async (sequence) => {
        const fixture = newFixture();
        const monitors = [await fixture.monitor(), await fixture.monitor()];
        for (const name of names.slice(0, -1)) await fixture.discover(name, monitors);
        const account = { fixture, monitors, allowed: new Set<string>(), blocks: new Map<string, string>() };
        await compare(account);
        for (const one of sequence) {
          await apply(account, one);
          if (one.isRead) await compare(account);
        }
        await compare(account);
      }),
      { numRuns: 10 },
    );
  });
}

async function apply(account: Account, { kind, at, score }: Change): Promise<void> {
  const { fixture, monitors, allowed, blocks } = account;
  const { accountId, decisions } = fixture;
  const name = names[at] ?? '';
  const decide = async (target: 'watched' | 'ignored' | 'blocked') => {
    const id = (await fixture.watchlist.findDomainNamed(accountId, name))?.id ?? '';
    return decisions.decideDomains(accountId, [id], { target, pieceDomains: 9 }, ann);
  };
  if (kind === 'discover') await fixture.discover(name, monitors);
  else if (kind === 'watch' || kind === 'ignore') await decide(kind === 'watch' ? 'watched' : 'ignored');
  else if (kind === 'block') {
    const { decisionId } = await decide('blocked');
    if (decisionId !== undefined) blocks.set(name, decisionId);
  } else if (kind === 'undo') {
    const options = { skipConflicts: true, pieceDomains: 9 };
    await decisions.undoDecision(accountId, blocks.get(name) ?? '', options, ann);
  } else if (kind === 'score')
    await fixture.applyChanges([{ domain: name, facts: { ...facts, riskScore: score }, changed: undefined }]);
  else if (kind === 'exclude') {
    const textExclusions = score > 30 ? [name.slice(0, 1)] : [];
    const { id = '' } = monitors[score % 2] ?? {};
    await fixture.monitors.updateMonitor(accountId, id, { textExclusions }, 3000 + score);
  } else {
    const changed = kind === 'allow' ? { add: [name], remove: [] } : { add: [], remove: [name] };
    await fixture.blocklists.changeAllowed(accountId, changed, ann);
    if (kind === 'allow') allowed.add(name);
    else allowed.delete(name);
  }
}

async function compare({ fixture, monitors, allowed }: Account): Promise<void> {
  const { accountId, escalations } = fixture;
  const isAllowed = (name: string) => [...allowed].some((one) => name === one || name.endsWith(`.${one}`));
  const said = (list: SharedList) => indicators(fixture, { accountId, list });
  const listed = async (monitorId?: string) => {
    const query = monitorId === undefined ? {} : { monitorId };
    const lists = [await fixture.list('watched', query), await fixture.list('new', query)];
    return lists.map(({ domains }) => domains);
  };
  const [watched = []] = await listed();
  assert.deepEqual(await said('watched'), scoresOf(watched));
  for (const { id } of monitors)
    assert.deepEqual(await said(`monitor-${id}`), scoresOf((await listed(id)).flat()));
  const blocked = await escalations.listBlockedDomains(accountId, '', 100);
  const blockedNames = blocked.map(({ domain }) => domain).filter((name) => !isAllowed(name));
  assert.deepEqual(Object.keys(await said('blocked')), blockedNames.toSorted());
}

function scoresOf(domains: readonly WatchlistDomain[]) {
  const sorted = domains.toSorted((one, other) => (one.domain < other.domain ? -1 : 1));
  return Object.fromEntries(sorted.map(({ domain, riskScore }) => [domain, riskScore]));
}

/** The names and scores of those that are not revoked. */
async function indicators({ sharing }: WatchlistFixture, key: CollectionKey) {
  while (await sharing.isUnrefreshed(key)) await sharing.refreshCollection(key, author, nowMs);
  const versions = { first: false, last: true, atMs: [] };
  const page = await sharing.listObjects(key, { after: -1, limit: 1000, types: ['indicator'], versions });
  const found = page.versions
    .map(({ text }) => JSON.parse(text) as { name: string; confidence?: number; revoked?: boolean })
    .filter(({ revoked }) => revoked !== true);
  const sorted = found.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  return Object.fromEntries(sorted.map(({ name, confidence }) => [name, confidence]));
}
