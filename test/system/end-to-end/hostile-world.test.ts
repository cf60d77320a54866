/**
 * A server against hostile domains of the simulated Internet: each is probed by every collector, and each hostile page is opened
 * in the browser. All tests share one server; each awaits the steps that it depends on.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { containsAddress } from '../../../src/model/address/address-list.ts';
import { isPublicAddress } from '../../../src/outgoing/public-address.ts';
import { worldPrefix } from '../../../world/servers/world-server.ts';
import { hostileLives } from '../../../world/story/hostile-domains.ts';
import { Random } from '../../../world/story/random.ts';
import { hasPackage, needsPackage } from '../../harness/debian-package.ts';
import { type TracedCall, traceConnections } from '../../harness/network/connection-trace.ts';
import { setTraps } from '../../harness/network/connection-traps.ts';
import { nameglass } from '../../harness/server/command-line.ts';
import { startWorldServer, until, type WorldServer } from '../../harness/server/world-server.ts';
import { fileScope, type TestScope } from '../../harness/test-scope.ts';

/** Generous, because packages may have to be installed first. */
const options = { timeout: 900_000 };
const main = join(import.meta.dirname, '../../../src/main.ts');

const names = hostileLives(new Random('for the names alone'), 0).map(({ domain }) => domain.name);
/** Name parts of domains whose page or address is hostile; to a browser the others are ordinary. */
const terms = ['title', 'bomb', 'redirect', 'page', 'inside', 'rebinding', 'hundred', 'alias'];
const pages = names.filter((name) => terms.some((term) => name.includes(term)));

/** No other source delivers names, so that only imported names are probed. */
const settings = {
  'sources.certificateLogs': '',
  'sources.certstreams': '',
  'sources.zoneFiles': '',
  'sources.passiveDns': 'false',
  // Fewer than there are domains that respond endlessly: probes of those must time out.
  'collect.domainsAtOnce': '8',
  'collect.lookSeconds': '5',
  'screenshots.atOnce': '2',
  // A traced browser on a busy machine is slow.
  'screenshots.timeoutSeconds': '15',
};

/** Peak memory of probing, where one decompression bomb is 200 MB, and of capturing with two browsers. */
const probeMegabytesMax = 800;
const captureMegabytesMax = 1400;
/** The proxy's port in the browser's network namespace. */
const proxyPort = 3128;
const controlCharacters = /[\p{Cc}\p{Cf}]/u;

// biome-ignore lint/suspicious/noExplicitAny: tests inspect arbitrary responses
async function enriched(server: WorldServer, domains: readonly string[]): Promise<readonly any[]> {
  const flags = 'screenshots=1&parsed_whois=1&parsed_domain_rdap=1';
  const { response } = await server.get(`/v1/intel-enrich/?domain=${domains.join(',')}&${flags}`);
  return response.results;
}

/** Polls, because a record may be complete only after a further probe. */
// biome-ignore lint/suspicious/noExplicitAny: tests inspect arbitrary responses
function recordOf(server: WorldServer, domain: string, isThere: (record: any) => boolean) {
  return until(`${domain} with the expected data`, async () => {
    const [record] = await enriched(server, [domain]);
    return record && isThere(record) ? record : undefined;
  });
}

function isOwned(record: { readonly registrant_name: { readonly value: string } }): boolean {
  return record.registrant_name.value !== '';
}

async function importNames(server: WorldServer, input: readonly string[]): Promise<void> {
  const { code, err } = await nameglass(['import', 'names', '-', '--data', server.data], {
    input: input.join('\n'),
  });
  assert.equal(code, 0, err);
}

async function metric(server: WorldServer, name: string, kinds: readonly string[]): Promise<number> {
  const text = await server.text('/metrics');
  const counts = kinds.map((kind) => new RegExp(`^${name}\\{kind="${kind}"\\} (\\d+)$`, 'm').exec(text)?.[1]);
  return counts.reduce((sum, count) => sum + Number(count ?? 0), 0);
}

