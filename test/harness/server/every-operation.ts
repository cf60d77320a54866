/** Every operation of the contract, with a request that the echo operations and the server's own operations answer with 200. */
import type { Family } from '../../../src/http/platform/families.ts';
import type { Permission } from '../../../src/model/account/permission.ts';
import { echoedOperations, getOperation, operations, routeOf } from './echo-operations.ts';
import type { CallOptions } from './test-server.ts';

export const everyOperation = Object.keys(operations);

/** Operations that can be repeated with the same request and get the same response. */
export const repeatable: readonly string[] = ['getAccountInfo', 'getAccountKeys', ...echoedOperations];

export const everyPermission: readonly Permission[] = [
  'read',
  'triage',
  'escalate',
  'manage',
  'ingest',
  'admin',
];

/** Limits high enough for tests that call an operation more often than the contract allows. */
export const withoutLimits = {
  'limits.productRequestsPerMinute': '100000',
  'limits.detect.monitorsQueriesPerHour': '100000',
  'limits.detect.newDomainsQueriesPerHour': '100000',
  'limits.detect.watchedDomainsQueriesPerHour': '100000',
  'limits.detect.escalationsPerMinute': '100000',
  'limits.feed.queriesPerMinute': '100000',
  'limits.feed.queriesPerHour': '100000',
};

export function operationsOf(...tags: Family['tag'][]): string[] {
  return everyOperation.filter((id) => tags.includes(getOperation(id).family.tag));
}

export function methodOf(id: string): string {
  return routeOf(id).split(' ')[0] as string;
}

export function pathOf(id: string): string {
  return routeOf(id).split(' ')[1] as string;
}

export function hasBody(id: string): boolean {
  return ['POST', 'PUT', 'PATCH'].includes(methodOf(id));
}

/** A valid body for the operation. */
export function bodyFor(id: string): Pick<CallOptions, 'body'> {
  return hasBody(id) ? { body: { term: 'acme' } } : {};
}

/** A malformed body for the operation. */
export function badBodyFor(id: string): Pick<CallOptions, 'body' | 'headers'> {
  return hasBody(id) ? { body: '{"term":', headers: { 'content-type': 'application/json' } } : {};
}
