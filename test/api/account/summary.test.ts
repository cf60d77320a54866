import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ProductId, productIds } from '../../../src/model/product-catalogue.ts';
import { echoOperations, routeOf } from '../../harness/server/echo-operations.ts';
import { sharedServers } from '../../harness/server/shared-servers.ts';

import { feeds, type Product, productOf, productsOf } from './account-products.ts';

const sharedServer = sharedServers();

const route = 'GET /v1/account/';
const author = { actor: 'operator', atMs: 0 };

const neutralIds = [
  'account-information',
  'intel-enrich',
  'intel-investigate',
  'intel-detect-monitors',
  'intel-detect-new-domains',
  'intel-detect-watched-domains',
  'intel-detect-ignored-domains',
  'intel-detect-escalate-domains',
  'intel-detect-manage-watchlist-domains',
  ...feeds.flatMap((feed) => [`${feed}-(api)`, `${feed}-(s3)`]),
];

test('ACC-01 ACC-02 valid credentials get 200 with the account summary and the products', async () => {
  const server = await sharedServer();
  const user = await server.user();
  const answer = await server.call(route, { key: user.key });
  assert.equal(answer.status, 200);
  assert.deepEqual(Object.keys(answer.json), ['response']);
  assert.deepEqual(answer.json.response.account, { api_username: user.username, active: true });
  assert.ok(Array.isArray(answer.json.response.products));
  assert.equal(answer.json.response.products.length, neutralIds.length);
});

test('ACC-03 products has one entry for each provisioned product and no other', async () => {
  const server = await sharedServer();
  const user = await server.user();
  const other = await server.user();
  const kept: ProductId[] = ['account-information', 'intel-enrich', 'newly-observed-domains-feed-(s3)'];
  await server.accounts.withdraw(
    user.username,
    productIds.filter((id) => !kept.includes(id)),
    author,
  );
  const ids = (await productsOf(server, user.key)).map(({ id }) => id);
  assert.deepEqual(ids.sort(), [...kept].sort());
  assert.equal((await productsOf(server, other.key)).length, neutralIds.length);

  await server.accounts.provision(user.username, [{ product: 'intel-investigate' }], author);
  const more = (await productsOf(server, user.key)).map(({ id }) => id);
  assert.deepEqual(more.sort(), [...kept, 'intel-investigate'].sort());
});

test('ACC-01 ACC-13 an account with any single product can read its summary', async () => {
  const server = await sharedServer();
  for (const kept of productIds) {
    const user = await server.user();
    const others = productIds.filter((id) => id !== kept);
    await server.accounts.withdraw(user.username, others, author);
    const answer = await server.call(route, { key: user.key });
    assert.equal(answer.status, 200, `only ${kept}: ${answer.text}`);
    assert.deepEqual(
      answer.json.response.products.map(({ id }: Product) => id),
      [kept],
    );
  }
});

test('ACC-04 each product has all seven members, even when a value is null', async () => {
  const server = await sharedServer();
  const user = await server.user();
  const products = await productsOf(server, user.key);
  assert.ok(products.some((product) => product.per_month_limit === null));
  for (const product of products) {
    assert.deepEqual(
      Object.keys(product).sort(),
      [
        'absolute_limit',
        'expiration_date',
        'id',
        'per_hour_limit',
        'per_minute_limit',
        'per_month_limit',
        'usage',
      ],
      product.id,
    );
  }
});

test('ACC-05 limits and usage are strings of digits, and a limit that is not set is null', async () => {
  const server = await sharedServer();
  const user = await server.user();
  const limits = { perMinute: 20, perHour: 300, perMonth: 10000, absolute: 50000 };
  await server.accounts.provision(user.username, [{ product: 'intel-investigate', ...limits }], author);
  const { id: _, usage, ...set } = await productOf(server, user.key, 'intel-investigate');
  assert.deepEqual(set, {
    per_month_limit: '10000',
    per_hour_limit: '300',
    per_minute_limit: '20',
    absolute_limit: '50000',
    expiration_date: null,
  });
  assert.deepEqual(usage, { today: '0', month: '0' });
  const { id: __, usage: ___, ...unset } = await productOf(server, user.key, 'intel-enrich');
  assert.deepEqual(unset, {
    per_month_limit: null,
    per_hour_limit: null,
    per_minute_limit: '600',
    absolute_limit: null,
    expiration_date: null,
  });
});

