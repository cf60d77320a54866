/**
 * A server in a world that means it harm: every hostile domain is looked at with every collector, and every hostile page with the browser.
 * One server is enough for all that there is to say about it.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { containsAddress } from '../../src/model/address-range.ts';
import { isPublicAddress } from '../../src/outgoing/public-address.ts';
import { worldPrefix } from '../../world/servers/world-server.ts';
import { hostileLives } from '../../world/story/hostile-domains.ts';
import { Random } from '../../world/story/random.ts';
import { type TracedCall, traceConnections } from '../harness/connection-trace.ts';
import { needsPackage } from '../harness/debian-package.ts';
import { type LivingServer, livingServer, until } from '../harness/living-server.ts';
import { nameglass } from '../harness/spawned.ts';
import { setTraps } from '../harness/traps.ts';

/** Generous, for an installation may come first. */
const options = { timeout: 900_000 };
const main = join(import.meta.dirname, '../../src/main.ts');

const names = hostileLives(new Random('for the names alone'), 0).map(({ domain }) => domain.name);
/** Words of those whose page or address is bad; to a browser the others are ordinary. */
const terms = ['title', 'bomb', 'redirect', 'page', 'inside', 'rebinding', 'hundred', 'alias'];
const pages = names.filter((name) => terms.some((term) => name.includes(term)));

/** No other source brings names, so that nothing is looked at before the test says so. */
const settings = {
  'sources.certificateLogs': '',
  'sources.certstreams': '',
  'sources.zoneFiles': '',
  'sources.passiveDns': 'false',
  // Fewer than there are domains that never end: those must give up their places.
  'collect.domainsAtOnce': '8',
  'collect.lookSeconds': '5',
  'screenshots.atOnce': '2',
  // A browser that is watched call by call, on a machine with other work, is slow.
  'screenshots.timeoutSeconds': '15',
};

/** Of all that looks at domains without a browser, a bomb of which is 200 MB, and with two browsers, whose images are made in the process. */
const collectMegabytesMax = 800;
const picturesMegabytesMax = 1400;
/** Where the proxy is in the network of a browser. */
const proxyPort = 3128;
const drivesTerminal = /[\p{Cc}\p{Cf}]/u;

// biome-ignore lint/suspicious/noExplicitAny: whatever came
async function enriched(server: LivingServer, domains: readonly string[]): Promise<readonly any[]> {
  const flags = 'screenshots=1&parsed_whois=1&parsed_domain_rdap=1';
  const { response } = await server.get(`/v1/intel-enrich/?domain=${domains.join(',')}&${flags}`);
  return response.results;
}

/** What one look had no time for, the next one brings. */
// biome-ignore lint/suspicious/noExplicitAny: whatever came
function recordOf(server: LivingServer, domain: string, isThere: (record: any) => boolean) {
  return until(`${domain} with all that is asked for`, async () => {
    const [record] = await enriched(server, [domain]);
    return record && isThere(record) ? record : undefined;
  });
}

function isOwned(record: { readonly registrant_name: { readonly value: string } }): boolean {
  return record.registrant_name.value !== '';
}

async function importNames(server: LivingServer, input: readonly string[]): Promise<void> {
  const { code, err } = await nameglass(['import', 'names', '-', '--data', server.data], {
    input: input.join('\n'),
  });
  assert.equal(code, 0, err);
}

async function metric(server: LivingServer, name: string, kinds: readonly string[]): Promise<number> {
  const text = await server.text('/metrics');
  const counts = kinds.map((kind) => new RegExp(`^${name}\\{kind="${kind}"\\} (\\d+)$`, 'm').exec(text)?.[1]);
  return counts.reduce((sum, count) => sum + Number(count ?? 0), 0);
}

