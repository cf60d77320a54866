/** What was asked of domains, and domains of whose servers nothing is asked, over the API. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { freshAccounts } from './detect-fixture.ts';

const newAccount = await freshAccounts({ after });

test('what was asked of a domain is listed, newest first, by any name below it', async () => {
  const { server, call } = await newAccount();
  const request = { domain: 'asked.example', collector: 'web', protocol: 'https', port: 443 } as const;
  const first = { ...request, host: 'asked.example', address: '192.0.2.1', source: '198.51.100.7' };
  await server.opsec.addRequests([
    { ...first, atMs: Date.parse('2026-03-04T10:00:00Z'), outcome: '200' },
    {
      ...first,
      address: undefined,
      source: undefined,
      atMs: Date.parse('2026-03-04T10:00:01Z'),
      outcome: 'refused',
    },
  ]);
  const { status, json } = await call('GET /v1/intel-detect/requests/?domain=www.ASKED.example');
  assert.equal(status, 200);
  assert.deepEqual([json.domain, json.passive_only, json.count], ['asked.example', false, 2]);
  const { date: _date, ...newest } = json.requests[0];
  assert.deepEqual(newest, {
    collector: 'web',
    protocol: 'https',
    host: 'asked.example',
    address: null,
    port: 443,
    source: null,
    outcome: 'refused',
  });
  assert.deepEqual([json.requests[1].address, json.requests[1].source], ['192.0.2.1', '198.51.100.7']);
});

test('what is no domain is refused and names the field', async () => {
  const { call } = await newAccount();
  const { status, json } = await call('GET /v1/intel-detect/requests/?domain=192.0.2.1');
  assert.equal(status, 400);
  assert.match(JSON.stringify(json), /domain/);
});

test('domains are made passive and active again, and each account sees its own', async () => {
  const { call } = await newAccount();
  const other = await newAccount();
  const path = '/v1/intel-detect/passive-domains/';
  const added = await call(`POST ${path}`, { body: { add: ['quiet.example', 'xn--e1afmkfd.example'] } });
  assert.deepEqual(
    added.json.passive_domains.map(({ domain }: { domain: string }) => domain),
    ['quiet.example', 'пример.example'],
  );
  assert.equal((await other.call(`GET ${path}`)).json.count, 0);
  const asked = await other.call('GET /v1/intel-detect/requests/?domain=quiet.example');
  assert.equal(asked.json.passive_only, true);
  const removed = await call(`POST ${path}`, { body: { remove: ['quiet.example'] } });
  assert.equal(removed.json.count, 1);
});

test('a host name below a domain and a public suffix are refused and name the field', async () => {
  const { call } = await newAccount();
  for (const name of ['www.quiet.example', 'com', 'not a name']) {
    const { status, json } = await call('POST /v1/intel-detect/passive-domains/', { body: { add: [name] } });
    assert.equal(status, 400, name);
    assert.match(JSON.stringify(json), /add/);
  }
});

test('a monitor is passive-only when it is created so or changed so, and says it', async () => {
  const { monitor, call } = await newAccount();
  const { id, passive_only } = await monitor('quietbrand', { passive_only: true });
  assert.equal(passive_only, true);
  const change = (members: object) =>
    call('PUT /v1/intel-detect/monitors/', { body: { monitor_id: id, ...members } });
  assert.equal((await change({ text_exclusions: ['fan'] })).json.monitor.passive_only, true);
  assert.equal((await change({ passive_only: false })).json.monitor.passive_only, undefined);
  assert.equal((await change({ passive_only: 'maybe' })).status, 422);
});