/** The peak resident memory of the process that collects. */
function peakMegabytes(server: WorldServer): number {
  const status = readFileSync(`/proc/${server.served().pidOf('worker')}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

/** Waits while there is progress: the timeout applies to each item. */
async function untilAll(what: string, count: number, done: () => Promise<number>): Promise<void> {
  for (let next = 1; next <= count; next += 1) {
    await until(`${next} of ${count} ${what}`, async () => ((await done()) >= next ? true : undefined));
  }
}

async function captureAttempts(server: WorldServer): Promise<number> {
  return metric(server, 'nameglass_screenshots', ['first', 'same', 'changed', 'failed']);
}

/** Domains found by a monitor are captured, and probed once more. */
async function findPages(server: WorldServer): Promise<void> {
  for (const term of terms) await server.send('POST', '/v1/intel-detect/monitors/', { term });
  await until('all pages on the list', async () => {
    const { watchlist_domains } = await server.get('/v1/intel-detect/domains/new/?limit=100');
    const listed = new Set(watchlist_domains.map(({ domain }: { domain: string }) => domain));
    return pages.every((name) => listed.has(name)) ? true : undefined;
  });
}

function canSeparateNetworks(): boolean {
  return spawnSync('unshare', ['--net', '--', 'true'], { stdio: 'ignore' }).status === 0;
}

function linesOf(calls: readonly TracedCall[]): readonly string[] {
  return calls.map(({ line }) => line);
}

async function trapsAround(scope: TestScope, { world }: WorldServer) {
  const [, resolverPort] = (world.settings['collect.resolvers'] ?? '').split(':');
  const served = ['collect.httpPort', 'collect.httpsPort', 'collect.whoisPort'];
  const ports = [...served.map((key) => world.settings[key]), resolverPort].map(Number);
  return setTraps(scope, ['127.0.0.1', '127.0.0.2', '::1'], [...ports, 80, 443, 43, proxyPort]);
}

/** Remembers the result of a step that several tests of the file depend on. */
function cached<Result>(step: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined;
  return () => (result ??= step());
}

const scope = fileScope();

const start = cached(async () => {
  const server = await startWorldServer(scope, { hostile: true, domains: 20, settings });
  const traps = await trapsAround(scope, server);
  const canTrace = hasPackage('strace', 'strace');
  const { pidOf } = server.served();
  const trace = canTrace ? await traceConnections(scope, [pidOf('api'), pidOf('worker')]) : undefined;
  return { server, traps, trace };
});

/** Imports all hostile names and waits until each has been probed; the last one registered is an ordinary domain. */
const probeAll = cached(async () => {
  const { server, traps, trace } = await start();
  await importNames(server, names);
  const { name } = await server.world.registerLookalike(server.world.brands[0] ?? '');
  await importNames(server, [name]);
  const isWhole = (record: { website_response: number; ssl_info: unknown[] }) =>
    record.website_response === 200 && record.ssl_info.length > 0;
  const ordinary = await recordOf(server, name, isWhole);
  await untilAll('domains', names.length, async () => (await enriched(server, names)).length);
  return { server, traps, trace, ordinary, megabytes: peakMegabytes(server) };
});

/** Lets the browser capture every hostile page. */
const captureAll = cached(async () => {
  const probed = await probeAll();
  const { server } = probed;
  await findPages(server);
  await untilAll('captures', pages.length, () => captureAttempts(server));
  return { ...probed, megabytes: peakMegabytes(server) };
});

test(
  'every hostile domain is probed, and an ordinary domain registered last is not starved',
  options,
  async (t) => {
    if (!needsPackage(t, 'chromium', 'chromium')) return;
    const { ordinary } = await probeAll();
    assert.ok(isOwned(ordinary) && ordinary.parsed_domain_rdap && ordinary.parsed_whois);
  },
);

test('decompression bombs and endless pages are probed in bounded memory', options, async (t) => {
  if (!needsPackage(t, 'chromium', 'chromium')) return;
  const { megabytes } = await probeAll();
  assert.ok(megabytes < probeMegabytesMax, `${megabytes} MB`);
});

test('the browser finishes every page, in bounded memory', options, async (t) => {
  if (!needsPackage(t, 'chromium', 'chromium')) return;
  const { server, megabytes } = await captureAll();
  assert.ok((await metric(server, 'nameglass_screenshots', ['first'])) > 0, 'some captures succeed');
  assert.ok(megabytes < captureMegabytesMax, `${megabytes} MB`);
});

test(
  'a domain that points to a private address is recorded with it, and the address is not contacted',
  options,
  async (t) => {
    if (!needsPackage(t, 'chromium', 'chromium')) return;
    const { server, traps } = await captureAll();
    const inside = [
      ['loopback-inside.brax', '127.0.0.1'],
      ['metadata-inside.brax', '169.254.169.254'],
      ['office-inside.brax', '10.0.0.1'],
      ['nowhere-inside.brax', '0.0.0.0'],
      ['six-inside.brax', '::1'],
      ['mixed-inside.brax', '127.0.0.1'],
    ] as const;
    for (const [name, address] of inside) {
      const isAt = ({ ip }: { ip: { address: { value: string } }[] }) =>
        ip.some((one) => one.address.value === address);
      const { ssl_info, screenshot } = await recordOf(server, name, isAt);
      assert.deepEqual([ssl_info, screenshot ?? null], [[], null], name);
    }
    assert.deepEqual(traps.caught, []);
    const [trap] = traps.addresses;
    assert.ok(trap);
    await once(connect(trap), 'close');
    assert.deepEqual(traps.caught, [trap], 'a connection to a trap is recorded');
  },
);

test('the kernel saw no connection outside the simulated Internet', options, async (t) => {
  if (!needsPackage(t, 'chromium', 'chromium') || !needsPackage(t, 'strace', 'strace')) return;
  const { trace } = await captureAll();
  if (!trace) return t.skip('skipped: tracing other processes is not permitted');
  if (!canSeparateNetworks()) return t.skip('skipped: network namespaces are not permitted');
  const calls = await trace.stop();
  const abroad = calls.filter(({ address }) => !containsAddress([worldPrefix], address));
  assert.ok(calls.length > abroad.length && abroad.length > 0);
  const [alone, others] = [abroad.filter(({ isAlone }) => isAlone), abroad.filter(({ isAlone }) => !isAlone)];
  assert.deepEqual(linesOf(others), []);
  // In its network namespace the browser reaches its proxy, and tests for IPv6 connectivity, which has no route.
  const isProxy = ({ address, port }: TracedCall) => address === '127.0.0.1' && port === proxyPort;
  assert.ok(alone.some(isProxy));
  assert.deepEqual(linesOf(alone.filter((call) => !isProxy(call) && !isPublicAddress(call.address))), []);
});

test('hostile titles, owners and certificates are returned as plain text', options, async (t) => {
  if (!needsPackage(t, 'chromium', 'chromium')) return;
  const { server } = await probeAll();
  const titled = await recordOf(server, 'script-title-escape.brax', ({ website_title }) => website_title);
  assert.match(titled.website_title.value, /^\]0;owned \[31m<script>alert\(document\.domain\)<\/script>/);
  const coloured = await recordOf(server, 'terminal-colours.brax', isOwned);
  assert.equal(coloured.registrant_name.value, '[2J [31mRoot [0m');
  const owned = await recordOf(server, 'script-owner.brax', isOwned);
  assert.equal(owned.registrant_name.value, '<script>alert(document.domain)</script>');
  assert.equal(owned.registrant_org.value, '"><img src=x onerror=alert(1)>');
  const isCertified = (record: { ssl_info: unknown[] }) => record.ssl_info.length > 0;
  const broken = await recordOf(server, 'half-characters.brax', (one) => isOwned(one) && isCertified(one));
  assert.equal(broken.registrant_name.value, 'broken \ufffd surrogate \ufffd');
  assert.match(broken.ssl_info[0].common_name.value, /^<script>alert\(1\)<\/script>/);
  const everything = await server.text(`/v1/intel-enrich/?domain=${names.join(',')}&parsed_whois=1`);
  assert.ok(!/\p{Cc}/u.test(everything), 'JSON contains no control characters');
});

test('a spreadsheet formula is escaped in CSV', options, async (t) => {
  if (!needsPackage(t, 'chromium', 'chromium')) return;
  const { server } = await probeAll();
  const csv = await server.text('/v1/intel-investigate/?domain=formula.brax&format=csv');
  assert.match(csv, /,"'=HYPERLINK\(""http/);
  assert.match(csv, /,"'@SUM\(/);
});

test('neither the log nor a terminal gets control characters', options, async (t) => {
  if (!needsPackage(t, 'chromium', 'chromium')) return;
  const { server } = await probeAll();
  const { out, err } = server.served().output();
  const lines = (await server.text('/v1/feed/domainrdap/?after=-3600')).trimEnd().split('\n');
  assert.ok(lines.some((line) => line.includes('\\u001b')) && lines.some((line) => line.includes('\u202e')));
  const tail = `tail domainrdap --from 2020-01-01T00:00:00Z --lines ${lines.length} --data ${server.data}`;
  const terminal = spawnSync('script', ['-qec', `${process.execPath} ${main} ${tail}`, '/dev/null']);
  assert.equal(terminal.status, 0, String(terminal.stderr));
  const shown = String(terminal.stdout).replaceAll('\r\n', '\n');
  assert.ok(shown.split('\n').length > lines.length, 'all lines are shown');
  for (const line of [out, err, shown].join('\n').split('\n')) {
    assert.ok(!controlCharacters.test(line), JSON.stringify(line).slice(0, 500));
  }
});
