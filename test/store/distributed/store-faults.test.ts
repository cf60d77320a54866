import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { PostgresDatabase } from '../../../src/store/distributed/postgres/database.ts';
import { openObjects } from '../../../src/store/distributed/s3/open-objects.ts';
import { storeFaults } from '../../../src/store/distributed/store-faults.ts';
import { TestClock } from '../../harness/test-clock.ts';

// Balancers wait some seconds for readiness: an object store that hangs must not make all nodes seem dead.
test('engines that accept connections and never answer are found before a balancer gives up', {
  timeout: 6000,
}, async (t) => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => void sockets.push(socket));
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  const { port } = silent.address() as AddressInfo;
  const url = `postgres://nobody@127.0.0.1:${port}/nameglass`;
  const database = new PostgresDatabase({ url, schema: 'nameglass', poolMax: 2 });
  t.after(() => {
    void database.close();
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  const objects = openObjects(database, {
    endpoint: `http://127.0.0.1:${port}`,
    bucket: 'nameglass',
    region: 'us-east-1',
    pathStyle: true,
    accessKey: 'key',
    secretKey: 'key',
    prefix: '',
  });
  const findFaults = storeFaults({
    database,
    shards: [database],
    objects,
    clock: new TestClock(),
    unsealedBytesMax: 1,
  });
  assert.deepEqual(
    (await findFaults()).map(({ part, isPartial }) => [part, isPartial]),
    [
      ['postgres', false],
      ['postgres_shard_1', true],
      ['s3', true],
    ],
  );
});
