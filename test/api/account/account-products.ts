/** The products of an account as its summary lists them. */
import assert from 'node:assert/strict';
import type { TestServer } from '../../harness/server/test-server.ts';

export interface Product {
  readonly id: string;
  readonly per_month_limit: string | null;
  readonly per_hour_limit: string | null;
  readonly per_minute_limit: string | null;
  readonly absolute_limit: string | null;
  readonly usage: { readonly today: string; readonly month: string };
  readonly expiration_date: string | null;
}

export async function productsOf(server: Pick<TestServer, 'call'>, key: string): Promise<readonly Product[]> {
  const answer = await server.call('GET /v1/account/', { key });
  assert.equal(answer.status, 200);
  return answer.json.response.products;
}

export async function productOf(server: Pick<TestServer, 'call'>, key: string, id: string): Promise<Product> {
  const found = (await productsOf(server, key)).find((product) => product.id === id);
  assert.ok(found, id);
  return found;
}

/** The feeds’ product ids without their suffixes, as the documentation of known gaps lists them. */
export const feeds = [
  'newly-observed-domains-feed',
  'newly-active-domains-feed',
  'newly-observed-hosts-feed',
  'domain-registration-data-access-protocol-feed',
  'real-time-domain-discovery-feed',
  'real-time-domain-risk',
  'real-time-domain-hotlist',
  'real-time-ip-risk',
  'real-time-ip-hotlist',
];
