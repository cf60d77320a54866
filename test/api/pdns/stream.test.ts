/** Long responses on real connections: what the client sees, and what is released when it disconnects. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createGunzip, gunzipSync } from 'node:zlib';
import type { PdnsGrant } from '../../../src/model/account/account.ts';
import type { Row, RrsetStore, Scan } from '../../../src/store/rrset-store.ts';
import {
  addressOfListening,
  behindProxyWithout,
  clientAddress,
} from '../../harness/server/client-address.ts';
import {
  assertTextError,
  daily,
  linesOf,
  type PdnsServer,
  pdnsServer,
  remaining,
  sharedPdnsServers,
} from './pdns-fixture.ts';

const sharedServer = sharedPdnsServers();

/** Intercepts the slices of a scan on their way out of the store. */
type Interceptor = (slices: AsyncIterable<readonly Row[]>, scan: Scan) => AsyncIterable<readonly Row[]>;

function storeWith(intercept: Interceptor): (own: RrsetStore) => Pick<RrsetStore, 'scan' | 'scanText'> {
  return (own) => ({
    scan: (scan) => intercept(own.scan(scan), scan),
    scanText: (scan) => own.scanText(scan),
  });
}

class Gate {
  #open: () => void = () => undefined;
  readonly opened = new Promise<void>((resolve) => {
    this.#open = resolve;
  });

  open(): void {
    this.#open();
  }
}

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; !condition(); tries += 1) {
    assert.ok(tries < 1000, 'the condition did not hold in time');
    await pause(20);
  }
}

async function get(
  server: PdnsServer,
  path: string,
  headers: Record<string, string> = {},
): Promise<{ sent: ClientRequest; answer: IncomingMessage }> {
  const sent = start(server, path, headers);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return { sent, answer };
}

function start(server: PdnsServer, path: string, headers: Record<string, string> = {}): ClientRequest {
  const { host, port } = addressOfListening(server.app);
  const sent = request({
    host,
    port,
    path: path.startsWith('/') ? path : `/pdns/v2/${path}`,
    headers: { 'x-api-key': server.key, ...headers },
    agent: false,
  });
  sent.on('error', () => undefined).end();
  return sent;
}

async function listening(
  t: TestContext,
  intercept: Interceptor,
  options: { settings?: Record<string, string>; metered?: true } = {},
): Promise<PdnsServer> {
  const server = await pdnsServer(t, [{ rrname: 'a.example' }, { rrname: 'b.example' }], {
    rrsets: storeWith(intercept),
    settings: options.settings ?? {},
    ...(options.metered ? { pdns: daily } : {}),
  });
  await clientAddress(server.app);
  return server;
}

const name = 'lookup/rrset/name/*.example';

/** Returns all rows, then waits until the gate opens. */
const heldOpen = (gate: Gate): Interceptor =>
  async function* (slices) {
    yield* slices;
    await gate.opened;
  };

test('PDNS-12 a stream that fails after it started keeps status 200 and ends with failed and a generic msg', async (t) => {
  const gate = new Gate();
  const server = await listening(t, async function* (slices) {
    yield* slices;
    await gate.opened;
    throw new Error('block 17 of /var/secret is damaged');
  });
  const { answer } = await get(server, name);
  answer.once('data', () => gate.open());
  const lines = linesOf(await text(answer));
  assert.equal(answer.statusCode, 200);
  assert.deepEqual(lines[0], { cond: 'begin' });
  assert.equal(lines.filter(({ obj }) => obj).length, 2);
  assert.deepEqual(lines.at(-1), { cond: 'failed', msg: 'processing error' });
  await until(() => server.log().includes('block 17'));
  assert.ok(server.log().includes(String(answer.headers['x-request-id'])));
  assert.match(server.log(), /"status":200,"problem":"internal"/);
});

test('PDNS-15 PDNS-16 during a long pause the stream sends the keep-alive line {}', async (t) => {
  const gate = new Gate();
  const server = await listening(t, heldOpen(gate), { settings: { 'pdns.keepAliveSeconds': '1' } });
  const { answer } = await get(server, name);
  let received = '';
  answer.on('data', (chunk) => {
    received += chunk;
    if (received.includes('\n{}\n{}\n')) gate.open();
  });
  await once(answer, 'end');
  const lines = linesOf(received);
  assert.deepEqual(lines.at(-1), { cond: 'succeeded' });
  assert.equal(lines.filter(({ obj }) => obj).length, 2);
  assert.ok(lines.filter((line) => Object.keys(line).length === 0).length >= 2);
});

