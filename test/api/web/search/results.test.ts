/** Search in the web UI: results, counts and facets are those of a full scan. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as fc from 'fast-check';
import type { SearchRow } from '../../../../src/http/web/search/search-wire.ts';
import { testServer } from '../../../harness/server/test-server.ts';
import { type WebSession, webSession } from '../../../harness/server/web-session.ts';
import {
  addressOf,
  averageRisk,
  facetColumns,
  grouped,
  matching,
  sampleRecords,
  search,
  writeRecords,
} from './search-fixture.ts';

const server = await testServer(
  { after },
  { settings: { 'limits.productRequestsPerMinute': '1000000', 'limits.investigate.matchesMax': '200' } },
);
const records = sampleRecords(120, 7);
let me: WebSession;

before(async () => {
  await writeRecords(server, records);
  me = await webSession(server);
});

const get = async (path: string) => {
  const answer = await me.call(`GET ${path}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
};

test('a search has the domains, the count and the facets of a full scan', async () => {
  await fc.assert(
    fc.asyncProperty(search, async (parameters) => {
      const address = addressOf(parameters);
      const expected = matching(records, parameters);
      const page = await get(`/search?${address}&sort_by=domain`);
      assert.deepEqual(
        page.domains.map((row: SearchRow) => row.punycode),
        expected.map(({ domain }) => domain).sort(),
      );
      assert.deepEqual([page.total, page.too_many, page.has_more], [expected.length, false, false]);
      const count = await get(`/search/count?${address}`);
      assert.deepEqual([count.total, count.average_risk], [expected.length, averageRisk(expected)]);
      const columns = Object.keys(facetColumns);
      const { total, facets } = await get(`/search/facets?${address}&by=${columns.join()}`);
      assert.equal(total, expected.length);
      for (const [index, valuesOf] of Object.values(facetColumns).entries()) {
        const groups = grouped(expected, valuesOf);
        const inAll = grouped(records, valuesOf);
        const shown = Object.fromEntries(
          facets[index].values.map(({ value, ...numbers }: { value: string }) => [value, numbers]),
        );
        const wanted = Array.from(groups, ([value, found]) => {
          const all = inAll.get(value) ?? [];
          const numbers = {
            domains: found.length,
            domains_in_all: all.length,
            average_risk: averageRisk(all),
            guided: all.length > 1,
          };
          return [value, numbers];
        });
        assert.deepEqual(shown, Object.fromEntries(wanted));
      }
      const again = await get(`/search?${new URLSearchParams({ ql: page.ql }).toString()}&sort_by=domain`);
      assert.deepEqual(again.domains, page.domains);
    }),
    { numRuns: 15 },
  );
});

test('a row has the values of its columns, each with the number of domains that share it', async () => {
  const groups = grouped(records, facetColumns['name_server.host']);
  const page = await get('/search?nameserver_host=ns1.dns.example&columns=name_server.host,tld,registrar');
  assert.equal(page.domains.length, groups.get('ns1.dns.example')?.length);
  for (const { punycode, cells } of page.domains as SearchRow[]) {
    const record = records.find(({ domain }) => domain === punycode) ?? assert.fail();
    assert.deepEqual(
      cells['name_server.host']?.values,
      record.name_server?.map(({ host }) => ({ value: host, domains: groups.get(host)?.length })),
    );
    const ending = ['com', 'example', 'co.uk'].find((one) => punycode.endsWith(`.${one}`));
    assert.deepEqual(cells['tld'], { values: [{ value: ending, domains: null }], more: 0 });
    assert.equal(cells['registrar']?.values[0]?.value, record.registrar);
  }
});

test('a cell has ten values at most, and the number of those that are left out', async () => {
  const names = Array.from({ length: 13 }, (_, index) => `www${index}.many-names.com`);
  const ssl_info = [{ hash: 'ab'.repeat(20), alt_names: names }];
  await writeRecords(server, [{ domain: 'many-names.com', ssl_info }]);
  const page = await get('/search?domain=many-names.com&columns=ssl_info.alt_names');
  const cell = (page.domains[0] as SearchRow).cells['ssl_info.alt_names'];
  assert.deepEqual([cell?.values.map(({ value }) => value), cell?.more], [names.slice(0, 10), 3]);
});

test('pages follow one another by their position, without a gap and without a repetition', async () => {
  const names: string[] = [];
  for (let position: string | null = ''; position !== null; ) {
    const next: string = position === '' ? '' : `&position=${position}`;
    const page = await get(`/search?isp_name=velt&limit=7${next}`);
    names.push(...page.domains.map((row: SearchRow) => row.punycode));
    assert.equal(page.has_more, page.position !== null);
    position = page.position;
  }
  const expected = matching(records, [{ name: 'isp_name', value: 'velt' }]);
  assert.deepEqual(names.sort(), expected.map(({ domain }) => domain).sort());
});

test('domains that are pasted as a list are found, and those without a record are named', async () => {
  const [one, other] = records;
  const list = `${one?.domain}, ${other?.domain?.toUpperCase()} ,nothing.example`;
  const page = await get(`/search?${new URLSearchParams({ domain: list }).toString()}`);
  assert.deepEqual(
    new Set(page.domains.map((row: SearchRow) => row.punycode)),
    new Set([one?.domain, other?.domain]),
  );
  assert.deepEqual(page.missing, ['nothing.example']);
});

test('a parameter that does not exist is refused by its name', async () => {
  const { status, json } = await me.call('GET /search?registar=x&ip=192.0.2.1');
  assert.equal(status, 422);
  assert.deepEqual(Object.keys(json.error.fields), ['registar']);
});

test('filters alone are refused with what is missing', async () => {
  const { status, json } = await me.call('GET /search?tld=com');
  assert.equal(status, 422);
  assert.match(json.error.message, /At least one base parameter/);
});

const mistakes = [
  ['registrar = ', 1, 13, 0],
  ['registrar =\n  ip = "192.0.2.1"', 2, 6, 1],
  ['registar = "x"', 1, 1, 8],
  ['ip = "192.0.2.999"', 1, 1, 18],
  ['registrar = "x" AND\n\n  (ip = "192.0.2.1"', 3, 20, 0],
  ['registrar = "never closed', 1, 13, 1],
  ['registrar IS "x"', 1, 11, 2],
] as const;

for (const [ql, line, column, length] of mistakes) {
  test(`a mistake in the query ${JSON.stringify(ql)} is reported with its line, column and length`, async () => {
    const { status, json } = await me.call(`GET /search?${new URLSearchParams({ ql }).toString()}`);
    assert.equal(status, 422);
    assert.deepEqual([json.error.line, json.error.column, json.error.length], [line, column, length]);
    assert.deepEqual(Object.keys(json.error.fields), ['ql']);
    const { json: count } = await me.call(`GET /search/count?${new URLSearchParams({ ql }).toString()}`);
    assert.equal(count.error.line, line);
  });
}

test('a search that matches too many domains offers the facets that cut best, and their values lead on', async () => {
  const many = sampleRecords(260, 11).map((record) => ({ ...record, server_type: 'nginx' }));
  await writeRecords(server, many);
  const answer = await get('/search?server_type=nginx');
  assert.deepEqual([answer.too_many, answer.total, answer.matches_max], [true, 260, 200]);
  assert.equal(answer.facets_to_narrow.length, 3);
  for (const { parameter, values } of answer.facets_to_narrow) {
    for (const { value, domains } of values) {
      const narrowed = await get(
        `/search?${new URLSearchParams({ server_type: 'nginx', [parameter]: value }).toString()}`,
      );
      if (!narrowed.too_many) assert.equal(narrowed.total, domains);
    }
  }
  const count = await get('/search/count?server_type=nginx');
  assert.deepEqual([count.total, count.too_many, count.first_names], [260, true, []]);
  const facets = await get('/search/facets?server_type=nginx&by=registrar');
  assert.deepEqual([facets.total, facets.too_many, facets.facets], [260, true, []]);
});

test('a value is guided by the threshold that the person has set', async () => {
  const guided = async () => {
    const { values } = await get('/search/facets?isp_name=velt&by=registrar');
    return values.map(({ guided: mark }: { guided: boolean }) => mark);
  };
  assert.ok((await guided()).every(Boolean));
  await me.call('PATCH /me', { body: { guided_pivot_threshold: 2 } });
  assert.ok(!(await guided()).some(Boolean));
  await me.call('PATCH /me', { body: { guided_pivot_threshold: 500 } });
});

test('a search becomes a hash that the API understands, and the hash the same search again', async () => {
  const queries = [
    { parameters: { registrar: ['Ember & Ash'], tld: ['com'] } },
    { parameters: { domain: ['a.example,b.example'], tagged_with_any: ['kit 7,ü'] } },
    { ql: 'registrar = "Reg \\"Two\\"" OR NOT ip = 192.0.2.1' },
  ];
  const user = await server.user({ account: me.account });
  for (const query of queries) {
    const made = await me.call('POST /search-hash', { body: { query } });
    assert.equal(made.status, 200, made.text);
    const { hash } = made.json;
    assert.deepEqual((await get(`/search-hash/${hash}`)).query, query);
    const page = await get(`/search?search_hash=${hash}&sort_by=domain`);
    const api = await server.call(`GET /v1/intel-investigate/?search_hash=${hash}&count_only=true`, {
      key: user.key,
    });
    assert.equal(page.total, api.json.response.total_count);
  }
});

test('a hash of another server is not found, and a search that makes no sense has none', async () => {
  const { status } = await me.call('GET /search-hash/AXXXXXXXXXXXXXXXXXXXXXXX');
  assert.equal(status, 404);
  const wrong = await me.call('POST /search-hash', { body: { query: { ql: 'registrar' } } });
  assert.deepEqual([wrong.status, wrong.json.error.line], [422, 1]);
});

test('the catalogue has every parameter and column, and what is typed is completed from what is frequent', async () => {
  const catalogue = await get('/search/parameters');
  const kinds = new Map(
    catalogue.parameters.map((one: { name: string; kind: string }) => [one.name, one.kind]),
  );
  assert.deepEqual(
    [kinds.get('registrar'), kinds.get('tld'), kinds.get('server_type')],
    ['base', 'filter', 'both'],
  );
  assert.ok(catalogue.columns.some(({ name }: { name: string }) => name === 'ip.address'));
  const { values } = await get('/search/complete?field=registrar&text=emb');
  const all = await get('/search?registrar=Ember+%26+Ash&limit=1');
  assert.deepEqual(values, [{ value: 'Ember & Ash', domains: all.total }]);
  assert.deepEqual((await get('/search/complete?field=whois&text=a')).values, []);
});

test('a search by tags finds those that the person may see, and their colleague finds other ones', async () => {
  const colleague = await webSession(server, { account: me.account });
  const account = (await server.accounts.findAccount(me.account)) ?? assert.fail();
  const [one, other] = records.map(({ domain }) => domain) as [string, string];
  const by = { accountId: account.id, username: 'x', atMs: server.clock.now() };
  const change = { add: ['hidden'], remove: [] };
  await server.domains.changeTags([one], change, { ...by, userId: me.person.id, scope: 'own' });
  await server.domains.changeTags([other], change, { ...by, userId: colleague.person.id, scope: 'own' });
  const address = '/search?tagged_with_any=hidden';
  const found = async (who: WebSession) => {
    const { json } = await who.call(`GET ${address}`);
    const { json: count } = await who.call('GET /search/count?tagged_with_any=hidden');
    const file = await who.call('GET /export?tagged_with_any=hidden&as=csv');
    return [
      json.domains.map((row: SearchRow) => row.punycode),
      count.total,
      file.headers['x-export-domains'],
    ];
  };
  assert.deepEqual(await found(me), [[one], 1, '1']);
  assert.deepEqual(await found(colleague), [[other], 1, '1']);
  const page = await get(`/search?domain=${one},${other}`);
  const tags = page.domains.map(({ punycode, tags: own }: SearchRow) => [
    punycode,
    own.map(({ label }) => label),
  ]);
  assert.deepEqual(Object.fromEntries(tags), { [one]: ['hidden'], [other]: [] });
});
