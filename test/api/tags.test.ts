import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestUser } from '../harness/test-server.ts';
import { investigated } from './investigated.ts';

test('tags', async (t) => {
  const world = await investigated(t);
  const { server, user } = world;
  const colleague = await server.user({ account: user.caller.account.name, permissions: ['triage'] });
  const stranger = await server.user({ permissions: ['triage'] });
  await world.know({ 'a.example': {}, 'b.example': {}, 'xn--bcher-kva.example': {} });
  const change = (body: object, by: TestUser = user) =>
    server.call('POST /v1/domain-tags/', { key: by.key, body });
  const labels = async (domain: string, by: TestUser = user) => {
    const { json } = await server.call(`GET /v1/domain-tags/?domain=${domain}`, { key: by.key });
    return json.response.domains[0].tags.map(({ label }: { label: string }) => label).sort();
  };

  await t.test('tags are given, shown with scope and time, and taken away', async () => {
    const answer = await change({ domain: 'A.example', add: ['Phishing', ' acme inc '] });
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.json.response.domains[0].domain, 'a.example');
    assert.deepEqual(await labels('a.example'), ['Phishing', 'acme inc']);
    const [record] = (await world.response('domain=a.example')).results;
    assert.deepEqual(record.tags[0].tagged_at, '2026-03-04T10:11:12.000Z');
    await change({ domain: 'a.example', remove: ['PHISHING'] });
    assert.deepEqual(await labels('a.example'), ['acme inc']);
    assert.deepEqual(await world.names('tagged_with_any=ACME+INC'), ['a.example']);
  });

  await t.test('own tags are seen by their user, those of the team by the account', async () => {
    await change({ domains: ['b.example'], add: ['mine'] });
    await change({ domains: ['b.example'], add: ['ours'], scope: 'team' });
    assert.deepEqual(await labels('b.example'), ['mine', 'ours']);
    assert.deepEqual(await labels('b.example', colleague), ['ours']);
    assert.deepEqual(await labels('b.example', stranger), []);
  });

  await t.test('several domains are tagged at once, and those without a record are named', async () => {
    const { json } = await change({
      domains: ['a.example', 'bücher.example', 'unknown.example'],
      add: ['many'],
    });
    assert.deepEqual(json.response.missing_domains, ['unknown.example']);
    assert.deepEqual(await world.names('tagged_with_any=many&sort_by=domain'), [
      'a.example',
      'bücher.example',
    ]);
  });

  await t.test('form bodies are taken too', async () => {
    const answer = await server.call('POST /v1/domain-tags/', {
      key: user.key,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'domain=a.example,b.example&add[]=f1&add[]=f2',
    });
    assert.equal(answer.json.response.domains.length, 2, answer.text);
  });

  await t.test('a user without the permission to triage reads tags and changes none', async () => {
    const reader = await server.user({ account: user.caller.account.name });
    assert.equal((await change({ domain: 'a.example', add: ['x'] }, reader)).status, 403);
    assert.deepEqual(await labels('b.example', reader), ['ours']);
  });

  await t.test('what makes no sense answers 400 and changes nothing', async () => {
    const before = await labels('a.example');
    for (const body of [
      {},
      { domain: 'a.example' },
      { add: ['x'] },
      { domain: 'a.example', add: [''] },
      { domain: 'a.example', add: ['a,b'] },
      { domain: 'a.example', add: ['a\nb'] },
      { domain: 'a.example', add: ['x'.repeat(65)] },
      { domain: 'a.example', add: 'x' },
      { domain: 'a.example', add: Array.from({ length: 101 }, (_, n) => `t${n}`) },
      { domain: 'a b', add: ['x'] },
      { domain: 'a.example', add: ['x'], scope: 'all' },
      { domains: Array.from({ length: 101 }, (_, n) => `n${n}.example`), add: ['x'] },
    ])
      assert.equal((await change(body)).status, 400, JSON.stringify(body).slice(0, 80));
    assert.deepEqual(await labels('a.example'), before);
  });
});
