/** Searches in the query language, and searches kept as one text. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Fields, investigated } from './investigated.ts';

const of = (registrar: string, risk_score: number, first_seen: string): Fields => ({
  first_seen,
  domain_risk: { risk_score, components: [] },
  parsed_whois: { registrar },
});

test('the query language', async (t) => {
  const world = await investigated(t);
  const { server, user } = world;
  await world.know({
    'login-acme.example': of('One', 90, '2026-03-04T09:00:00.000Z'),
    'acme.example': of('Two', 10, '2026-01-01T00:00:00.000Z'),
    'xn--bcher-kva.example': of('One', 40, '2026-02-20T00:00:00.000Z'),
  });
  await world.tag(user, 'acme.example', ['Known']);
  const post = (body: string, options: { query?: string; type?: string } = {}) =>
    server.call(`POST /v1/intel-investigate/?${options.query ?? ''}`, {
      key: user.key,
      body,
      ...(options.type === undefined ? {} : { headers: { 'content-type': options.type } }),
    });

  await t.test('OR, NOT and brackets say what parameters cannot', async () => {
    const names = (text: string) => world.namesOfQuery(text, 'sort_by=domain');
    assert.deepEqual(await names('DOMAIN CONTAINS "acme"\nAND\nRISK_SCORE GREATER_THAN 50'), [
      'login-acme.example',
    ]);
    assert.deepEqual(await names('domain contains "ACME" and not registrar = one'), ['acme.example']);
    assert.deepEqual(await names('risk_score > 80 OR domain = "bücher.example"'), [
      'login-acme.example',
      'bücher.example',
    ]);
    assert.deepEqual(await names('NOT (registrar = one OR registrar = two)'), []);
    assert.deepEqual(await names('first_seen within "The last 30 days" AND RISK_SCORE <= 40'), [
      'bücher.example',
    ]);
    assert.deepEqual(await names('tagged_with_any = "known"'), ['acme.example']);
    assert.deepEqual(await names('registrar = one AND tagged_with_any != known AND tld = example'), [
      'login-acme.example',
      'bücher.example',
    ]);
  });

  await t.test('it is told by its first line, under any content type', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json', undefined])
      for (const mark of ['# NameglassQL-1.0', '# IrisQL-1.0', '#nameglassql-1.0 ', '\n# irisql-1.0'])
        for (const end of ['\n', '\r\n']) {
          const answer = await post(`${mark}${end}registrar = two`, type === undefined ? {} : { type });
          assert.equal(answer.json.response?.total_count, 1, `${type} ${mark}: ${answer.text}`);
        }
    assert.equal((await post('# OtherQL-1.0\nregistrar = two')).status, 400);
    assert.equal((await post('registrar = two', { type: 'text/plain' })).status, 400);
  });

  await t.test('paging, order and output are in the query string', async () => {
    const query = 'page_size=1&sort_by=risk_score&parsed_whois=true&next=true';
    const first = (await post('# NameglassQL-1.0\nrisk_score >= 0', { query })).json.response;
    assert.equal(first.results[0].domain, 'acme.example');
    assert.ok('parsed_whois' in first.results[0]);
    const second = await post('# NameglassQL-1.0\nrisk_score >= 0', {
      query: `${query}&position=${first.position}`,
    });
    assert.equal(second.json.response.results[0].domain, 'bücher.example');
    const other = await post('# NameglassQL-1.0\nrisk_score >= 1', { query: `position=${first.position}` });
    assert.equal(other.status, 400);
  });

  await t.test('search parameters are not allowed beside it', async () => {
    for (const query of ['registrar=one', 'rank=5', 'search_hash=x']) {
      const answer = await post('# NameglassQL-1.0\nrisk_score > 0', { query });
      assert.equal(answer.status, 400);
      assert.match(answer.json.error.message, /query: no search or filter parameter/);
    }
  });

  await t.test('what is wrong answers 400 with line and column', async () => {
    for (const [text, message] of [
      ['', /line 2, column 1/],
      ['registrar = one OR', /line 2, column 19: expected a field/],
      ['registrar = one\nAND ip = 5', /line 3, column 5: must be an IPv4/],
      ['('.repeat(60_000), /at most 50 deep/],
      [`registrar = "${'a'.repeat(70_000)}"`, /65536 bytes/],
    ] as const) {
      const answer = await post(`# NameglassQL-1.0\n${text}`);
      assert.equal(answer.status, 400);
      assert.match(answer.json.error.message, message);
    }
  });

  await t.test('credentials are judged before the query', async () => {
    const body = '# NameglassQL-1.0\nnonsense';
    assert.equal((await server.call('POST /v1/intel-investigate/', { body })).status, 401);
  });
});

test('search hashes', async (t) => {
  const world = await investigated(t);
  const { server, user } = world;
  await world.know({ 'a.example': of('One', 1, '2026-01-01T00:00:00.000Z') });
  const hashOf = async (query: string) => {
    const answer = await server.call(`GET /v1/intel-investigate/search-hash/?${query}`, { key: user.key });
    assert.equal(answer.status, 200, answer.text);
    return answer.json.response.search_hash as string;
  };

  await t.test('INV-P34 a search is run again on what is known now', async () => {
    const hash = await hashOf('registrar=one&risk_score=0');
    assert.match(hash, /^[\w-]+$/);
    assert.deepEqual(await world.names(`search_hash=${hash}`), ['a.example']);
    await world.know({ 'b.example': of('One', 2, '2026-02-01T00:00:00.000Z') });
    assert.deepEqual(await world.names(`search_hash=${hash}`), ['b.example', 'a.example']);
    const stranger = await server.user();
    assert.equal((await world.names(`search_hash=${hash}`, stranger)).length, 2);
  });

  await t.test(
    'INV-P35 no search or filter parameter is allowed beside it, paging and output are',
    async () => {
      const hash = await hashOf('registrar=one');
      for (const other of [
        'ip=192.0.2.1',
        'rank=5',
        'active=true',
        'registrar=one',
        'parsed_whois:registrar=x',
        'tld=com',
      ])
        assert.match(
          await world.refusal(`search_hash=${hash}&${other}`),
          /search_hash: no search or filter/,
          other,
        );
      const wishes = 'page_size=1&sort_by=domain&sort_direction=dsc&parsed_whois=true&next=true&format=json';
      const first = await world.response(`search_hash=${hash}&${wishes}`);
      assert.equal(first.results[0].domain, 'b.example');
      assert.deepEqual(await world.names(`search_hash=${hash}&${wishes}&position=${first.position}`), [
        'a.example',
      ]);
      const { json } = await server.call('POST /v1/intel-investigate/', {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({
          api_username: user.username,
          api_key: user.key,
          search_hash: hash,
        }).toString(),
      });
      assert.equal(json.response.total_count, 2);
    },
  );

  await t.test('a hash that this server has not made answers 400', async () => {
    const hash = await hashOf('registrar=one');
    for (const other of [
      '',
      'x',
      hash.slice(1),
      `${hash}A`,
      hash.replace(/^./, 'B'),
      '!',
      'A'.repeat(10_000),
    ])
      assert.match(await world.refusal({ search_hash: other }), /search_hash: /, other.slice(0, 50));
  });

  await t.test('tags in a hash are those of the account that runs it', async () => {
    const stranger = await server.user();
    await world.tag(user, 'a.example', ['x']);
    await world.tag(stranger, 'b.example', ['x']);
    const hash = await hashOf('tagged_with_any=x');
    assert.deepEqual(await world.names(`search_hash=${hash}`), ['a.example']);
    assert.deepEqual(await world.names(`search_hash=${hash}`, stranger), ['b.example']);
  });

  await t.test('a search that cannot be run has no hash, and making one counts nowhere', async () => {
    for (const query of ['', 'rank=5', 'ip=1'])
      assert.equal(
        (await server.call(`GET /v1/intel-investigate/search-hash/?${query}`, { key: user.key })).status,
        400,
      );
    assert.equal(await hashOf(`search_hash=${await hashOf('registrar=one')}`), await hashOf('registrar=one'));
  });
});
