/** Clients that stop reading, and keys with many searches: what they hold, and whose share of the server they use. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { currentFlow } from '../../../src/concurrency/event-loop-slices.ts';
import { behindProxy, clientAddress } from '../../harness/server/client-address.ts';
import { pdnsServer } from './pdns-fixture.ts';

const seen = Array.from({ length: 3000 }, (_, index) => ({
  rrname: `host${index}.example`,
  rrtype: 'TXT',
  rdata: `"${'x'.repeat(200)}"`,
}));

const ownConnection = { skip: behindProxy('it is about what waits on the connection to the client itself') };

test(
  'of a client that stops reading, the server holds a few dozen rows and some kilobytes',
  ownConnection,
  async (t) => {
    let [rowsMax, slices] = [0, 0];
    const server = await pdnsServer(t, seen, {
      settings: { 'pdns.resultsMax': '1000000000' },
      rrsets: (own) => ({
        scanText: (scan) => own.scanText(scan),
        async *scan(scan) {
          // The same rows again and again, more than the system buffers for a connection.
          for (;;) {
            for await (const rows of own.scan(scan)) {
              rowsMax = Math.max(rowsMax, rows.length);
              slices += 1;
              yield rows;
            }
          }
        },
      }),
    });
    const connections: Socket[] = [];
    server.app.server.on('connection', (socket) => connections.push(socket));
    const { host, port } = await clientAddress(server.app);
    const path = '/pdns/v2/lookup/rrset/name/*.example?limit=0';
    const sent = request({ host, port, path, headers: { 'x-api-key': server.key }, agent: false });
    sent.end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    answer.pause();
    for (let before = -1; before !== slices; ) {
      before = slices;
      await pause(300);
    }
    assert.equal(connections.length, 1);
    const waiting = connections[0]?.writableLength ?? 0;
    assert.ok(waiting > 0, 'the client has not stalled');
    assert.ok(waiting <= 45_000, `${waiting} bytes wait for the client`);
    assert.ok(rowsMax <= 80, `${rowsMax} rows in a slice`);
    answer.on('error', () => undefined).destroy();
  },
);

test('all searches of a key share the time of that key', async (t) => {
  const flows: string[] = [];
  const server = await pdnsServer(t, seen.slice(0, 300), {
    rrsets: (own) => ({
      scanText: (scan) => own.scanText(scan),
      async *scan(scan) {
        for await (const rows of own.scan(scan)) {
          flows.push(currentFlow());
          yield rows;
        }
      },
    }),
  });
  const other = await server.user();
  const lookup = 'GET /pdns/v2/lookup/rrset/name/*.example';
  for (const key of [server.key, other.key, server.key]) {
    flows.push('next');
    assert.equal((await server.call(lookup, { key })).status, 200);
  }
  const [first, second, third] = flows
    .join()
    .split('next')
    .slice(1)
    .map((slices) => [...new Set(slices.split(',').filter((flow) => flow !== ''))]);
  assert.equal(first?.length, 1);
  assert.equal(second?.length, 1);
  assert.notDeepEqual(first, second);
  assert.deepEqual(first, third);
});
