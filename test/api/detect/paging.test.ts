/** Paging lists while what is on them changes. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { discover } from '../../harness/fixtures/watch-domains.ts';
import { testServer } from '../../harness/server/test-server.ts';
import { analyst, type DetectFixture, freshAccounts, type Json } from './detect-fixture.ts';

const fresh = await freshAccounts({ after });

async function withDomains(count: number): Promise<DetectFixture & { readonly ids: readonly string[] }> {
  const world = await fresh();
  await world.monitor('acme');
  const ids: string[] = [];
  for (let number = 0; number < count; number += 1) {
    ids.push(await world.discover(`acme-${number}.example`, { facts: { riskScore: number % 5 } }));
  }
  return { ...world, ids };
}

/** All pages, with `between` called after each of them with the ids that it had. */
async function readPages(
  { list }: DetectFixture,
  which: 'new' | 'watched' | 'ignored',
  query: string,
  between: (ids: string[]) => Promise<unknown>,
): Promise<{ readonly ids: string[]; readonly totals: number[]; readonly states: string[] }> {
  const [ids, totals, states]: [string[], number[], string[]] = [[], [], []];
  for (let offset = 0; ; offset += 20) {
    const page = await list(which, `${query}&limit=20&offset=${offset}`);
    const shown: Json[] = page.watchlist_domains;
    if (shown.length === 0) return { ids, totals, states };
    assert.equal(page.count, shown.length);
    totals.push(page.total_count);
    states.push(...shown.map(({ state }) => state));
    ids.push(...shown.map(({ id }) => id));
    await between(shown.map(({ id }) => id));
  }
}

for (const which of ['new', 'watched', 'ignored'] as const) {
  for (const order of ['asc', 'desc']) {
    for (const sort of ['discovered_date', 'risk_score']) {
      test(`DOM-08 DOM-44 triage between pages of ${which}, sorted by ${sort} ${order}, loses no row`, async () => {
        const world = await withDomains(75);
        if (which !== 'new') await world.patch(world.ids, which);
        const to = which === 'ignored' ? 'watched' : 'ignored';
        const { ids, totals } = await readPages(world, which, `sort=${sort}&order=${order}`, (shown) =>
          world.patch(shown.slice(0, 5), to),
        );
        assert.deepEqual([ids.length, new Set(ids).size, totals], [75, 75, [75, 75, 75, 75]]);
        assert.equal((await world.list(which)).total_count, 55);
      });
    }
  }
}

test('DOM-11 a row that was triaged since the first page is shown with its present state', async () => {
  const world = await withDomains(25);
  const { states } = await readPages(world, 'new', '', () => world.patch(world.ids, 'watched'));
  assert.deepEqual(new Set(states.slice(0, 20)), new Set(['new']));
  assert.deepEqual(new Set(states.slice(20)), new Set(['watched']));
});

test('DOM-44 deleting the monitor or owning a domain between two pages loses no row either', async () => {
  const world = await withDomains(45);
  const [{ monitor_ids }] = (await world.list('new', 'limit=1&search=acme-0')).watchlist_domains;
  let pages = 0;
  const { ids, totals } = await readPages(world, 'new', '', async () => {
    pages += 1;
    const body = { add: ['acme-3.example'] };
    if (pages === 1) await world.call('POST /v1/intel-detect/own-domains/', { body });
    else await world.call(`DELETE /v1/intel-detect/monitors/?monitor_id=${monitor_ids[0]}`);
  });
  assert.deepEqual([new Set(ids).size, totals], [45, [45, 45, 45]]);
  assert.equal((await world.list('new')).total_count, 0);
});

test('a request for the first page shows the list as it is, and a preview always does', async () => {
  const world = await withDomains(30);
  await world.list('new', 'limit=20');
  await world.patch(world.ids.slice(0, 10), 'ignored');
  assert.equal((await world.list('new', 'limit=20&preview=1&offset=5')).total_count, 20);
  assert.equal((await world.list('new', 'limit=20&offset=20')).total_count, 30);
  assert.equal((await world.list('new', 'limit=20')).total_count, 20);
});

test('LIM-05 DOM-44 the pages of the one list an hour stay complete while other processes triage', async (t) => {
  const server = await testServer(t);
  const { key, caller } = await server.user({ permissions: analyst });
  const call = (route: string, body?: object) => server.call(route, { key, ...(body ? { body } : {}) });
  const { json } = await call('POST /v1/intel-detect/monitors/', { term: 'acme' });
  await discover(server.watchlist, {
    accountId: caller.account.id,
    monitorId: json.monitor.id,
    domains: Array.from({ length: 75 }, (_, number) => `acme-${number}.example`),
    atMs: server.clock.now(),
  });
  const found = new Set<string>();
  for (const offset of [0, 20, 40, 60]) {
    const page = await call(`GET /v1/intel-detect/domains/new/?limit=20&offset=${offset}`);
    assert.deepEqual([page.status, page.json.total_count], [200, 75]);
    const ids: string[] = page.json.watchlist_domains.map(({ id }: Json) => id);
    for (const id of ids) found.add(id);
    const triaged = { watchlist_domain_ids: ids.slice(0, 5), state: 'ignored' };
    await call('PATCH /v1/intel-detect/domains/', triaged);
  }
  assert.equal(found.size, 75);
});

test('pages of monitors keep the order of the first page while counts change', async () => {
  const world = await fresh();
  const ids: string[] = [];
  for (const term of ['mercury', 'acme', 'zenith', 'bolt', 'ember']) ids.push((await world.monitor(term)).id);
  const terms: string[] = [];
  for (let offset = 0; offset < 5; offset += 2) {
    const query = `sort[]=domain_counts_discovered&sort[]=term&limit=2&offset=${offset}`;
    const { json } = await world.call(`GET /v1/intel-detect/monitors/?${query}`);
    assert.equal(json.total_count, 5);
    terms.push(...json.monitors.map(({ term }: Json) => term));
    await world.discover(`found-${offset}.example`, { monitors: [ids[offset / 2] as string] });
  }
  assert.deepEqual(terms, ['zenith', 'mercury', 'ember', 'bolt', 'acme']);
});
