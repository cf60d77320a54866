import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { investigateFixture } from './investigate-fixture.ts';

const world = await investigateFixture({ after });
const history = (query: string) =>
  world.server.call(`GET /v1/domain-history/?${query}`, { key: world.user.key });
await world.store({ 'a.example': { server_type: 'one', website_title: 'x' } }, '2026-03-01T00:00:00Z');
await world.store(
  { 'a.example': { server_type: 'two', website_title: 'y', spf_info: 'v' } },
  '2026-03-02T00:00:00Z',
);
await world.store(
  { 'a.example': { server_type: 'three', website_title: 'z', spf_info: 'v' } },
  '2026-03-03T00:00:00Z',
);
await world.store({ 'b.example': { server_type: 'other' } }, '2026-03-03T00:00:00Z');

test('changes are listed newest first, each with before, after, time and source', async () => {
  const { response } = (await history('domain=A.example')).json;
  assert.deepEqual([response.domain, response.has_more_results], ['a.example', false]);
  assert.equal(response.count, response.changes.length);
  const change = response.changes.find(
    ({ field, timestamp }: Record<string, string>) =>
      field === 'server_type' && timestamp?.startsWith('2026-03-03'),
  );
  assert.deepEqual(change, {
    timestamp: '2026-03-03T00:00:00.000Z',
    field: 'server_type',
    before: 'two',
    after: 'three',
    source: 'test',
  });
  const spf = response.changes.find(({ field }: Record<string, string>) => field === 'spf_info');
  assert.deepEqual([spf.before, spf.after], [null, 'v']);
  const times: number[] = response.changes.map(({ timestamp }: Record<string, string>) =>
    Date.parse(timestamp as string),
  );
  assert.deepEqual(
    times,
    times.toSorted((left, right) => right - left),
  );
});

test('paging returns every change once, and changes of one instant together', async () => {
  const all = (await history('domain=a.example')).json.response.changes;
  const paged: unknown[] = [];
  let before = '';
  for (;;) {
    const { response } = (await history(`domain=a.example&limit=1${before}`)).json;
    paged.push(...response.changes);
    if (!response.has_more_results) break;
    before = `&before=${response.next_before}`;
  }
  assert.deepEqual(paged, all);
});

test('a domain without a record has no changes', async () => {
  const { response } = (await history('domain=unknown.example')).json;
  assert.deepEqual([response.count, response.changes], [0, []]);
});

test('invalid parameters return 400', async () => {
  for (const query of [
    '',
    'domain=',
    'domain=a b',
    'domain=a.example&limit=0',
    'domain=a.example&limit=101',
    'domain=a.example&before=x',
  ])
    assert.equal((await history(query)).status, 400, query);
});