test('ACC-06 a counted request raises today and month of its own product by one', async () => {
  const server = await sharedServer({ operations: echoOperations });
  const user = await server.user();
  for (const count of ['1', '2', '3']) {
    assert.equal((await server.call(routeOf('getIntelEnrich'), { key: user.key })).status, 200);
    for (const { id, usage } of await productsOf(server, user.key)) {
      const expected = id === 'intel-enrich' ? count : '0';
      assert.deepEqual(usage, { today: expected, month: expected }, id);
    }
  }
});

test('ACC-06 a refused request is not counted', async () => {
  const server = await sharedServer({ operations: echoOperations });
  const user = await server.user();
  const wrong = await server.call('GET /v1/intel-enrich/?mx_exists=maybe', { key: user.key });
  assert.equal(wrong.status, 400);
  assert.deepEqual((await productOf(server, user.key, 'intel-enrich')).usage, { today: '0', month: '0' });
});

test('ACC-06 usage restarts at 0 with the next day and the next month', async () => {
  const server = await sharedServer({ operations: echoOperations });
  const user = await server.user();
  const usage = async () => (await productOf(server, user.key, 'intel-enrich')).usage;
  const count = () => server.call(routeOf('getIntelEnrich'), { key: user.key });
  server.clock.set('2026-03-30T23:59:59.999Z');
  await count();
  assert.deepEqual(await usage(), { today: '1', month: '1' });
  server.clock.set('2026-03-31T00:00:00Z');
  assert.deepEqual(await usage(), { today: '0', month: '1' });
  await count();
  assert.deepEqual(await usage(), { today: '1', month: '2' });
  server.clock.set('2026-03-31T23:59:59.999Z');
  assert.deepEqual(await usage(), { today: '1', month: '2' });
  server.clock.set('2026-04-01T00:00:00Z');
  assert.deepEqual(await usage(), { today: '0', month: '0' });
  await count();
  assert.deepEqual(await usage(), { today: '1', month: '1' });
});

test('ACC-07 expiration_date is null or a YYYY-MM-DD string', async () => {
  const server = await sharedServer();
  const user = await server.user();
  const grant = { product: 'intel-detect-new-domains', expirationDate: '2027-01-01' } as const;
  await server.accounts.provision(user.username, [grant], author);
  for (const { id, expiration_date } of await productsOf(server, user.key)) {
    assert.equal(expiration_date, id === grant.product ? '2027-01-01' : null, id);
  }
});

test('ACC-08 products have the documented ids in neutral spelling', async () => {
  const server = await sharedServer();
  const user = await server.user();
  const ids = (await productsOf(server, user.key)).map(({ id }) => id);
  assert.deepEqual(ids.sort(), [...neutralIds].sort());
});

test('ACC-08 the compatibility mount uses its clients’ spelling of the same products', async () => {
  const server = await sharedServer({ settings: { 'compat.profile': 'vendor' } });
  const user = await server.user();
  const answer = await server.call('GET /vendor/v1/account', { key: user.key });
  const ids = answer.json.response.products.map(({ id }: Product) => id);
  const vendorIds = neutralIds.map((id) => id.replace(/^intel-/, 'iris-'));
  assert.deepEqual(ids.sort(), vendorIds.sort());
  const neutral = (await productsOf(server, user.key)).map(({ id }) => id);
  assert.deepEqual(neutral.sort(), [...neutralIds].sort());
});