test('PE-17 a lookup without a first result before the deadline returns 504, and a simpler one afterwards is answered', async (t) => {
  const gate = new Gate();
  t.after(() => gate.open());
  const server = await listening(
    t,
    async function* (slices, { selection }) {
      if (selection.by === 'owner' && selection.span === 'below') await gate.opened;
      yield* slices;
    },
    { settings: { 'pdns.queryTimeoutSeconds': '1', 'pdns.keepAliveSeconds': '1' } },
  );
  const { answer } = await get(server, name);
  assert.equal(answer.statusCode, 504);
  assert.match(String(answer.headers['content-type']), /^text\/plain\b/);
  assert.match(await text(answer), /^Error: .*timed out/);
  const simple = await get(server, 'lookup/rrset/name/a.example');
  assert.equal(linesOf(await text(simple.answer)).length, 3);
});

test('PDNS-12 PE-17 a lookup that exceeds its deadline after its first results ends with failed', async (t) => {
  const gate = new Gate();
  t.after(() => gate.open());
  const server = await listening(t, heldOpen(gate), { settings: { 'pdns.queryTimeoutSeconds': '1' } });
  const { answer } = await get(server, name);
  const lines = linesOf(await text(answer));
  assert.equal(answer.statusCode, 200);
  assert.equal(lines.filter(({ obj }) => obj).length, 2);
  assert.deepEqual(lines.at(-1), { cond: 'failed', msg: 'the query timed out' });
});

test('PE-17 empty slices do not extend the deadline', async (t) => {
  const server = await listening(
    t,
    async function* () {
      for (;;) {
        await pause(20);
        yield [];
      }
    },
    { settings: { 'pdns.queryTimeoutSeconds': '1' } },
  );
  assert.equal((await get(server, name)).answer.statusCode, 504);
});

test('PE-17 in bulk every query has its own deadline, and a late one does not extend that of the next', async (t) => {
  const gates = [new Gate(), new Gate()];
  t.after(() => gates[1]?.open());
  let scans = 0;
  const server = await listening(
    t,
    async function* (slices) {
      const number = scans++;
      if (number === 1) gates[0]?.open();
      await gates[number]?.opened;
      yield* slices;
    },
    { settings: { 'pdns.queryTimeoutSeconds': '1' } },
  );
  const body = 'lookup/rrset/name/a.example\nlookup/rrset/name/b.example\nlookup/rrset/name/a.example';
  const answer = await server.call('POST /pdns/v2/bulk', { key: server.key, body });
  const lines = linesOf(answer.text);
  assert.deepEqual(
    lines.filter(({ outcome }) => outcome).map(({ outcome, msg }) => [outcome, msg]),
    [
      ['failed', 'the query timed out'],
      ['failed', 'the query timed out'],
      ['succeeded', undefined],
    ],
  );
  assert.deepEqual(lines.at(-1), { cond: 'failed', msg: '2 of 3 queries failed' });
});

test('PE-14 PE-15 concurrent requests over the key’s limit return 503 and cost nothing; when one ends the next is answered', async (t) => {
  const gates = [new Gate(), new Gate()];
  let started = 0;
  const server = await listening(
    t,
    async function* (slices, { selection }) {
      yield* slices;
      if (selection.by === 'owner' && selection.span === 'below') await gates[started++]?.opened;
    },
    { settings: { 'pdns.connectionsPerKeyMax': '2' }, metered: true },
  );
  const open = [await get(server, name), await get(server, name)];
  assert.equal(await remaining(server, server.key), 998);
  const simple = 'GET /pdns/v2/lookup/rrset/name/a.example';
  for (let times = 0; times < 3; times += 1) {
    assertTextError(await server.call(simple, { key: server.key }), 503, /concurrent connection limit/);
  }
  assertTextError(
    await server.call('POST /pdns/v2/bulk', { key: server.key, body: 'lookup/rrset/name/a' }),
    503,
  );
  assert.equal(await remaining(server, server.key), 998);
  const other = await server.user();
  assert.equal((await server.call(simple, { key: other.key })).status, 200);
  gates[0]?.open();
  assert.match(await text((open[0] as { answer: IncomingMessage }).answer), /succeeded/);
  assert.equal((await server.call(simple, { key: server.key })).status, 200);
  gates[1]?.open();
  await text((open[1] as { answer: IncomingMessage }).answer);
  assert.equal(await remaining(server, server.key), 997);
});

