/**
 * The whole way of an observation with real software: nsd has a zone, unbound resolves from it and reports to us over dnstap,
 * dnsdbq reads it back. Everything stays on this machine.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { Resolver } from 'node:dns/promises';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { channelStream } from '../../../src/model/stream-names.ts';
import { openStreamStore } from '../../../src/store/embedded/stream-store.ts';
import { canaryKey } from '../../harness/artifacts.ts';
import { commandPath, needsPackage } from '../../harness/debian-package.ts';
import { onFreePort, startDaemon } from '../../harness/network/daemon.ts';
import { nameglass, type Served, serve } from '../../harness/server/command-line.ts';
import { type DnsdbqRecord, dnsdbq, recordsOf } from '../../harness/server/dnsdbq.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

/** Generous, for an installation may come first. */
const options = { timeout: 900_000 };
const arrivalMs = 30_000;
const execute = promisify(execFile);

/** Where questions come from, unlike any address that is part of the data. */
const clientAddress = '127.77.88.99';

const zone = `
$ORIGIN example.com.
$TTL 300
@ SOA ns1 hostmaster 7 3600 600 86400 60
@ NS ns1
@ MX 10 mail
@ TXT "v=spf1 -all" "second; part"
ns1 A 192.0.2.53
mail A 192.0.2.25
www A 192.0.2.80
www A 192.0.2.81
www AAAA 2001:db8::80
alias CNAME www
`;

/** All of the zone, as it is to be read back. */
const fetched = [
  'example.com. MX 10 mail.example.com.',
  'example.com. NS ns1.example.com.',
  'example.com. SOA ns1.example.com. hostmaster.example.com. 7 3600 600 86400 60',
  'example.com. TXT "v=spf1 -all" "second; part"',
  'alias.example.com. CNAME www.example.com.',
  'mail.example.com. A 192.0.2.25',
  'ns1.example.com. A 192.0.2.53',
  'www.example.com. A 192.0.2.80 192.0.2.81',
  'www.example.com. AAAA 2001:db8::80',
];

async function startNsd(t: TestContext): Promise<number> {
  const directory = temporaryDirectory(t);
  const file = join(directory, 'nsd.conf');
  writeFileSync(join(directory, 'example.com.zone'), zone);
  const config = (port: number) => `
    server:
      ip-address: 127.0.0.1@${port}
      server-count: 1
      username: ""
      chroot: ""
      zonesdir: "${directory}"
      database: ""
      pidfile: ""
      xfrdfile: ""
      xfrdir: "${directory}"
      zonelistfile: "${directory}/zone.list"
    remote-control:
      control-enable: no
    zone:
      name: "example.com"
      zonefile: "example.com.zone"
  `;
  const { port } = await startDaemon(t, {
    command: 'nsd',
    args: (chosen) => {
      writeFileSync(file, config(chosen));
      return ['-d', '-c', file];
    },
    started: 'nsd started',
  });
  return port;
}

interface Resolving {
  readonly resolver: Resolver;
  /** What is asked next is fetched again. */
  readonly forget: () => Promise<void>;
}

/** Writes about answers to clients too, which have the clients' addresses in them. */
async function startUnbound(t: TestContext, nsdPort: number, sink: string): Promise<Resolving> {
  const directory = temporaryDirectory(t);
  const file = join(directory, 'unbound.conf');
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
      qname-minimisation: no
      do-not-query-localhost: no
    stub-zone:
      name: "example.com"
      stub-addr: 127.0.0.1@${nsdPort}
    remote-control:
      control-enable: yes
      control-use-cert: no
      control-interface: "${directory}/control"
    dnstap:
      dnstap-enable: yes
      dnstap-log-resolver-response-messages: yes
      dnstap-log-client-query-messages: yes
      dnstap-log-client-response-messages: yes
      ${sink}
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
  const control = commandPath('unbound-control') ?? '';
  return {
    resolver,
    forget: async () => void (await execute(control, ['-c', file, 'flush_zone', 'example.com'])),
  };
}

interface Platform {
  readonly data: string;
  readonly start: () => Promise<Served>;
  /** The records that dnsdbq finds. */
  readonly ask: (words: string) => Promise<DnsdbqRecord[]>;
}

