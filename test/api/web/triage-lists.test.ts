/** Lists, facets, counts and clusters of Triage. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type TriageFixture, triageFixtures } from './triage-fixture.ts';

type Json = Awaited<ReturnType<TriageFixture['ann']['get']>>;

const fresh = await triageFixtures({ after });

test('a domain has what the list of the API has, its record, its picture and what people added', async () => {
  const world = await fresh();
  const { id: monitorId } = await world.monitor('acme');
  const id = await world.discover('xn--cme-5cd.example', {
    facts: { riskScore: 88, riskStatus: 'provisional' },
    record: {
      name_server: [{ host: 'ns1.host.example' }],
      registrar: 'Ember, Ash & Co',
      create_date: '2026-03-01',
      ip: [{ address: '192.0.2.7', country_code: 'us', isp: 'Some Network' }],
    },
  });
  const page = await world.ann.get('/detect/domains?list=new');
  const [domain] = page.domains;
  assert.deepEqual(
    { ...domain, match: domain.match.length },
    {
      id,
      domain: 'аcme.example',
      punycode: 'xn--cme-5cd.example',
      state: 'new',
      status: 'active',
      discovered_date: '2026-03-04T10:11:12.000Z',
      changed_date: null,
      risk_score: 88,
      risk_score_status: 'provisional',
      risk_score_components: { proximity: null, phishing: null, malware: null, spam: null },
      mx_exists: false,
      tld: 'example',
      monitor_ids: [monitorId],
      match: 1,
      name_server: [{ host: 'ns1.host.example' }],
      registrar: 'Ember, Ash & Co',
      create_date: '2026-03-01',
      ip: [{ ip: '192.0.2.7', country_code: 'us', isp: 'Some Network' }],
      escalations: [],
      picture: { state: 'none' },
      decided: null,
      assignee: null,
      notes: 0,
      changes: [],
      unseen: true,
    },
  );
  assert.deepEqual(page.monitors, { [monitorId]: 'acme' });
});

test('pages follow the order of the first one by cursor, while colleagues decide', async () => {
  const world = await fresh();
  await world.monitor('acme');
  const ids: string[] = [];
  for (let index = 0; index < 5; index += 1) ids.push(await world.discover(`acme${index}.example`));
  const first = await world.ann.get('/detect/domains?list=new&sort=name&limit=2');
  const bob = await world.person();
  await bob.decide(ids.slice(0, 3), 'ignored');
  const second = await world.ann.get(`/detect/domains?list=new&sort=name&limit=2&cursor=${first.cursor}`);
  const third = await world.ann.get(`/detect/domains?list=new&sort=name&limit=2&cursor=${second.cursor}`);
  assert.deepEqual(
    [first, second, third].map((page) => page.domains.map(({ domain, state }: Json) => `${domain} ${state}`)),
    [
      ['acme0.example new', 'acme1.example new'],
      ['acme2.example ignored', 'acme3.example new'],
      ['acme4.example new'],
    ],
  );
  assert.deepEqual([third.cursor, third.total, third.as_of], [null, 5, first.as_of]);
});

test('two windows of one person page separately', async () => {
  const world = await fresh();
  await world.monitor('acme');
  for (let index = 0; index < 4; index += 1) await world.discover(`acme${index}.example`);
  const query = '/detect/domains?list=new&sort=name&limit=2';
  const one = await world.ann.get(query);
  world.server.clock.advanceSeconds(1);
  await world.discover('aaacme.example');
  await world.ann.get(query);
  const rest = await world.ann.get(`${query}&cursor=${one.cursor}`);
  assert.deepEqual(
    rest.domains.map(({ domain }: Json) => domain),
    ['acme2.example', 'acme3.example'],
  );
});

test('a cursor of another filter is refused', async () => {
  const world = await fresh();
  await world.monitor('acme');
  for (const name of ['acme1.example', 'acme2.example']) await world.discover(name);
  const { cursor } = await world.ann.get('/detect/domains?list=new&limit=1');
  const answer = await world.ann.call(`GET /detect/domains?list=ignored&limit=1&cursor=${cursor}`);
  assert.equal(answer.status, 422);
  assert.deepEqual(Object.keys(answer.json.error.fields), ['cursor']);
});

test('filters are read from the query', async () => {
  const world = await fresh();
  const { id: monitorId } = await world.monitor('acme');
  await world.discover('acme-a.com', {
    facts: { riskScore: 90 },
    record: {
      registrar: 'Ember, Ash & Co',
      name_server: [{ host: 'ns1.host.example' }],
      ip: [{ address: '2001:db8::1', country_code: 'de' }],
      mx: [{ host: 'mx.example', priority: 1 }],
    },
  });
  await world.discover('acme-b.co.uk', { record: { registrar: 'Other' } });
  const { ann } = world;
  for (const [query, names] of [
    [`monitor=${monitorId}`, ['acme-a.com', 'acme-b.co.uk']],
    ['class=affix', ['acme-a.com', 'acme-b.co.uk']],
    ['tld=uk', ['acme-b.co.uk']],
    ['tld=uk,com', ['acme-a.com', 'acme-b.co.uk']],
    ['risk=70-100', ['acme-a.com']],
    ['risk=none', ['acme-b.co.uk']],
    ['mx=yes', ['acme-a.com']],
    ['q=ME-B', ['acme-b.co.uk']],
    [`registrar=${encodeURIComponent('Ember, Ash & Co')}`, ['acme-a.com']],
    ['name_server=HOST.example.', ['acme-a.com']],
    ['ip=2001:DB8:0::1', ['acme-a.com']],
    ['country=DE', ['acme-a.com']],
    ['assignee=none', ['acme-a.com', 'acme-b.co.uk']],
    ['since=2026-03-05T00:00:00Z', []],
  ] as const)
    assert.deepEqual(await ann.names(`list=new&sort=name&${query}`), names, query);
});

for (const [query, field] of [
  ['list=other', 'list'],
  ['list=new&risk=high', 'risk'],
  ['list=new&since=yesterday', 'since'],
  ['list=new&picture=zz', 'picture'],
  ['list=new&limit=501', 'limit'],
] as const) {
  test(`the query ${query} is refused, and the field is named`, async () => {
    const { ann } = await fresh();
    const answer = await ann.call(`GET /detect/domains?${query}`);
    assert.equal(answer.status, 422, answer.text);
    assert.deepEqual(Object.keys(answer.json.error.fields), [field]);
  });
}

test('lists of another account are unknown', async () => {
  const [world, other] = [await fresh(), await fresh()];
  const { id: monitorId } = await world.monitor('acme');
  const id = await world.discover('acme1.example');
  assert.equal((await other.ann.call(`GET /detect/domains?list=new&monitor=${monitorId}`)).status, 404);
  assert.equal((await other.ann.call(`GET /detect/domains/${id}`)).status, 404);
  assert.deepEqual(await other.ann.names(`list=new&ids=${id}`), []);
});

test('what came since a person last read a list is unseen by that person alone', async () => {
  const world = await fresh();
  await world.monitor('acme');
  await world.discover('acme1.example');
  const { ann } = world;
  const bob = await world.person();
  const at = new Date(world.server.clock.now()).toISOString();
  assert.equal((await ann.call('PUT /me/looked', { body: { list: 'new', at } })).status, 204);
  world.server.clock.advanceSeconds(60);
  await world.discover('acme2.example');
  const page = await ann.get('/detect/domains?list=new&sort=name');
  assert.deepEqual(
    [page.looked_at, page.new_since_looked, page.domains.map(({ unseen }: Json) => unseen)],
    [at, 1, [false, true]],
  );
  assert.equal((await ann.get('/detect/counts')).new_since_looked, 1);
  const hers = await bob.get('/detect/domains?list=new');
  assert.deepEqual([hers.looked_at, hers.new_since_looked], [null, 2]);
});

test('a visit in the future counts as now', async () => {
  const world = await fresh();
  await world.monitor('acme');
  await world.ann.call('PUT /me/looked', { body: { list: 'new', at: '2036-01-01T00:00:00Z' } });
  const { looked_at } = await world.ann.get('/detect/domains?list=new');
  assert.equal(looked_at, '2026-03-04T10:11:12.000Z');
});

test('facets have values with counts and average risk, and monitors their terms', async () => {
  const world = await fresh();
  const { id } = await world.monitor('acme');
  await world.discover('acme1.com', { facts: { riskScore: 90 }, record: { registrar: 'Ember' } });
  await world.discover('acme2.com', { facts: { riskScore: 71 }, record: { registrar: 'Ember' } });
  await world.discover('acme3.net');
  const facets = (by: string) => world.ann.get(`/detect/facets?list=new&by=${by}`);
  assert.deepEqual(await facets('registrar'), {
    values: [{ value: 'Ember', domains: 2, average_risk: 81 }],
    more: false,
  });
  assert.deepEqual((await facets('monitor')).values, [
    { value: id, label: 'acme', domains: 3, average_risk: 81 },
  ]);
  assert.deepEqual((await facets('picture')).values, []);
});

test('counts agree with the lists, before and after decisions and their undoing', async () => {
  const world = await fresh();
  const { id } = await world.monitor('acme');
  const ids: string[] = [];
  for (let index = 0; index < 4; index += 1) ids.push(await world.discover(`acme${index}.example`));
  const { ann } = world;
  await ann.decide([ids[0] as string], 'watched');
  const { decision_id } = await ann.decide([ids[1] as string, ids[2] as string], 'blocked');
  await ann.post(`/detect/decisions/${decision_id}/undo`);
  await ann.decide([ids[1] as string], 'blocked');
  const counts = await ann.get('/detect/counts');
  const expected = { new: 2, changed: 0, watched: 2, ignored: 0, blocked: 1 };
  assert.deepEqual(counts.lists, expected);
  for (const [list, total] of Object.entries(expected))
    assert.equal((await ann.get(`/detect/domains?list=${list}`)).total, total, list);
  const [monitor] = counts.monitors;
  assert.deepEqual(
    { ...monitor, days: monitor.days.slice(-2), length: monitor.days.length },
    { id, term: 'acme', state: 'active', ...expected, days: [0, 4], length: 30 },
  );
});

test('the cluster of a domain shares its most specific value, and not that of a large provider', async () => {
  const world = await fresh();
  await world.monitor('acme');
  const certificate = { hash: 'a'.repeat(40) };
  const common = { name_server: [{ host: 'ns1.large.example' }] };
  const ids: string[] = [];
  for (let index = 0; index < 6; index += 1)
    ids.push(
      await world.discover(`acme${index}.example`, {
        record: index < 3 ? { ...common, ssl_info: [certificate] } : common,
      }),
    );
  const { ann } = world;
  const setThreshold = async (guided_pivot_threshold: number) => {
    const answer = await ann.call('PATCH /me', { body: { preferences: { guided_pivot_threshold } } });
    assert.equal(answer.status, 200, answer.text);
  };
  await setThreshold(5);
  const cluster = await ann.get(`/detect/domains/${ids[0]}/cluster?list=new`);
  assert.deepEqual(cluster.shared, { by: 'certificate', value: certificate.hash });
  assert.deepEqual([cluster.ids[0], cluster.ids.toSorted()], [ids[0], ids.slice(0, 3).toSorted()]);
  assert.deepEqual(await ann.get(`/detect/domains/${ids[5]}/cluster?list=new`), {
    shared: null,
    ids: [ids[5]],
  });
  await setThreshold(500);
  const { shared } = await ann.get(`/detect/domains/${ids[5]}/cluster?list=new`);
  assert.deepEqual(shared, { by: 'name_server', value: 'ns1.large.example' });
});

test('a list in clusters has each domain once, in the cluster whose value says most', async () => {
  const world = await fresh();
  await world.monitor('acme');
  const record = (index: number) => ({
    name_server: [{ host: index < 5 ? 'ns1.panel.example' : `ns1.own${index}.example` }],
    ...(index < 3 ? { ssl_info: [{ hash: 'b'.repeat(40) }] } : {}),
    ...(index > 4 && index < 7 ? { ip: [{ address: '192.0.2.77' }] } : {}),
  });
  const ids: string[] = [];
  for (let index = 0; index < 8; index += 1)
    ids.push(await world.discover(`acme${index}.example`, { record: record(index) }));
  const { clusters } = await world.ann.get('/detect/clusters?list=new');
  assert.deepEqual(
    clusters.map(({ shared, ids: own }: Json) => [shared.by, shared.value, own.toSorted()]),
    [
      ['name_server', 'ns1.panel.example', ids.slice(0, 5).toSorted()],
      ['ip', '192.0.2.77', ids.slice(5, 7).toSorted()],
    ],
  );
  const narrowed = await world.ann.get('/detect/clusters?list=new&q=acme7');
  assert.deepEqual(narrowed, { clusters: [] });
});

test('domains whose pictures look alike are one facet value, one filter and one cluster', async () => {
  const world = await fresh();
  await world.monitor('acme');
  const { images, clock } = world.server;
  const ids: string[] = [];
  for (const [name, perceptualHash] of [
    ['acme1.example', 'f0f0f0f0f0f0f0f0'],
    ['acme2.example', 'f0f0f0f0f0f0f0f1'],
    ['acme3.example', '0f0f0f0f0f0f0f0f'],
  ] as const) {
    ids.push(await world.discover(name));
    const image = {
      bytes: Buffer.from(name),
      mimetype: 'image/png',
      width: 1,
      height: 1,
      pixelHash: name,
      perceptualHash,
    };
    await images.saveCapture({
      domain: name,
      atMs: clock.now(),
      url: `http://${name}/`,
      ipAddress: '192.0.2.1',
      image,
    });
  }
  const { ann } = world;
  const { values } = await ann.get('/detect/facets?list=new&by=picture');
  assert.deepEqual(
    values.map(({ domains }: Json) => domains),
    [2, 1],
  );
  const [{ value }] = values;
  assert.deepEqual(await ann.names(`list=new&sort=name&picture=${value}`), [
    'acme1.example',
    'acme2.example',
  ]);
  const { shared, ids: together } = await ann.get(`/detect/domains/${ids[0]}/cluster?list=new`);
  assert.deepEqual([shared.by, together], ['picture', [ids[0], ids[1]]]);
  const { picture } = await ann.get(`/detect/domains/${ids[0]}`);
  assert.deepEqual([picture.state, picture.hash, picture.ip], ['taken', 'f0f0f0f0f0f0f0f0', '192.0.2.1']);
  assert.match(picture.path, /^\/ui\/api\/pictures\//);
});
