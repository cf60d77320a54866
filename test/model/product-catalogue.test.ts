import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../../src/config.ts';
import {
  countableLimits,
  isProductId,
  limitsOf,
  type ProductId,
  type ProductLimits,
  productIds,
} from '../../src/model/product-catalogue.ts';

const { settings } = readConfig({ environment: {}, flags: {} });

test('there are 27 distinct products', () => {
  assert.equal(productIds.length, 27);
  assert.equal(new Set(productIds).size, 27);
});

test('exactly the product ids are recognized', () => {
  assert.ok(productIds.every(isProductId));
  for (const text of [
    '',
    'intel',
    'Intel-Enrich',
    'intel-enrich ',
    'newly-observed-domains-feed',
    'length',
  ]) {
    assert.equal(isProductId(text), false);
  }
});

test('every feed has a product for its endpoint and one for its download', () => {
  const feeds = productIds.filter((id) => id.endsWith('-(api)')).map((id) => id.replace('-(api)', ''));
  assert.equal(feeds.length, 9);
  for (const feed of feeds) assert.ok(isProductId(`${feed}-(s3)`));
});

const feedLimits = { perMinute: 2, perHour: 120 };
const byContract: Partial<Record<ProductId, ProductLimits>> = {
  'intel-detect-monitors': { perMinute: 600, perHour: 1 },
  'intel-detect-new-domains': { perMinute: 600, perHour: 1 },
  'intel-detect-watched-domains': { perMinute: 600, perHour: 1 },
  'intel-detect-escalate-domains': { perMinute: 30 },
};
for (const product of productIds) {
  const expected = byContract[product] ?? (product.endsWith('-(api)') ? feedLimits : { perMinute: 600 });
  test(`by default ${product} has exactly the limits ${JSON.stringify(expected)}`, () => {
    assert.deepEqual(limitsOf({ product }, settings), expected);
  });
}

test('LIM-19 every limit of the contract is a setting whose default is the number of the contract', () => {
  assert.deepEqual(settings.limits, {
    productRequestsPerMinute: 600,
    usersPerAccountMax: 500,
    ingest: { requestsPerMinute: 120, bytesPerHour: 268_435_456 },
    taxii: { requestsPerMinute: 120 },
    detect: {
      monitorsQueriesPerHour: 1,
      newDomainsQueriesPerHour: 1,
      watchedDomainsQueriesPerHour: 1,
      previewDomainsMax: 10,
      previewRequestsPerMinute: 30,
      escalationBlockedDomainsMax: 100,
      escalationExternalSafeDomainsMax: 10,
      escalationsPerMinute: 30,
      offsetMax: 100_000,
      domainsLimitMax: 100,
      domainsLimitWithDataMax: 50,
      monitorsLimitMax: 500,
      monitorsLimitWithCountsMax: 100,
    },
    investigate: { domainsMax: 100, matchesMax: 10_000, pageSizeMax: 500, guidedPivotDomainsMax: 500 },
    feed: { queriesPerMinute: 2, queriesPerHour: 120, recordsMax: 10_000_000 },
    assistant: { requestsPerSecond: 10, burstRequests: 20 },
  });
});

const changed = {
  limits: {
    ...settings.limits,
    productRequestsPerMinute: 50,
    detect: { ...settings.limits.detect, monitorsQueriesPerHour: 7 },
  },
};

test('a changed setting changes only the limits that depend on it', () => {
  assert.deepEqual(limitsOf({ product: 'intel-detect-monitors' }, changed), { perMinute: 50, perHour: 7 });
  assert.deepEqual(limitsOf({ product: 'intel-detect-new-domains' }, changed), { perMinute: 50, perHour: 1 });
  const feed = 'newly-observed-domains-feed-(api)';
  assert.deepEqual(limitsOf({ product: feed }, changed), feedLimits);
});

test("each of an account's own limits overrides that of the contract", () => {
  const grant = { product: 'intel-detect-monitors', perHour: 9, perMonth: 100, absolute: 1000 } as const;
  assert.deepEqual(limitsOf(grant, settings), { perMinute: 600, perHour: 9, perMonth: 100, absolute: 1000 });
});

test("an account's own limits replace those of the contract as a whole, also one that they do not name", () => {
  const grant = { product: 'intel-detect-monitors', perMinute: 600 } as const;
  assert.deepEqual(limitsOf(grant, settings), { perMinute: 600 });
  const dated = { product: 'intel-detect-monitors', expirationDate: '2030-01-01' } as const;
  assert.deepEqual(limitsOf(dated, settings), { perMinute: 600, perHour: 1 });
});

test('the limits of a grant follow the settings', () => {
  const grant = { product: 'intel-enrich' } as const;
  const found = [settings, changed, settings].map((one) => limitsOf(grant, one).perMinute);
  assert.deepEqual(found, [600, 50, 600]);
});

test('the expiration date of a product is not a limit', () => {
  const grant = { product: 'intel-enrich', expirationDate: '2026-12-31' } as const;
  assert.deepEqual(limitsOf(grant, settings), { perMinute: 600 });
});

test('limits are per minute, per hour, per month and absolute, and only those that are set', () => {
  const shapes = (limits: ProductLimits) => countableLimits(limits).map(({ name, size }) => [name, size]);
  assert.deepEqual(shapes({ perMinute: 1 }), [['minute', 1]]);
  assert.deepEqual(shapes({ perMinute: 1, perHour: 0, perMonth: 3, absolute: 4 }), [
    ['minute', 1],
    ['hour', 0],
    ['month', 3],
    ['absolute', 4],
  ]);
});
