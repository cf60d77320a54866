/** What the client makes of answers to the request to end a query, which a real server gives only now and then. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { ClickHouseClient } from '../../../../src/store/distributed/clickhouse/clickhouse-client.ts';
import { ClickHouseError } from '../../../../src/store/distributed/clickhouse/clickhouse-errors.ts';

/** Answers with these errors, one after the other, and then that all is well. */
async function clientOf(t: TestContext, ...errors: readonly string[]) {
  const left = [...errors];
  const statements: string[] = [];
  const server = createServer((request, response) => {
    void request
      .setEncoding('utf8')
      .toArray()
      .then((parts) => {
        statements.push(parts.join(''));
        const error = left.shift();
        response.writeHead(error === undefined ? 200 : 500).end(error ?? '');
      });
  }).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const options = { urls: [url], database: 'nameglass', user: 'writer', password: '', allowOld: true };
  return { client: new ClickHouseClient(options), statements };
}

const cannotKill = 'Code: 380. DB::Exception: Cannot kill the query: it has not been cancelled yet';
const denied = 'Code: 497. DB::Exception: writer: Not enough privileges: KILL QUERY';
const cancelled = 'Code: 394. DB::Exception: Query was cancelled';

test('a query that cannot be ended yet is ended later', async (t) => {
  const { client, statements } = await clientOf(t, cannotKill, cannotKill);
  await client.endQuery('one');
  assert.equal(statements.length, 3);
  assert.ok(statements.every((statement) => statement === "kill query where query_id = 'one' sync"));
});

test('where the user may not end queries, the outcome of an insert is not taken for decided', async (t) => {
  const { client, statements } = await clientOf(t, denied);
  await assert.rejects(
    client.endQuery('one'),
    (error) => error instanceof ClickHouseError && error.code === 497,
  );
  assert.equal(statements.length, 1);
});

test('a read that was ended by somebody else is not sent again', async (t) => {
  const { client, statements } = await clientOf(t, cancelled);
  await assert.rejects(client.read('select 1'), { code: 'try-again' });
  assert.equal(statements.length, 1);
});
