import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testServer } from '../../harness/server/test-server.ts';

const server = await testServer({ after });

test('GET /v1/account/user/ says whose key it is and what the key may do', async () => {
  const { key } = await server.user({
    username: 'carla',
    permissions: ['read', 'triage'],
    keyExpiresMs: Date.parse('2027-01-01T00:00:00Z'),
    products: ['intel-enrich'],
  });
  const { status, json } = await server.call('GET /v1/account/user/', { key });
  assert.equal(status, 200);
  assert.deepEqual(json.response.user, {
    username: 'carla',
    account: 'carla',
    permissions: ['read', 'triage'],
    api_owner: true,
    expires: '2027-01-01T00:00:00.000Z',
    key_allow: null,
    key_products: ['intel-enrich'],
    pdns: true,
    batch: true,
  });
});

test('GET /v1/account/user/ of a key without passive DNS says so', async () => {
  const { key } = await server.user({ pdns: null });
  assert.equal((await server.call('GET /v1/account/user/', { key })).json.response.user.pdns, false);
});

test('GET /v1/account/user/ is free: it counts against no product', async () => {
  const { key } = await server.user();
  for (let call = 0; call < 3; call += 1) await server.call('GET /v1/account/user/', { key });
  const { products } = (await server.call('GET /v1/account/', { key })).json.response;
  assert.ok(products.every(({ usage }: { usage: { today: string } }) => usage.today === '0'));
});
