/** The DNS collector against nsd with unusual zones, on loopback. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { DnsClient } from '../../../src/collect/collectors/dns/dns-client.ts';
import { createDnsCollector } from '../../../src/collect/collectors/dns/dns-collector.ts';
import type { DomainRecord } from '../../../src/model/record/domain-record.ts';
import { needsPackage } from '../../harness/debian-package.ts';
import { startDaemon } from '../../harness/network/daemon.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { fileScope } from '../../harness/test-scope.ts';

/** Generous, because it may include an installation. */
const options = { timeout: 900_000 };

const zones: Readonly<Record<string, string>> = {
  'odd.test': `
    $ORIGIN odd.test.
    $TTL 300
    @    SOA ns1 first\\.last.mail 1 3600 600 86400 300
    @    NS ns2
    @    NS NS1
    @    NS ns.elsewhere.test.
    @    A 192.0.2.10
    @    A 192.0.2.9
    @    A 127.0.0.1
    @    AAAA 2001:db8:0:0::1
    @    MX 20 mx2
    @    MX 10 mx1
    @    MX 10 a.b\\032c
    @    TXT "v=spf1 ip4:192.0.2.0" "/24 include:_spf.odd.test " "-all"
    @    TXT "v=spf10 not this one"
    @    TXT "some=thing" "else"
    @    TXT "\\027[31mred\\000"
    @    CAA 0 issue "ca.test"
    ns1  A 192.0.2.53
    ns1  AAAA 2001:db8::53
    ns2  A 192.0.2.54
    mx1  A 192.0.2.25
    www  CNAME odd.test.
  `,
  'null.test': `
    $ORIGIN null.test.
    $TTL 300
    @    SOA . . 1 3600 600 86400 300
    @    NS ns1.odd.test.
    @    MX 0 .
    @    TXT "v=spf1 -all"
    @    TXT "v=spf1 +all"
  `,
  'xn--bcher-kva.test': `
    $ORIGIN xn--bcher-kva.test.
    $TTL 300
    @    SOA ns1.odd.test. hostmaster.xn--bcher-kva.test. 1 3600 600 86400 300
    @    NS ns1.odd.test.
    @    MX 10 post.xn--bcher-kva.test.
    post A 192.0.2.77
  `,
  'many.test': `
    $ORIGIN many.test.
    $TTL 300
    @    SOA ns1.odd.test. hostmaster@many.test. 1 3600 600 86400 300
    ${Array.from({ length: 40 }, (_, index) => `@ NS ns${index}.many.test.\n`).join('    ')}
    ${Array.from({ length: 200 }, (_, index) => `@ A 198.51.100.${index}\n`).join('    ')}
    ${Array.from({ length: 40 }, (_, index) => `@ MX ${index} mx${index}.many.test.\n`).join('    ')}
  `,
};

const scope = fileScope();
let started: Promise<string> | undefined;

/** One for all tests. */
function nameServer(): Promise<string> {
  started ??= startNsd();
  return started;
}

async function startNsd(): Promise<string> {
  const directory = temporaryDirectory(scope);
  const file = (name: string, text: string) => {
    writeFileSync(join(directory, name), text);
    return join(directory, name);
  };
  const listed = Object.entries(zones).map(([name, text]) => {
    const lines = text.split('\n').map((line) => line.replace(/^ {4}/, ''));
    return `zone:\n  name: ${name}\n  zonefile: ${file(name, `${lines.join('\n')}\n`)}\n`;
  });
  const config = (port: number) => `server:
  ip-address: 127.0.0.1@${port}
  username: ""
  chroot: ""
  pidfile: ""
  zonesdir: "${directory}"
  xfrdfile: "${directory}/xfrd"
  zonelistfile: "${directory}/zones"
  cookie-secret-file: ""
  xfrdir: "${directory}"
  database: ""
remote-control:
  control-enable: no
${listed.join('')}`;
  const { port } = await startDaemon(scope, {
    command: 'nsd',
    args: (chosen) => ['-d', '-c', file('nsd.conf', config(chosen))],
    started: 'nsd started',
  });
  const server = `127.0.0.1:${port}`;
  for (let left = 100; left > 0; left -= 1) {
    const questions = new DnsClient([server], new AbortController().signal);
    const answer = await questions.soa('odd.test');
    questions.end();
    if (answer.answered) return server;
    await pause(50);
  }
  throw new Error('nsd does not answer');
}