test('PE-16 ten concurrent requests of a key are answered with default settings', async (t) => {
  const gate = new Gate();
  let started = 0;
  const server = await listening(t, async function* (slices) {
    started += 1;
    await gate.opened;
    yield* slices;
  });
  const requests = Array.from({ length: 10 }, () => get(server, name));
  await until(() => started === 10);
  gate.open();
  for (const { answer } of await Promise.all(requests)) {
    assert.equal(answer.statusCode, 200);
    assert.match(await text(answer), /succeeded/);
  }
});

/** Endless rows of a few hundred bytes each, with counters. */
function endless() {
  const tally = { slices: 0, ended: 0 };
  const intercept: Interceptor = async function* (slices) {
    const rows: Row[] = [];
    for await (const slice of slices) rows.push(...slice);
    try {
      for (;;) {
        tally.slices += 1;
        yield Array.from({ length: 500 }, () => rows[0] as Row);
        await pause(0);
      }
    } finally {
      tally.ended += 1;
    }
  };
  return { tally, intercept };
}

const huge = { 'pdns.resultsMax': '1000000000' };

test('a client that stops reading applies backpressure: the scan pauses, and memory does not grow', async (t) => {
  const { tally, intercept } = endless();
  const server = await listening(t, intercept, { settings: huge });
  const { answer } = await get(server, `${name}?limit=0`);
  answer.pause();
  let slices = -1;
  await until(() => {
    const still = slices === tally.slices && slices > 0;
    slices = tally.slices;
    return still;
  });
  await pause(300);
  assert.ok(tally.slices <= slices + 1, 'the search went on');
  answer.resume();
  await until(() => tally.slices > slices + 20);
  answer.destroy();
  await until(() => tally.ended === 1);
});

const aborts = { skip: behindProxyWithout('aborts') };
const trailers = { skip: behindProxyWithout('trailers') };

test(
  'a client that reads nothing for pdns.stalledSeconds is disconnected, and its slot is free again',
  aborts,
  async (t) => {
    const { tally, intercept } = endless();
    const settings = { ...huge, 'pdns.stalledSeconds': '1', 'pdns.connectionsPerKeyMax': '1' };
    const server = await listening(t, intercept, { settings });
    const { answer } = await get(server, `${name}?limit=0`);
    answer.pause();
    await until(() => tally.ended === 1);
    answer.on('error', () => undefined).resume();
    await until(() => answer.destroyed);
    assert.equal(answer.complete, false);
    assert.equal((await server.call('GET /pdns/v2/glob/rrnames/x', { key: server.key })).status, 200);
  },
);

test('when the client disconnects the scan ends, its slot is free, and the request is logged', async (t) => {
  const { tally, intercept } = endless();
  const server = await listening(t, intercept, { settings: { ...huge, 'pdns.connectionsPerKeyMax': '1' } });
  const { answer } = await get(server, `${name}?limit=0`);
  await once(answer, 'data');
  assertTextError(await server.call('GET /pdns/v2/glob/rrnames/x', { key: server.key }), 503);
  answer.on('error', () => undefined).destroy();
  await until(() => tally.ended === 1);
  await until(() => server.log().includes('"operation":"lookup","status":200'));
  assert.equal((await server.call('GET /pdns/v2/glob/rrnames/x', { key: server.key })).status, 200);
});

test('when the client disconnects before the first result the scan ends too', async (t) => {
  let ended = false;
  let started = false;
  const server = await listening(
    t,
    async function* () {
      try {
        started = true;
        for (;;) {
          await pause(10);
          yield [];
        }
      } finally {
        ended = true;
      }
    },
    { settings: { 'pdns.connectionsPerKeyMax': '1' } },
  );
  const sent = start(server, name);
  await until(() => started);
  sent.destroy();
  await until(() => ended);
  assert.equal((await server.call('GET /pdns/v2/glob/rrnames/x', { key: server.key })).status, 200);
});

