import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { readMessage } from '../../../src/model/dns/message.ts';
import { nameText } from '../../../src/model/dns/name.ts';
import { typeOf } from '../../../src/model/dns/rr-type.ts';
import { answerQuery } from '../../../world/servers/dns/answer-query.ts';
import { writeQuery } from '../../../world/servers/dns/message-writer.ts';
import { serviceAddress } from '../../../world/servers/world-server.ts';
import { encodeMessage } from '../../harness/network/encode-dns-message.ts';
import { newNames, service, serving, story, used, view } from './dns-fixture.ts';

const rejects = (promise: Promise<unknown>, code: string) => assert.rejects(promise, { code });

test('a resolver of others finds every kind of record of a domain as the story has it', async (t) => {
  const { resolver, server } = await serving(t);
  assert.deepEqual(await resolver.resolve4(used.name), used.addresses);
  assert.deepEqual((await resolver.resolveNs(used.name)).sort(), used.nameServers.toSorted());
  const mail = (await resolver.resolveMx(used.name)).map(({ exchange, priority }) => ({
    host: exchange,
    priority,
  }));
  assert.deepEqual(
    mail.sort((one, other) => one.priority - other.priority),
    used.mailServers,
  );
  assert.deepEqual(await resolver.resolveTxt(used.name), [[used.spf]]);
  const soa = await resolver.resolveSoa(used.name);
  assert.equal(soa.nsname, used.nameServers[0]);
  assert.equal(soa.hostmaster, used.soaEmail.replace('@', '.'));
  assert.deepEqual(await resolver.resolve4(`www.${used.name}`), used.addresses);
  const [nameServer] = used.nameServers as [string];
  assert.deepEqual(await resolver.resolve4(nameServer), [story.hosts.get(nameServer)?.four]);
  assert.equal((await resolver.resolve6(nameServer)).length, 1);
  assert.deepEqual(await resolver.resolve4(service), [serviceAddress]);
  assert.equal((await resolver.resolveNs('zon')).length, 2);
  assert.ok((server.requests()['dns'] ?? 0) >= 10);
});

test('some domains have CAA, and of some www is an alias', async (t) => {
  const { resolver } = await serving(t);
  const names = [...view.domains()].filter(({ site, actor }) => site && actor === 'owner').slice(0, 40);
  const issuers = await Promise.allSettled(names.map(({ name }) => resolver.resolveCaa(name)));
  assert.ok(issuers.some((each) => each.status === 'fulfilled' && each.value[0]?.issue === 'ca.example'));
  const aliases = await Promise.allSettled(names.map(({ name }) => resolver.resolveCname(`www.${name}`)));
  assert.ok(aliases.some((each) => each.status === 'fulfilled'));
  assert.ok(aliases.some((each) => each.status === 'rejected'));
});

test('missing data is distinguished: no such name, no such data, not in this world', async (t) => {
  const { resolver } = await serving(t);
  await rejects(resolver.resolve4('unregistered-name.zon'), 'ENOTFOUND');
  await rejects(resolver.resolve4(`nothing.${used.name}`), 'ENOTFOUND');
  await rejects(resolver.resolve6(used.name), 'ENODATA');
  await rejects(resolver.resolve4('zon'), 'ENODATA');
  await rejects(resolver.resolve4('www.google.com'), 'EREFUSED');
});

test('a domain that was taken down has left the zone', async (t) => {
  const { resolver } = await serving(t);
  const { name, addresses } = story.errands.registerLookalike('mailgarden');
  assert.deepEqual(await resolver.resolve4(name), addresses);
  assert.deepEqual(await resolver.resolve4(`login.${name}`), addresses);
  const moved = story.errands.moveHosting(name);
  assert.deepEqual(await resolver.resolve4(name), moved.addresses);
  story.errands.takeDown(name);
  await rejects(resolver.resolve4(name), 'ENOTFOUND');
});

