/** Responses that are cut, refused for a while, redirected or too many. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { type ClientOptions, NameglassClient, NameglassError } from '../../src/client/nameglass-client.ts';
import { storeRecords } from '../api/enrich/stored-records.ts';
import { testServer } from '../harness/server/test-server.ts';

const lookup = '/pdns/v2/lookup/rrset/name/*.example';

/** What a query does after its records have been found. */
let afterRecords: () => Promise<void> = async () => undefined;

const opened = (async () => {
  const server = await testServer(
    { after },
    {
      rrsets: (own) => ({
        scanText: (scan) => own.scanText(scan),
        scan: async function* (scan) {
          yield* own.scan(scan);
          await afterRecords();
        },
      }),
      settings: {
        'pdns.keepAliveSeconds': '1',
        'limits.productRequestsPerMinute': '1',
        'limits.investigate.matchesMax': '1',
      },
    },
  );
  await server.observe([{ rrname: 'a.example' }, { rrname: 'b.example' }]);
  await server.app.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${(server.app.server.address() as AddressInfo).port}`;
  return { server, url };
})();

/** The shared server, with an account of its own for each test. */
async function open(work: typeof afterRecords = async () => undefined) {
  const { server, url } = await opened;
  const { key } = await server.user();
  afterRecords = work;
  const client = (given: Partial<ClientOptions> = {}) => new NameglassClient({ server: url, key, ...given });
  return { server, client };
}

/** Long enough that the records are sent before the end of the query. */
const keepOpen = () => new Promise<void>((resolve) => setTimeout(resolve, 1500));

async function all(items: AsyncIterable<unknown>): Promise<unknown[]> {
  const read: unknown[] = [];
  for await (const item of items) read.push(item);
  return read;
}

/** What was read, and what ended it. */
async function readAll(lines: AsyncIterable<unknown>): Promise<{ read: unknown[]; error: NameglassError }> {
  const read: unknown[] = [];
  try {
    for await (const line of lines) read.push(line);
  } catch (error) {
    assert.ok(error instanceof NameglassError, String(error));
    return { read, error };
  }
  return assert.fail('it ended without an error');
}

test('a response whose connection breaks is incomplete, whatever was read before', async () => {
  const { client, server } = await open(keepOpen);
  const lines = client().lines(lookup);
  const first = await lines.next();
  assert.ok(first.value);
  server.app.server.closeAllConnections();
  const { error } = await readAll(lines);
  assert.equal(error.code, 'incomplete');
});

test('a response that ends without succeeded, limited or failed is incomplete', async () => {
  const { client } = await open();
  const withoutEnd = client({
    fetch: async (...request) => {
      const response = await fetch(...request);
      return new Response((await response.text()).replace('{"cond":"succeeded"}\n', ''), response);
    },
  });
  const { read, error } = await readAll(withoutEnd.lines(lookup));
  assert.deepEqual([read.length, error.code], [2, 'incomplete']);
  assert.equal((await readAll(withoutEnd.pages(lookup))).error.code, 'incomplete');
});

test('a query that fails after its first records throws what the server says', async () => {
  const { client } = await open(async () => {
    await keepOpen();
    throw new Error('damaged');
  });
  const { read, error } = await readAll(client().lines(lookup));
  assert.deepEqual([read.length, error.code, error.message], [2, 'failed', 'processing error']);
});

test('a reader that stops early ends the request', async () => {
  const { client } = await open(keepOpen);
  let isCancelled = false;
  const watched = client({
    fetch: async (...request) => {
      const response = await fetch(...request);
      const reader = (response.body as ReadableStream<Uint8Array>).getReader();
      const body = new ReadableStream<Uint8Array>({
        pull: async (controller) => {
          const { value } = await reader.read();
          if (value) controller.enqueue(value);
        },
        cancel: async () => {
          isCancelled = true;
          await reader.cancel();
        },
      });
      return new Response(body, response);
    },
  });
  for await (const record of watched.lines(lookup)) {
    assert.ok(record);
    break;
  }
  assert.ok(isCancelled);
});

test('a refused request waits as long as the server says, and no longer than the client may', async () => {
  const { client, server } = await open();
  await storeRecords(server, [{ domain: 'a.example' }]);
  const [path, query] = ['/v1/intel-enrich/', { domain: 'a.example' }];
  await client().json(path, { query });
  const refused = await client({ waitSeconds: 10 })
    .json(path, { query })
    .catch((error: unknown) => error);
  assert.ok(refused instanceof NameglassError);
  assert.deepEqual([refused.status, refused.code, refused.retryAfterSeconds], [429, 'limit', 60]);
  server.clock.advanceSeconds(59);
  let sent = 0;
  const patient = client({
    waitSeconds: 10,
    fetch: (...request) => {
      if (sent > 0) server.clock.advanceSeconds(2);
      sent += 1;
      return fetch(...request);
    },
  });
  await patient.json(path, { query });
  assert.equal(sent, 2);
});

test('an abort ends the waiting', async () => {
  const { client } = await open();
  const [path, query] = ['/v1/risk/', { domain: 'a.example' }];
  await client().json(path, { query });
  const abort = new AbortController();
  const waiting = client({ waitSeconds: 100 }).json(path, { query, signal: abort.signal });
  setTimeout(() => abort.abort(new Error('enough')), 50);
  await assert.rejects(waiting, /enough/);
});

test('a search with too many matches throws when its pages are read', async () => {
  const { client, server } = await open();
  const shared = { active: true, server_type: 'nginx' };
  await storeRecords(server, [
    { domain: 'a.example', ...shared },
    { domain: 'b.example', ...shared },
  ]);
  const { error } = await readAll(
    client().pages('/v1/intel-investigate/', { query: { server_type: 'nginx' } }),
  );
  assert.deepEqual([error.status, error.code], [413, 'too-many-results']);
});

test('all of a feed is read in several responses, with a session and without', async () => {
  const { client } = await open();
  let sent = 0;
  const continued = (headers: Record<string, string>) =>
    client({
      fetch: async (...request) => {
        sent += 1;
        await fetch(...request);
        const last = sent % 2 === 0;
        return new Response(`{"domain":"${new URL(String(request[0])).searchParams.get('after')}"}\n`, {
          status: last ? 200 : 206,
          headers: { 'content-type': 'application/x-ndjson', ...(last ? {} : headers) },
        });
      },
    });
  const path = '/v1/feed/nod/';
  const linked = continued({ link: '<?after=-5>; rel="next"' }).pages(path, { query: { after: -60 } });
  assert.deepEqual(await all(linked), [{ domain: '-60' }, { domain: '-5' }]);
  const inSession = continued({}).pages(path, { query: { sessionID: 'siem' } });
  assert.deepEqual(await all(inSession), [{ domain: 'null' }, { domain: 'null' }]);
  const { error } = await readAll(continued({}).pages(path, { query: { after: -60 } }));
  assert.equal(error.code, 'too-many-results');
});

/** A server that is not ours, and what it was sent. */
const stranger = (async () => {
  const received: string[] = [];
  const other = createServer((request, response) => {
    received.push(`${request.url} ${String(request.headers['x-api-key'] ?? 'no key')}`);
    if (request.url === '/v1/account/')
      response.writeHead(301, { location: 'https://elsewhere.example/' }).end();
    else response.end('<html>');
  });
  after(() => other.close());
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  return { received, url: `http://127.0.0.1:${(other.address() as AddressInfo).port}` };
})();

test('a redirect is not followed, and neither is a page of HTML taken for an answer', async () => {
  const { url } = await stranger;
  const asker = new NameglassClient({ server: url, key: 'secret' });
  await assert.rejects(asker.request('/v1/account/'), { code: 'unexpected', message: /elsewhere\.example/ });
  await assert.rejects(asker.json('/v1/intel-enrich/'), { code: 'unexpected' });
  await assert.rejects(all(asker.lines('/v1/feed/nod/')), NameglassError);
});

test('a key is never sent to another server than its own', async () => {
  const { client } = await open();
  const { url, received } = await stranger;
  await client().request(`${url}/link`);
  assert.equal(received.at(-1), '/link no key');
});