const many = Array.from({ length: 3000 }, (_, index) => ({
  rrname: `host${index}.with.some.length.example`,
}));
/** A server with all of them that the tests share, for a new user. */
async function listeningToMany(pdns?: PdnsGrant): Promise<PdnsServer> {
  const server = await sharedServer(many, pdns ? { pdns } : {});
  await clientAddress(server.app);
  return server;
}

test('PDNS-11 a long response arrives complete, in chunks, with the headers of a short one', async () => {
  const server = await listeningToMany(daily);
  const { answer } = await get(server, name);
  const lines = linesOf(await text(answer));
  assert.equal(lines.length, 3002);
  assert.deepEqual(lines.at(-1), { cond: 'succeeded' });
  assert.equal(answer.headers['content-type'], 'application/x-ndjson');
  assert.equal(answer.headers['transfer-encoding'], 'chunked');
  assert.equal(answer.headers['x-ratelimit-remaining'], '999');
  assert.equal(answer.headers['x-content-type-options'], 'nosniff');
  assert.ok(answer.headers['x-request-id']);
  const short = (await get(server, 'lookup/rrset/name/host1.with.some.length.example')).answer;
  const steady = ({ headers }: IncomingMessage) =>
    Object.keys(headers)
      .filter((header) => !['content-length', 'transfer-encoding'].includes(header))
      .sort();
  assert.deepEqual(steady(answer), steady(short));
  await text(short);
});

test('a long response is compressed on request, with the same content', async () => {
  const server = await listeningToMany();
  const plain = await text((await get(server, name)).answer);
  const { answer } = await get(server, name, { 'accept-encoding': 'gzip' });
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  assert.equal(answer.headers['content-encoding'], 'gzip');
  assert.equal(gunzipSync(Buffer.concat(chunks)).toString(), plain);
});

test('rows of a compressed response arrive while it is being produced', async (t) => {
  const gate = new Gate();
  const server = await listening(t, heldOpen(gate));
  const { answer } = await get(server, name, { 'accept-encoding': 'gzip' });
  let received = '';
  answer.pipe(createGunzip()).on('data', (chunk) => {
    received += chunk;
    if (received.includes('b.example')) gate.open();
  });
  await until(() => received.includes('succeeded'));
});

for (const [cond, query] of [
  ['complete', 'limit=0'],
  ['limited', 'limit=2500'],
] as const) {
  test(`a long CSV that is ${cond} says so in the trailer X-Result`, trailers, async () => {
    const server = await listeningToMany();
    const { answer } = await get(server, `${name}?format=csv&${query}`, { te: 'trailers' });
    const lines = (await text(answer)).split('\r\n');
    assert.equal(answer.headers['trailer'], 'X-Result, X-Cursor');
    assert.equal(answer.trailers['x-result'], cond);
    assert.equal('x-cursor' in answer.trailers, cond === 'limited');
    assert.equal(lines.length, (cond === 'complete' ? 3000 : 2500) + 2);
  });
}

for (const [form, path] of [
  ['CSV', `/pdns/v2/${name}?format=csv`],
  ['version 1', `/${name}`],
  ['the Common Output Format', '/pdns/query/*.example'],
] as const) {
  test(
    `a ${form} response that fails after it started is aborted, so that it cannot pass for complete`,
    aborts,
    async (t) => {
      const gate = new Gate();
      const server = await listening(t, async function* (slices) {
        yield* slices;
        await gate.opened;
        throw new Error('damaged');
      });
      const { answer } = await get(server, path);
      answer.once('data', () => gate.open());
      await assert.rejects(text(answer), /aborted/);
      assert.equal(answer.statusCode, 200);
      await until(() => server.log().includes('"problem":"internal"'));
    },
  );
}

test('an HTTP/1.0 client gets a long response complete, without chunks and trailers', async () => {
  const server = await listeningToMany();
  for (const format of ['ndjson', 'csv']) {
    const { host, port } = addressOfListening(server.app);
    const socket = connect(port, host);
    socket.write(
      `GET /pdns/v2/${name}?format=${format} HTTP/1.0\r\nHost: a\r\nX-API-Key: ${server.key}\r\n\r\n`,
    );
    const received = await text(socket);
    assert.match(received, /^HTTP\/1\.[01] 200 /);
    assert.doesNotMatch(received, /chunked/);
    assert.equal(received.match(/host\d+\.with/g)?.length, 2 * 3000, 'each in its name and its bailiwick');
  }
});
