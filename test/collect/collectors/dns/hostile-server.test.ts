/** DNS servers with malformed, mismatched, late or missing answers. */
import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import * as fc from 'fast-check';
import { createDnsCollector } from '../../../../src/collect/collectors/dns/dns-collector.ts';
import { readMessage } from '../../../../src/model/dns/message.ts';
import { nameText } from '../../../../src/model/dns/name.ts';
import { updateOf } from '../../../../src/pipeline/collection/update-of.ts';
import { encodeMessage, type WrittenRecord } from '../../../harness/network/encode-dns-message.ts';

type Reply = (question: {
  readonly id: number;
  readonly name: string;
  readonly type: number;
}) => Uint8Array | undefined;

const patience = { timeoutMs: 200, timeoutMsMax: 200, tries: 2 };
const domain = 'example.test';
const [a, ns, soa, mx, txt, aaaa] = [1, 2, 6, 15, 16, 28];

/** The answer can be changed while it runs. */
async function server(t: TestContext, reply: Reply = () => undefined) {
  const socket = createSocket('udp4');
  const world = { reply, address: '', lateMs: 0 };
  const late: NodeJS.Timeout[] = [];
  socket.on('message', (query, peer) => {
    const question = readMessage(query)?.question;
    if (!question) return;
    const { name, type } = question;
    const said = world.reply({ id: query.readUInt16BE(0), name: nameText(name).slice(0, -1), type });
    if (said) late.push(setTimeout(() => socket.send(said, peer.port, peer.address), world.lateMs));
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  t.after(() => {
    for (const timer of late) clearTimeout(timer);
    socket.close();
  });
  world.address = `127.0.0.1:${socket.address().port}`;
  return world;
}

function probeWith(resolver: string, signal = new AbortController().signal) {
  const known = { domain, ip: [{ address: '192.0.2.1', asn: [64500] }], spf_info: 'v=spf1 -all' };
  return createDnsCollector({ resolvers: [resolver] }, patience).probe({ domain, known, nowMs: 0, signal });
}

const answer = (
  { id, name, type }: Parameters<Reply>[0],
  records: readonly Omit<WrittenRecord, 'owner'>[],
  flags?: number,
) =>
  encodeMessage({
    id,
    question: { name, type },
    records: records.map((record) => ({ owner: name, ...record })),
    ...(flags === undefined ? {} : { flags }),
  });

for (const [what, reply] of [
  ['says nothing', () => undefined],
  ['says it cannot (SERVFAIL)', (question) => answer(question, [], 0x8182)],
  ['sends bytes that are no message', () => new Uint8Array([1, 2, 3])],
  [
    'answers another question than was asked',
    ({ id, type }) => answer({ id, name: 'example.com', type }, []),
  ],
  ['answers under another number', ({ id, ...rest }) => answer({ id: id ^ 1, ...rest }, [])],
] satisfies [string, Reply][]) {
  test(`a server that ${what} is a transient failure`, async (t) => {
    const { address } = await server(t, reply);
    const outcome = await probeWith(address);
    assert.equal(outcome.outcome, 'failed');
    assert.ok(outcome.outcome === 'failed' && outcome.isTransient);
  });
}

test('an answer after the timeout does not count', async (t) => {
  const world = await server(t, (question) => answer(question, []));
  world.lateMs = 5000;
  const outcome = await probeWith(world.address);
  assert.equal(outcome.outcome === 'failed' && outcome.reason, 'no DNS server answered: ETIMEOUT');
});

test('a loopback address in an answer is recorded like any other', async (t) => {
  const { address } = await server(t, (question) =>
    answer(question, question.type === a ? [{ type: a, rdata: [Uint8Array.of(127, 0, 0, 1)] }] : []),
  );
  const outcome = await probeWith(address);
  assert.deepEqual(outcome.outcome === 'found' && outcome.part.ip, [{ address: '127.0.0.1' }]);
});

test('the member of an unanswered query keeps its value', async (t) => {
  const { address } = await server(t, (question) =>
    question.type === a || question.type === txt ? undefined : answer(question, []),
  );
  const outcome = await probeWith(address);
  assert.deepEqual(outcome, {
    outcome: 'found',
    part: {
      ip: [{ address: '192.0.2.1', asn: [64500] }],
      name_server: [],
      mx: [],
      spf_info: 'v=spf1 -all',
      soa_email: [],
    },
  });
});

test('an aborted probe throws at once and sends no more queries', async (t) => {
  const ending = new AbortController();
  const world = await server(t, () => {
    ending.abort(new Error('over'));
    return undefined;
  });
  await assert.rejects(probeWith(world.address, ending.signal), /over/);
});

test('whatever a server answers, the probe ends with a valid record part', async (t) => {
  const world = await server(t);
  const byte = fc.integer({ min: 0, max: 255 });
  const label = fc.string({ minLength: 1, maxLength: 12, unit: 'binary-ascii' });
  const host = fc.array(label, { maxLength: 4 }).map((labels) => labels.join('.'));
  const rdata = fc.oneof(
    fc.uint8Array({ maxLength: 40 }).map((bytes) => [bytes]),
    fc.tuple(fc.uint8Array({ minLength: 2, maxLength: 2 }), host),
    host.map((name) => [name]),
    fc
      .tuple(host, host, fc.uint8Array({ minLength: 20, maxLength: 20 }))
      .map(([one, two, numbers]) => [one, two, numbers]),
  );
  const record = fc.record({ type: fc.constantFrom(a, ns, soa, mx, txt, aaaa, 5), rdata });
  const mutation = fc.option(fc.tuple(byte, byte), { nil: undefined, freq: 2 });
  await fc.assert(
    fc.asyncProperty(fc.array(record, { maxLength: 5 }), mutation, async (records, changed) => {
      world.reply = (question) => {
        const bytes = answer(question, records);
        // After the id and the question, so that it counts as an answer.
        if (changed && bytes.length > 40) bytes[40 + (changed[0] % (bytes.length - 40))] = changed[1];
        return bytes;
      };
      const outcome = await probeWith(world.address);
      if (outcome.outcome === 'failed') return;
      const { members } = createDnsCollector({ resolvers: [] });
      const found = updateOf({ domain, collector: 'dns', members, part: outcome.part, nowMs: 0 });
      assert.deepEqual(found.dropped, []);
    }),
    { numRuns: 60 },
  );
});
