/** Every operation of the contract with a request that the probes and the server's own routes answer with 200. */
import { type Operation, type OperationId, operations } from '../../src/http/platform/operations.ts';
import type { Permission } from '../../src/model/permission.ts';
import { probedOperations, routeOf } from '../harness/probe-routes.ts';
import type { CallOptions } from '../harness/test-server.ts';

export const everyOperation = Object.keys(operations) as OperationId[];

/** Those that can be called over and over with the same request and are answered alike each time. */
export const repeatable: readonly OperationId[] = ['getAccountInfo', 'getAccountKeys', ...probedOperations];

export const everyPermission: readonly Permission[] = [
  'read',
  'triage',
  'escalate',
  'manage',
  'ingest',
  'admin',
];

/** Limits out of the way of tests that call an operation more often than the contract allows in an hour. */
export const withoutLimits = {
  'limits.productRequestsPerMinute': '100000',
  'limits.detect.monitorsQueriesPerHour': '100000',
  'limits.detect.newDomainsQueriesPerHour': '100000',
  'limits.detect.watchedDomainsQueriesPerHour': '100000',
  'limits.detect.escalationsPerMinute': '100000',
  'limits.feed.queriesPerMinute': '100000',
  'limits.feed.queriesPerHour': '100000',
};

export function operationsOf(...families: Operation['family'][]): OperationId[] {
  return everyOperation.filter((id) => families.includes(operations[id].family));
}

export function methodOf(id: OperationId): string {
  return routeOf(id).split(' ')[0] as string;
}

export function pathOf(id: OperationId): string {
  return routeOf(id).split(' ')[1] as string;
}

export function takesBody(id: OperationId): boolean {
  return ['POST', 'PUT', 'PATCH'].includes(methodOf(id));
}

/** The body that an operation needs to be answered. */
export function bodyFor(id: OperationId): Pick<CallOptions, 'body'> {
  return takesBody(id) ? { body: { term: 'acme' } } : {};
}

/** A body of which nothing can be accepted. */
export function badBodyFor(id: OperationId): Pick<CallOptions, 'body' | 'headers'> {
  return takesBody(id) ? { body: '{"term":', headers: { 'content-type': 'application/json' } } : {};
}