test('hostile names say what their owners want: private addresses, many of them, loops', async (t) => {
  const { resolver } = await serving(t);
  assert.deepEqual(await resolver.resolve4('loopback-inside.brax'), ['127.0.0.1']);
  assert.deepEqual(await resolver.resolve4('www.metadata-inside.brax'), ['169.254.169.254']);
  assert.deepEqual(await resolver.resolve4('office-inside.brax'), ['10.0.0.1']);
  assert.deepEqual(await resolver.resolve4('nowhere-inside.brax'), ['0.0.0.0']);
  assert.deepEqual(await resolver.resolve6('six-inside.brax'), ['::1']);
  assert.deepEqual(await resolver.resolve6('mapped-inside.brax'), ['::ffff:127.0.0.1']);
  assert.equal((await resolver.resolve4('five-hundred.brax')).length, 500);
  assert.deepEqual(await resolver.resolve4('alias-loop.brax'), []);
  assert.deepEqual(await resolver.resolveCname('www.alias-loop.brax'), ['alias-loop.brax']);
  assert.ok((await resolver.resolveNs('odd-hosts.brax')).includes('localhost'));
});

test('a name that rebinds alternates with each question for its address, and must not be kept', async (t) => {
  const { resolver } = await serving(t);
  const seen: unknown[] = [];
  for (let query = 0; query < 4; query += 1) {
    seen.push(...(await resolver.resolve4('rebinding.brax', { ttl: true })));
    await rejects(resolver.resolve6('rebinding.brax'), 'ENODATA');
  }
  const [good, bad] = [
    { address: '127.81.3.10', ttl: 0 },
    { address: '127.0.0.1', ttl: 0 },
  ];
  assert.deepEqual(seen, [good, bad, good, bad]);
});

/** The answer to bytes, over UDP. */
async function ask(port: number, query: Uint8Array): Promise<Buffer> {
  const socket = createSocket('udp4');
  socket.send(query, port, serviceAddress);
  const [reply] = (await once(socket, 'message')) as [Buffer];
  socket.close();
  return reply;
}

const opt = (bytesMax: number, version = 0) => ({
  section: 'additional' as const,
  owner: '',
  type: 41,
  class: bytesMax,
  ttl: version << 16,
  rdata: [],
});

test('an answer too long for the client is truncated, by what it says of itself', async (t) => {
  const { port } = await serving(t);
  const question = { name: 'five-hundred.brax', type: 1 };
  const small = await ask(port, encodeMessage({ id: 7, flags: 0x0100, question }));
  assert.ok(small.length <= 512);
  const cut = readMessage(small);
  assert.deepEqual([cut?.isTruncated, cut?.records.length], [true, 0]);
  const extended = readMessage(await ask(port, encodeMessage({ flags: 0, question, records: [opt(1232)] })));
  assert.deepEqual([extended?.isTruncated, extended?.records.map(({ type }) => type)], [true, [41]]);
  const fitting = { name: used.name, type: typeOf('MX') };
  const whole = readMessage(
    await ask(port, encodeMessage({ flags: 0, question: fitting, records: [opt(4096)] })),
  );
  assert.equal(whole?.isTruncated, false);
  assert.ok(
    whole?.records.some(({ section, type }) => section === 'additional' && type === 1),
    'with glue',
  );
});

test('the question comes back as it was written, letter case and all', async (t) => {
  const { port } = await serving(t);
  const query = encodeMessage({ id: 99, flags: 0x0100, question: { name: 'BrightWATER.zon', type: 1 } });
  const reply = await ask(port, query);
  assert.equal(reply.readUInt16BE(0), 99);
  assert.ok(reply.includes(Buffer.from('BrightWATER')));
  assert.equal(readMessage(reply)?.records.length, 1);
});