async function probe(domain: string, known: Omit<DomainRecord, 'domain'> = {}) {
  const collector = createDnsCollector({ resolvers: [await nameServer()] });
  const { signal } = new AbortController();
  const outcome = await collector.probe({ domain, known: { domain, ...known }, nowMs: 0, signal });
  assert.equal(outcome.outcome, 'found');
  return outcome.outcome === 'found' ? outcome.part : {};
}

test('all members of a zone are found, in sorted order', options, async (t) => {
  if (!needsPackage(t, 'nsd', 'nsd')) return;
  assert.deepEqual(await probe('odd.test'), {
    ip: [
      { address: '127.0.0.1' },
      { address: '192.0.2.10' },
      { address: '192.0.2.9' },
      { address: '2001:db8::1' },
    ],
    name_server: [
      { host: 'ns.elsewhere.test' },
      { host: 'ns1.odd.test', ip: ['192.0.2.53', '2001:db8::53'] },
      { host: 'ns2.odd.test', ip: ['192.0.2.54'] },
    ],
    mx: [
      { host: 'mx1.odd.test', priority: 10, ip: ['192.0.2.25'] },
      { host: 'mx2.odd.test', priority: 20 },
    ],
    spf_info: 'v=spf1 ip4:192.0.2.0/24 include:_spf.odd.test -all',
    soa_email: ['first.last@mail.odd.test'],
  });
});

test('facts about addresses, and about servers whose zone does not answer, are kept', options, async (t) => {
  if (!needsPackage(t, 'nsd', 'nsd')) return;
  const { ip, name_server } = await probe('odd.test', {
    ip: [
      { address: '192.0.2.9', asn: [64500], isp: 'Example' },
      { address: '192.0.2.99', asn: [64501] },
    ],
    name_server: [{ host: 'ns.elsewhere.test', ip: ['192.0.2.99'] }],
  });
  assert.deepEqual(
    ip?.map(({ address, asn }) => [address, asn]),
    [
      ['127.0.0.1', undefined],
      ['192.0.2.10', undefined],
      ['192.0.2.9', [64500]],
      ['2001:db8::1', undefined],
    ],
  );
  assert.deepEqual(name_server?.[0], { host: 'ns.elsewhere.test', ip: ['192.0.2.99'] });
});

test('a null MX is no mail server, and of two SPF records the choice is stable', options, async (t) => {
  if (!needsPackage(t, 'nsd', 'nsd')) return;
  assert.deepEqual(await probe('null.test'), {
    ip: [],
    name_server: [{ host: 'ns1.odd.test', ip: ['192.0.2.53', '2001:db8::53'] }],
    mx: [],
    spf_info: 'v=spf1 +all',
    soa_email: [],
  });
});

test(
  'a CNAME is followed, a punycode name is queried, and a missing name is found absent',
  options,
  async (t) => {
    if (!needsPackage(t, 'nsd', 'nsd')) return;
    assert.equal((await probe('www.odd.test')).ip?.length, 4);
    const { mx, soa_email } = await probe('xn--bcher-kva.test');
    assert.deepEqual(mx, [{ host: 'post.xn--bcher-kva.test', priority: 10, ip: ['192.0.2.77'] }]);
    assert.deepEqual(soa_email, ['hostmaster@xn--bcher-kva.test']);
    const known = { ip: [{ address: '192.0.2.1' }], spf_info: 'v=spf1 -all' };
    assert.deepEqual(await probe('nobody.odd.test', known), {
      ip: [],
      name_server: [],
      mx: [],
      soa_email: [],
    });
  },
);

test('an oversized zone is read over TCP up to the limits', options, async (t) => {
  if (!needsPackage(t, 'nsd', 'nsd')) return;
  const { ip, name_server, mx, soa_email } = await probe('many.test');
  assert.deepEqual([ip?.length, name_server?.length, mx?.length], [64, 32, 32]);
  assert.equal(mx?.[31]?.host, 'mx31.many.test');
  assert.deepEqual(soa_email, ['hostmaster@many.test']);
});

test('a zone that the servers refuse is a transient failure', options, async (t) => {
  if (!needsPackage(t, 'nsd', 'nsd')) return;
  const collector = createDnsCollector({ resolvers: [await nameServer()] });
  const { signal } = new AbortController();
  const domain = 'elsewhere.test';
  assert.deepEqual(await collector.probe({ domain, known: { domain }, nowMs: 0, signal }), {
    outcome: 'failed',
    reason: 'no DNS server answered: EREFUSED',
    isTransient: true,
  });
});
