/** Forged cursors: the sort order is not secret, so anyone can construct one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { cursorText } from '../../../src/product/pdns/cursor.ts';
import { propertyRuns } from '../../harness/property-runs.ts';
import { framed, sharedPdnsServers } from './pdns-fixture.ts';

const sharedServer = sharedPdnsServers();

const paths = [
  ['lookup', 'rrset', 'name', '*.example.com'],
  ['lookup', 'rrset', 'name', 'n1.example.com'],
  ['lookup', 'rrset', 'name', 'n1.*'],
  ['lookup', 'rdata', 'name', '*.example.net'],
  ['lookup', 'rdata', 'ip', '192.0.2.0,24'],
  ['lookup', 'rdata', 'raw', '00'],
  ['glob', 'rrnames', '*'],
  ['glob', 'rdata', '*'],
];

test('a cursor of arbitrary bytes is accepted or refused, never answered with an internal error', async () => {
  const server = await sharedServer(
    Array.from({ length: 20 }, (_, index) => [
      { rrname: `n${index}.example.com`, rdata: `192.0.2.${index}` },
      { rrname: `n${index}.example.com`, rrtype: 'MX', rdata: `${index} mail.example.net` },
    ]).flat(),
  );
  const position = fc.record({
    position: fc.option(fc.uint8Array({ maxLength: 80 }), { nil: undefined }),
    lastSeconds: fc.nat({ max: 2 ** 40 }),
    skipped: fc.oneof(fc.nat({ max: 30 }), fc.constant(2 ** 47)),
  });
  const choice = fc.record({
    path: fc.constantFrom(...paths),
    merged: fc.boolean(),
    order: fc.constantFrom('store' as const, 'newest' as const),
  });
  await fc.assert(
    fc.asyncProperty(choice, position, async ({ path, merged, order }, where) => {
      const aggregated = merged || path[0] !== 'lookup';
      const cursor = cursorText({ path, merged: aggregated, order }, where);
      const sort = order === 'newest' ? '&sort=time_last' : '';
      const query = `?cursor=${cursor}&limit=5${aggregated ? '' : '&aggr=f'}${sort}`;
      const answer = await server.call(`GET /pdns/v2/${path.join('/')}${query}`, { key: server.key });
      if (answer.status !== 400) assert.ok(framed(answer).objs.length <= 5);
    }),
    { numRuns: propertyRuns(300) },
  );
});
