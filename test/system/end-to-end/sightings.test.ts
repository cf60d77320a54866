/**
 * Sightings with real software: unbound resolves a lookalike for a client and reports it over dnstap; the lookalike is found because of that,
 * and its row says so within seconds. The address of the client, which unbound reports too, is nowhere in the data directory.
 */
import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { readMessage } from '../../../src/model/dns/message.ts';
import { nameText } from '../../../src/model/dns/name.ts';
import { canaryKey } from '../../harness/artifacts.ts';
import { needsPackage } from '../../harness/debian-package.ts';
import { startDaemon } from '../../harness/network/daemon.ts';
import { encodeMessage } from '../../harness/network/encode-dns-message.ts';
import { nameglass, serve } from '../../harness/server/command-line.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

const lookalike = 'cloudpantry-login.com';
/** Where questions come from, unlike any address that is part of the data. */
const clientAddress = '127.77.88.99';
const patienceMs = 30_000;

/** Answers every question about an address. */
async function startNameServer(t: TestContext): Promise<number> {
  const socket = createSocket('udp4');
  t.after(() => socket.close());
  socket.on('message', (query, peer) => {
    const question = readMessage(query)?.question;
    if (!question) return;
    const name = nameText(question.name).slice(0, -1);
    const records =
      question.type === 1 ? [{ owner: name, type: 1, ttl: 0, rdata: [Uint8Array.of(192, 0, 2, 80)] }] : [];
    const answer = { id: query.readUInt16BE(0), question: { name, type: question.type }, records };
    socket.send(encodeMessage(answer), peer.port, peer.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return socket.address().port;
}

/** Writes about answers to clients too, which have the clients' addresses in them. */
async function startUnbound(t: TestContext, stubPort: number, socket: string): Promise<Resolver> {
  const file = join(temporaryDirectory(t), 'unbound.conf');
  const config = (port: number) => `
    server:
      interface: 127.0.0.1@${port}
      do-daemonize: no
      use-syslog: no
      logfile: ""
      verbosity: 1
      num-threads: 1
      do-ip6: no
      username: ""
      chroot: ""
      directory: ""
      pidfile: ""
      module-config: "iterator"
      cache-max-ttl: 0
      do-not-query-localhost: no
    stub-zone:
      name: "${lookalike}"
      stub-addr: 127.0.0.1@${stubPort}
    remote-control:
      control-enable: no
    dnstap:
      dnstap-enable: yes
      dnstap-socket-path: "${socket}"
      dnstap-log-resolver-response-messages: yes
      dnstap-log-client-query-messages: yes
      dnstap-log-client-response-messages: yes
  `;
  const { port } = await startDaemon(t, {
    command: 'unbound',
    args: (chosen) => {
      writeFileSync(file, config(chosen));
      return ['-d', '-c', file];
    },
    started: 'start of service',
  });
  const resolver = new Resolver();
  resolver.setServers([`127.0.0.1:${port}`]);
  resolver.setLocalAddress(clientAddress);
  return resolver;
}

interface Sightings {
  readonly count: number;
  readonly sensors: readonly { readonly sensor: string; readonly count: number }[];
}

async function until<Value>(read: () => Promise<Value | undefined>): Promise<Value> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const value = await read();
    if (value !== undefined) return value;
    assert.ok(performance.now() < deadline, 'it arrives within half a minute');
    await pause(200);
  }
}

/** As text, as bytes in both orders, in hexadecimal digits, and as a name of the reverse tree. */
function formsOf(address: string): readonly Buffer[] {
  const bytes = Buffer.from(address.split('.').map(Number));
  const reversed = Buffer.from(bytes.toReversed());
  const texts = [address, address.split('.').toReversed().join('.')];
  return [
    bytes,
    reversed,
    ...[...texts, bytes.toString('hex'), reversed.toString('hex')].map((text) => Buffer.from(text)),
    Buffer.concat([Buffer.alloc(10), Buffer.from([0xff, 0xff]), bytes]),
  ];
}

function filesHolding(directory: string, forms: readonly Buffer[]): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((file) => {
    const path = join(directory, file);
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return false;
    const content = readFileSync(path);
    return forms.some((form) => content.includes(form));
  });
}

test('a lookalike that unbound resolved is on the list as resolved by us, without who asked', {
  timeout: 900_000,
}, async (t) => {
  if (!needsPackage(t, 'unbound', 'unbound')) return;
  const [data, key] = [temporaryDirectory(t), canaryKey()];
  const create = ['account', 'create', '--data', data, '--username', 'u', '--key', key];
  const made = await nameglass([...create, '--permissions', 'read,manage,triage']);
  assert.equal(made.code, 0, made.err);
  const socket = join(temporaryDirectory(t), 'dnstap.sock');
  // What we ask ourselves is no sighting: nothing is collected here.
  const settings = [`dnstap.socket=${socket}`, 'dnstap.flushSeconds=1', 'dnstap.kinds=RESOLVER_RESPONSE'];
  const served = await serve(t, ['--data', data, '--set', ...settings]);
  const call = async (method: string, path: string, body?: object) => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const answer = await fetch(served.url + path, {
      method,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    assert.ok(answer.ok, `${path}: ${answer.status} ${await answer.clone().text()}`);
    return answer.json() as Promise<Record<string, never>>;
  };
  await call('POST', '/v1/intel-detect/monitors/', { term: 'cloudpantry', match_substring_variations: true });
  const resolver = await startUnbound(t, await startNameServer(t), socket);
  const begunMs = performance.now();
  await resolver.resolve4(`www.${lookalike}`);
  const find = async (): Promise<Sightings | undefined> => {
    const { watchlist_domains: found } = (await call(
      'GET',
      '/v1/intel-detect/watchlist/new/?resolved_by_us=true',
    )) as unknown as { watchlist_domains: readonly { domain: string; sightings: Sightings }[] };
    return found.find(({ domain }) => domain === lookalike)?.sightings;
  };
  const first = await until(find);
  t.diagnostic(`on the list with its sighting after ${Math.round(performance.now() - begunMs)} ms`);
  assert.deepEqual(
    first.sensors.map(({ sensor }) => sensor),
    ['passive-dns'],
  );
  const againMs = performance.now();
  await resolver.resolve4(`mail.${lookalike}`);
  const later = await until(async () => {
    const seen = await find();
    return seen?.sensors.some(({ sensor }) => sensor === 'dnstap') ? seen : undefined;
  });
  t.diagnostic(`counted for dnstap after ${Math.round(performance.now() - againMs)} ms`);
  assert.equal(later.count, first.count + 1);
  assert.deepEqual(filesHolding(data, formsOf(clientAddress)), []);
  assert.equal(await served.stop(), 0);
  assert.deepEqual(filesHolding(data, formsOf(clientAddress)), []);
  // The search finds what is there.
  assert.notDeepEqual(filesHolding(data, [Buffer.from(lookalike)]), []);
  assert.ok(!served.output().err.includes(clientAddress) && !served.output().out.includes(clientAddress));
});