/** A server that listens for dnstap. `start` may be called again when it has ended. */
async function platform(t: TestContext, settings: readonly string[]): Promise<Platform> {
  const [data, home, key] = [temporaryDirectory(t), temporaryDirectory(t), canaryKey()];
  const made = await nameglass(['account', 'create', '--data', data, '--username', 'u', '--key', key]);
  assert.equal(made.code, 0, made.err);
  let server = '';
  return {
    data,
    start: async () => {
      const all = ['compat.profile=vendor', 'dnstap.flushSeconds=1', ...settings];
      const served = await serve(t, ['--data', data, '--set', ...all]);
      server = served.url;
      return served;
    },
    ask: async (words) => {
      const outcome = await dnsdbq(`-j ${words}`, { server, key, home });
      const complaint = outcome.err.replace('Query status: NOERROR (no results found for query.)\n', '');
      assert.deepEqual([outcome.code, complaint], [0, '']);
      return recordsOf(outcome);
    },
  };
}

async function until<Value>(read: () => Promise<Value>, isThere: (value: Value) => boolean): Promise<Value> {
  const deadline = performance.now() + arrivalMs;
  for (;;) {
    const value = await read();
    if (isThere(value) || performance.now() > deadline) return value;
    await pause(100);
  }
}

function shown({ rrname, rrtype, rdata }: DnsdbqRecord): string {
  return [rrname, rrtype, ...[rdata].flat()].join(' ');
}

/** The files below a directory that hold these bytes. The server goes on to write: a file that was renamed meanwhile is read under its new name the next time. */
function filesHolding(directory: string, bytes: Buffer): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((file) => {
    const path = join(directory, file);
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return false;
    try {
      return readFileSync(path).includes(bytes);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
      throw error;
    }
  });
}

function assertNowhere(directory: string, address: string): void {
  const bytes = Buffer.from(address.split('.').map(Number));
  for (const form of [bytes, Buffer.from(address), Buffer.from(bytes.toString('hex'))]) {
    assert.deepEqual(filesHolding(directory, form), []);
  }
}

/** True when all programs are there. */
function hasSoftware(t: TestContext): boolean {
  const needed = [
    ['nsd', 'nsd'],
    ['unbound', 'unbound'],
    ['unbound', 'unbound-control'],
    ['dnsdbq', 'dnsdbq'],
  ] as const;
  return needed.every(([name, command]) => needsPackage(t, name, command));
}

interface Endpoint {
  readonly settings: readonly string[];
  /** Lines of unbound's configuration. */
  readonly sink: string;
}

/** A server that listens for dnstap on TCP, and has started. */
function overTcp(t: TestContext, ...settings: readonly string[]): Promise<Started> {
  return onFreePort((port) => {
    const sink = `dnstap-ip: "127.0.0.1@${port}"\ndnstap-tls: no\ndnstap-bidirectional: yes`;
    return startedAt(t, { settings: [`dnstap.port=${port}`, ...settings], sink });
  });
}

/** The same on a unix socket. */
function overUnixSocket(t: TestContext, isBidirectional: boolean): Promise<Started> {
  const path = join(temporaryDirectory(t), 'dnstap.sock');
  const mode = isBidirectional ? 'yes' : 'no';
  const sink = `dnstap-socket-path: "${path}"\ndnstap-bidirectional: ${mode}`;
  return startedAt(t, { settings: [`dnstap.socket=${path}`], sink });
}

interface Started extends Platform {
  readonly served: Served;
  readonly sink: string;
}

async function startedAt(t: TestContext, { settings, sink }: Endpoint): Promise<Started> {
  const own = await platform(t, settings);
  return { ...own, served: await own.start(), sink };
}

async function askEverything({ resolver }: Resolving): Promise<void> {
  await resolver.resolve4('www.example.com');
  await resolver.resolve6('www.example.com');
  await resolver.resolveCname('alias.example.com');
  await resolver.resolveMx('example.com');
  await resolver.resolveTxt('example.com');
  await resolver.resolveNs('example.com');
  await resolver.resolveSoa('example.com');
}

const ways = [
  ['TCP in both directions', (t: TestContext) => overTcp(t)],
  ['a unix socket in one direction', (t: TestContext) => overUnixSocket(t, false)],
] as const;

