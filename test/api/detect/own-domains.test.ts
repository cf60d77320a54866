import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { analyst, type DetectFixture, freshAccounts, type Json } from './detect-fixture.ts';

const route = '/v1/intel-detect/own-domains/';

async function change(world: DetectFixture, body: object): Promise<Json> {
  const answer = await world.call(`POST ${route}`, { body });
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

const fresh = await freshAccounts({ after });

test('own domains are added and removed, in Unicode or punycode, as lists or comma-separated strings, and shown in Unicode', async () => {
  const world = await fresh();
  assert.deepEqual((await world.call(`GET ${route}`)).json, { count: 0, own_domains: [] });
  const added = await change(world, { add: ['Acme.example', 'bücher.example', 'shop.acme.co.uk.'] });
  assert.deepEqual(added, {
    count: 3,
    own_domains: ['acme.example', 'shop.acme.co.uk', 'bücher.example'],
  });
  await change(world, { add: 'bolt.example, bolt.com', remove: 'xn--bcher-kva.example,never.example' });
  const { own_domains } = (await world.call(`GET ${route}`)).json;
  assert.deepEqual(own_domains, ['acme.example', 'bolt.com', 'bolt.example', 'shop.acme.co.uk']);
  const form = await world.call(`POST ${route}`, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'remove[]=bolt.com&remove[]=bolt.example&remove=acme.example',
  });
  assert.deepEqual(form.json.own_domains, ['shop.acme.co.uk']);
});

test('own domains and their subdomains leave the lists and do not come back', async () => {
  const world = await fresh();
  await world.monitor('acme');
  await world.discover('acme.example');
  await world.discover('acme-login.example');
  await change(world, { add: ['acme.example'] });
  await world.discover('acme.example');
  assert.deepEqual(await world.names('new'), ['acme-login.example']);
});

test('each account has its own domains', async () => {
  const world = await fresh();
  const otherUser = await world.server.user({ permissions: analyst });
  await change(world, { add: ['acme.example'] });
  assert.equal((await world.call(`GET ${route}`, { by: otherUser })).json.count, 0);
});

test('invalid own domains are refused with 400, and nothing changes', async () => {
  const world = await fresh();
  await change(world, { add: ['acme.example'] });
  for (const [body, field] of [
    [{}, 'add'],
    [{ add: [], remove: [] }, 'add'],
    [{ add: 'com' }, 'add'],
    [{ add: ['co.uk'] }, 'add'],
    [{ add: ['github.io'] }, 'add'],
    [{ add: ['not a name'] }, 'add'],
    [{ add: ['192.0.2.1'] }, 'add'],
    [{ add: ['bolt.example', 7] }, 'add'],
    [{ add: 5 }, 'add'],
    [{ add: null }, 'add'],
    [{ add: {} }, 'add'],
    [{ add: Array.from({ length: 1001 }, (_, index) => `a${index}.example`) }, 'add'],
    [{ remove: [''] }, 'add'],
    [{ remove: ['a..b'] }, 'remove'],
    [{ remove: true }, 'remove'],
    [{ add: 'bolt.example', remove: 'BOLT.example' }, 'remove'],
  ] as const) {
    const { status, json } = await world.call(`POST ${route}`, { body });
    assert.equal(status, 400, JSON.stringify(body).slice(0, 80));
    assert.match(json.error.message, new RegExp(`^${field}:`));
  }
  assert.deepEqual((await world.call(`GET ${route}`)).json.own_domains, ['acme.example']);
});

test('own domains are changed with the manage permission, and read by all users', async () => {
  const world = await fresh();
  const reader = await world.server.user({ account: world.user.caller.account.name });
  assert.equal((await world.call(`GET ${route}`, { by: reader })).status, 200);
  const body = { add: ['acme.example'] };
  assert.equal((await world.call(`POST ${route}`, { by: reader, body })).status, 403);
});