/** The most that the process ever had in memory. */
function peakMegabytes(server: LivingServer): number {
  const status = readFileSync(`/proc/${server.served().child.pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

/** Waits for as long as it goes on: each is given the patience of one. */
async function untilAll(what: string, count: number, done: () => Promise<number>): Promise<void> {
  for (let next = 1; next <= count; next += 1) {
    await until(`${next} of ${count} ${what}`, async () => ((await done()) >= next ? true : undefined));
  }
}

async function picturesTried(server: LivingServer): Promise<number> {
  return metric(server, 'nameglass_screenshots', ['first', 'same', 'changed', 'failed']);
}

/** Those that are found for a monitor get their picture taken, and are looked at once more. */
async function findPages(server: LivingServer): Promise<void> {
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

async function trapsAround(t: TestContext, { world }: LivingServer) {
  const [, resolverPort] = (world.settings['collect.resolvers'] ?? '').split(':');
  const served = ['collect.httpPort', 'collect.httpsPort', 'collect.whoisPort'];
  const ports = [...served.map((key) => world.settings[key]), resolverPort].map(Number);
  return setTraps(t, ['127.0.0.1', '127.0.0.2', '::1'], [...ports, 80, 443, 43, proxyPort]);
}

test('a server in a hostile world', options, async (t) => {
  if (!needsPackage(t, 'chromium', 'chromium')) return;
  let canTrace = false;
  await t.test('the kernel can be asked what it is asked for', (part) => {
    canTrace = needsPackage(part, 'strace', 'strace');
  });
  const server = await livingServer(t, { hostile: true, domains: 20, settings });
  const traps = await trapsAround(t, server);
  const trace = canTrace ? await traceConnections(t, server.served().child.pid ?? 0) : undefined;

  await t.test('every hostile domain is looked at, and whoever is registered last has its turn', async () => {
    await importNames(server, names);
    const { name } = await server.world.registerLookalike(server.world.brands[0] ?? '');
    await importNames(server, [name]);
    const isWhole = (record: { website_response: number; ssl_info: unknown[] }) =>
      record.website_response === 200 && record.ssl_info.length > 0;
    const record = await recordOf(server, name, isWhole);
    assert.ok(isOwned(record) && record.parsed_domain_rdap && record.parsed_whois);
    await untilAll('domains', names.length, async () => (await enriched(server, names)).length);
  });

  await t.test('bombs and pages without end cost no memory to look at', () => {
    const megabytes = peakMegabytes(server);
    assert.ok(megabytes < collectMegabytesMax, `${megabytes} MB`);
  });

  await t.test('the browser comes to an end with every page, in bounded memory', async () => {
    await findPages(server);
    await untilAll('pictures', pages.length, () => picturesTried(server));
    assert.ok((await metric(server, 'nameglass_screenshots', ['first'])) > 0, 'some gave a picture');
    const megabytes = peakMegabytes(server);
    assert.ok(megabytes < picturesMegabytesMax, `${megabytes} MB`);
  });

  await t.test('whoever points to a private address is known by it and not called there', async () => {
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
    const [place] = traps.places;
    assert.ok(place);
    await once(connect(place), 'close');
    assert.deepEqual(traps.caught, [place], 'a trap that is stepped into snaps');
  });

  await t.test('by the word of the kernel nobody outside the world was called', async (part) => {
    if (!trace) return part.skip('skipped: nobody may look at other processes here');
    if (!canSeparateNetworks()) return part.skip('skipped: a browser has no network of its own here');
    const calls = await trace.stop();
    const abroad = calls.filter(({ address }) => !containsAddress([worldPrefix], address));
    assert.ok(calls.length > abroad.length && abroad.length > 0);
    const [alone, others] = [
      abroad.filter(({ isAlone }) => isAlone),
      abroad.filter(({ isAlone }) => !isAlone),
    ];
    assert.deepEqual(linesOf(others), []);
    // A browser has its proxy in its network, and asks whether there is an Internet of the sixth version; nothing leads there.
    const isProxy = ({ address, port }: TracedCall) => address === '127.0.0.1' && port === proxyPort;
    assert.ok(alone.some(isProxy));
    assert.deepEqual(linesOf(alone.filter((call) => !isProxy(call) && !isPublicAddress(call.address))), []);
  });

  await t.test('titles, owners and certificates come back as the text that they are', async () => {
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
    assert.ok(!/\p{Cc}/u.test(everything), 'JSON has no character that controls anything');
  });

  await t.test('a formula is text to a spreadsheet', async () => {
    const csv = await server.text('/v1/intel-investigate/?domain=formula.brax&format=csv');
    assert.match(csv, /,"'=HYPERLINK\(""http/);
    assert.match(csv, /,"'@SUM\(/);
  });

  await t.test('neither the log nor a terminal is told what could drive it', async () => {
    const { out, err } = server.served().output();
    const lines = (await server.text('/v1/feed/domainrdap/?after=-3600')).trimEnd().split('\n');
    assert.ok(
      lines.some((line) => line.includes('\\u001b')) && lines.some((line) => line.includes('\u202e')),
    );
    const tail = `tail domainrdap --from 2020-01-01T00:00:00Z --lines ${lines.length} --data ${server.data}`;
    const terminal = spawnSync('script', ['-qec', `${process.execPath} ${main} ${tail}`, '/dev/null']);
    assert.equal(terminal.status, 0, String(terminal.stderr));
    const shown = String(terminal.stdout).replaceAll('\r\n', '\n');
    assert.ok(shown.split('\n').length > lines.length, 'all lines are shown');
    for (const line of [out, err, shown].join('\n').split('\n')) {
      assert.ok(!drivesTerminal.test(line), JSON.stringify(line).slice(0, 500));
    }
  });
});