for (const [way, startOver] of ways) {
  test(
    `PDNS-02 PDNS-17 PDNS-18 PDNS-34: dnsdbq reads what unbound fetched, brought over ${way}`,
    options,
    async (t) => {
      if (!hasSoftware(t)) return;
      const startSeconds = Math.floor(Date.now() / 1000);
      const { data, ask, sink } = await startOver(t);
      const resolving = await startUnbound(t, await startNsd(t), sink);
      await askEverything(resolving);
      const all = await until(
        () => ask("-r '*.example.com'"),
        ({ length }) => length >= fetched.length,
      );
      assert.deepEqual(all.map(shown).sort(), fetched.toSorted());
      const endSeconds = Math.ceil(Date.now() / 1000);
      for (const { bailiwick, time_first: first = 0, time_last: last = 0, count } of all) {
        assert.equal(bailiwick, 'example.com.');
        assert.ok(startSeconds <= first && first <= last && last <= endSeconds && count >= 1);
      }
      const addresses = (records: readonly DnsdbqRecord[]) =>
        records.map(({ rdata, count }) => [rdata, count]);
      const both = ['192.0.2.80', '192.0.2.81'];
      assert.deepEqual(addresses(await ask('-r www.example.com/A/example.com')), [[both, 1]]);
      await resolving.forget();
      await resolving.resolver.resolve4('www.example.com');
      const again = await until(
        () => ask('-r www.example.com/A'),
        ([record]) => record?.count !== 1,
      );
      assert.deepEqual(addresses(again), [[both, 2]]);
      assert.deepEqual((await ask('-i 192.0.2.81')).map(shown), ['www.example.com. A 192.0.2.81']);
      assert.deepEqual((await ask('-n mail.example.com')).map(shown), [
        'example.com. MX 10 mail.example.com.',
      ]);
      assertNowhere(data, clientAddress);
    },
  );
}

test('what was answered once is answered after kill -9, and unbound keeps reporting', options, async (t) => {
  if (!hasSoftware(t)) return;
  const { start, ask, sink, served: first } = await overUnixSocket(t, true);
  const { resolver, forget } = await startUnbound(t, await startNsd(t), sink);
  await resolver.resolve4('www.example.com');
  const before = await until(
    () => ask("-r '*.example.com'"),
    ({ length }) => length > 0,
  );
  await first.stop('SIGKILL');
  assert.ok(before.some(({ rrname, rrtype }) => `${rrname} ${rrtype}` === 'www.example.com. A'));

  await start();
  assert.deepEqual(await ask("-r '*.example.com'"), before);
  await forget();
  await resolver.resolve4('www.example.com');
  const [after] = await until(
    () => ask('-r www.example.com/A'),
    ([record]) => record?.count === 2,
  );
  assert.equal(after?.count, 2);
});

test('the address of a client is kept nowhere, even when answers to clients are read', options, async (t) => {
  if (!hasSoftware(t)) return;
  const { data, ask, sink, served } = await overTcp(t, 'dnstap.kinds=CLIENT_RESPONSE');
  const { resolver } = await startUnbound(t, await startNsd(t), sink);
  await resolver.resolve4('www.example.com');
  const seen = await until(
    () => ask('-r www.example.com/A'),
    ({ length }) => length > 0,
  );
  assert.deepEqual(
    seen.map(({ bailiwick, count }) => [bailiwick, count]),
    [['.', 1]],
  );
  assert.ok(filesHolding(data, Buffer.from([192, 0, 2, 80])).length > 0, 'the search finds what is there');
  assertNowhere(data, clientAddress);
  assert.ok(!JSON.stringify(served.output()).includes(clientAddress));
  assert.equal(await served.stop(), 0);
  assertNowhere(data, clientAddress);
});

/** The messages of a channel. */
async function channelMessages(data: string, channel: number): Promise<Record<string, unknown>[]> {
  const streams = openStreamStore(data);
  try {
    const state = await streams.findState(channelStream(channel));
    const range = state && (await streams.openRange(channelStream(channel), state.start, state.end));
    let text = '';
    for await (const piece of range?.read() ?? []) text += Buffer.from(piece).toString('latin1');
    await range?.close();
    return text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line).message);
  } finally {
    await streams.close();
  }
}

test(
  'errors that unbound receives and reports are in their channels without a trace of the client',
  options,
  async (t) => {
    if (!hasSoftware(t)) return;
    const kinds = 'dnstap.kinds=RESOLVER_RESPONSE,CLIENT_RESPONSE';
    const { data, sink, served } = await overTcp(t, kinds);
    const { resolver } = await startUnbound(t, await startNsd(t), sink);
    await assert.rejects(resolver.resolve4('missing.example.com'), { code: 'ENOTFOUND' });
    const all = await until(
      () => channelMessages(data, 220),
      ({ length }) => length >= 2,
    );
    assert.deepEqual(
      all.map(({ qname, qtype, qclass, rcode, response_ip }) =>
        [qname, qtype, qclass, rcode, response_ip].join(' '),
      ),
      Array(2).fill('missing.example.com. A IN NXDOMAIN 127.0.0.1'),
    );
    assert.deepEqual(
      new Set(all.map((message) => message['query_zone'])),
      new Set(['example.com.', undefined]),
    );
    const [first, ...others] = await channelMessages(data, 221);
    assert.deepEqual(
      [first?.['qname'], first?.['soa_rrname'], others],
      ['missing.example.com.', 'example.com.', []],
    );
    assert.equal(await served.stop(), 0);
    assertNowhere(data, clientAddress);
  },
);
