import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Fields, investigateFixture } from './investigate-fixture.ts';

const world = await investigateFixture(
  { after },
  {
    'limits.investigate.guidedPivotDomainsMax': '3',
    'limits.investigate.matchesMax': '6',
  },
);
const of = (server_type: string, registrar: string, risk_score?: number): Fields => ({
  server_type,
  parsed_whois: { registrar },
  ...(risk_score === undefined ? {} : { domain_risk: { risk_score, components: [] } }),
});
await world.store({
  'a.example': of('Nginx', 'One', 10),
  'b.example': of('nginx', 'One', 25),
  'c.example': of('Apache', 'One'),
  'd.example': of('Caddy', 'One', 100),
  'e.example': of('nginx', 'Two', 100),
  'f.example': of('caddy', 'Two'),
  'g.example': of('caddy', 'Two'),
  'h.example': of('caddy', 'Two'),
});
const facets = (query: string) =>
  world.server.call(`GET /v1/intel-investigate/facets/?${query}`, { key: world.user.key });

test('the most frequent values come first, with the total of domains and the average risk', async () => {
  const { response } = (await facets('attribute=server_type&registrar=one')).json;
  assert.equal(response.total_count, 4);
  assert.equal(response.attribute, 'server_type');
  const [first, ...others] = response.values;
  assert.deepEqual(
    { ...first, value: first.value.toLowerCase() },
    {
      value: 'nginx',
      domains: 2,
      total_domains: 3,
      average_risk_score: 45,
      guided_pivot: true,
    },
  );
  const byValue = new Map(others.map((one: { value: string }) => [one.value.toLowerCase(), one]));
  assert.deepEqual(byValue.get('apache'), {
    value: 'Apache',
    domains: 1,
    total_domains: 1,
    average_risk_score: null,
    guided_pivot: false,
  });
  const caddy = byValue.get('caddy') as Record<string, unknown>;
  assert.deepEqual([caddy['total_domains'], caddy['guided_pivot']], [4, false]);
});

test('limit returns the first of them', async () => {
  const { response } = (await facets('attribute=server_type&registrar=one&limit=1')).json;
  assert.deepEqual(
    response.values.map(({ domains }: { domains: number }) => domains),
    [2],
  );
});

test('a search is required and parsed as in other operations, and so is an attribute', async () => {
  for (const query of [
    'attribute=server_type',
    'attribute=server_type&rank=1',
    'registrar=one',
    'attribute=nothing&registrar=one',
    'attribute=__proto__&registrar=one',
    'attribute=server_type&registrar=one&limit=0',
    'attribute=server_type&registrar=one&limit=101',
  ])
    assert.equal((await facets(query)).status, 400, query);
});

test('too many matches are reported as in other operations', async () => {
  const { status, json } = await facets('attribute=registrar&domain=a.example');
  assert.deepEqual([status, json.response.limit_exceeded], [200, false]);
  await world.store({
    'i.example': of('caddy', 'Two'),
    'j.example': of('caddy', 'Two'),
    'k.example': of('caddy', 'Two'),
  });
  assert.equal((await facets('attribute=registrar&server_type=caddy')).json.response.error.code, 413);
});