test('several queries over one connection are answered in order, however they are cut', async (t) => {
  const { port } = await serving(t);
  const socket = connect(port, serviceAddress);
  t.after(() => socket.destroy());
  const queries = [11, 12, 13].map((id) => {
    const query = writeQuery(id, 'five-hundred.brax', typeOf('A'));
    return Buffer.concat([Buffer.from([0, query.length]), query]);
  });
  const bytes = Buffer.concat(queries);
  socket.write(bytes.subarray(0, 1));
  socket.write(bytes.subarray(1, 40));
  socket.write(bytes.subarray(40));
  let received = Buffer.alloc(0);
  const replies: Buffer[] = [];
  while (replies.length < 3) {
    const [piece] = (await once(socket, 'data')) as [Buffer];
    received = Buffer.concat([received, piece]);
    while (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) {
      replies.push(received.subarray(2, 2 + received.readUInt16BE(0)));
      received = received.subarray(2 + received.readUInt16BE(0));
    }
  }
  assert.deepEqual(
    replies.map((reply) => [reply.readUInt16BE(0), readMessage(reply)?.records.length]),
    [
      [11, 500],
      [12, 500],
      [13, 500],
    ],
  );
});

test('malformed queries get an error, or no answer at all', () => {
  const names = newNames();
  const rcodeOf = (query: Uint8Array) => {
    const reply = answerQuery(query, 'udp', names);
    return reply && readMessage(reply)?.rcode;
  };
  const question = { name: used.name, type: 1 };
  assert.equal(rcodeOf(Buffer.alloc(11)), undefined);
  assert.equal(rcodeOf(encodeMessage({ question })), undefined, 'an answer is not answered');
  assert.equal(rcodeOf(encodeMessage({ flags: 0 })), 1);
  assert.equal(rcodeOf(encodeMessage({ flags: 0, question }).subarray(0, 20)), 1);
  assert.equal(rcodeOf(encodeMessage({ flags: 0x2000, question })), 4);
  assert.equal(rcodeOf(encodeMessage({ flags: 0, question: { ...question, class: 3 } })), 5);
  assert.equal(rcodeOf(encodeMessage({ flags: 0, question: { ...question, type: 252 } })), 5);
  assert.equal(rcodeOf(encodeMessage({ flags: 0, question, records: [opt(1232, 1)] })), 16);
  assert.equal(rcodeOf(encodeMessage({ flags: 0, question, records: [opt(512), opt(512)] })), 1);
  assert.equal(rcodeOf(encodeMessage({ flags: 0, question: { name: '', type: 2 } })), 5);
});

test('whatever bytes come in, the answer is a message or none', () => {
  const names = newNames();
  const samples = [used.name, 'five-hundred.brax', 'alias-loop.brax', 'zon'].map((name) =>
    encodeMessage({ flags: 0, question: { name, type: 255 }, records: [opt(1232)] }),
  );
  const mutated = fc
    .tuple(fc.constantFrom(...samples), fc.array(fc.tuple(fc.nat(60), fc.nat(255)), { maxLength: 6 }))
    .map(([sample, changes]) => {
      const bytes = Uint8Array.from(sample);
      for (const [at, byte] of changes) if (at < bytes.length) bytes[at] = byte;
      return bytes;
    });
  fc.assert(
    fc.property(
      fc.oneof(fc.uint8Array({ maxLength: 600 }), mutated),
      fc.constantFrom('udp', 'tcp'),
      (query, over) => {
        const reply = answerQuery(query, over, names);
        if (!reply) return;
        assert.ok(reply.length <= (over === 'udp' ? 4096 : 65_535));
        const message = readMessage(reply);
        assert.ok(message?.isResponse);
        assert.deepEqual(reply.subarray(0, 2), Buffer.from(query.subarray(0, 2)));
      },
    ),
    { numRuns: 3000 },
  );
});

test('hostile text in records stays what it is', () => {
  const names = newNames();
  const { answer } = names.lookUp('odd-hosts.brax', typeOf('TXT'));
  assert.ok(Buffer.from(answer[0]?.rdata ?? []).includes(Buffer.from('\u001b[31m <script>')));
  const [soa] = names.lookUp('odd-hosts.brax', typeOf('SOA')).answer;
  assert.match(nameText(soa?.rdata ?? new Uint8Array()), /^localhost\.$/);
});
