/** The servers of the world as clients that we did not write see them: whois, curl, openssl and dig. */
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import type { X509Certificate } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { serviceAddress } from '../../../world/servers/world-server.ts';
import { commandPath, needsPackage } from '../../harness/debian-package.ts';
import { serving, used } from './dns-fixture.ts';
import { domainOf, nowMs, type Served, serveSmallWorld, siteAddresses } from './small-world.ts';
import { chainOf } from './tls-chain.ts';

const execute = promisify(execFile);

test('the client whois is led from the root to the registry to the registrar', async (t) => {
  if (!needsPackage(t, 'whois', 'whois')) return;
  const served = await serveSmallWorld(t);
  const whois = async (host: string, name: string) => {
    const where = ['-h', served.addressOf(host), '-p', String(served.port('whoisPort'))];
    return (await execute(commandPath('whois') as string, [...where, name])).stdout;
  };
  const root = await whois('whois.iana.test', 'brand.zon');
  assert.match(root, /^refer: +whois\.nic\.zon$/m);
  const registry = await whois('whois.nic.zon', 'brand.zon');
  assert.match(registry, /Registrar WHOIS Server: whois\.namely\.zon/);
  assert.doesNotMatch(registry, /Registrant/);
  const registrar = await whois('whois.namely.zon', 'brand.zon');
  assert.match(registrar, /Registrant Name: Jörg Müller/);
  assert.match(
    registrar,
    /Domain Status: clientTransferProhibited https:\/\/icann\.org\/epp#clientTransferProhibited/,
  );
  assert.equal(served.server.requests()['whois'], 3);
});

test('curl sees a page over HTTP and HTTPS, trusting the authority of the world alone', async (t) => {
  if (!needsPackage(t, 'curl', 'curl')) return;
  // Its certificate must be good today, too: curl has no other clock.
  const certifiedMs = Date.now() - 86_400_000;
  const served = await serveSmallWorld(t, [domainOf('today.zon', { certifiedMs })]);
  const curl = async (scheme: string, port: number, ...more: readonly string[]) => {
    const trusted = ['--cacert', served.server.settings['collect.caFile'] ?? '', '--noproxy', '*'];
    const place = ['--connect-to', `today.zon:${scheme === 'http' ? 80 : 443}:${siteAddresses[0]}:${port}`];
    const url = `${scheme}://today.zon/`;
    return (await execute(commandPath('curl') as string, ['-si', ...trusted, ...place, ...more, url])).stdout;
  };
  const answers = [
    await curl('http', served.port('httpPort')),
    await curl('https', served.port('httpsPort')),
    await curl('https', served.port('httpsPort'), '--compressed'),
  ];
  for (const answer of answers) {
    assert.match(answer, /^HTTP\/1\.1 200 OK\r\n/);
    assert.match(answer, /^server: nginx\/1\.27\r$/m);
    assert.match(answer, /<title>A home page<\/title>/);
  }
  assert.match(answers[2] ?? '', /^content-encoding: gzip\r$/m);
  assert.deepEqual([served.server.requests()['http'], served.server.requests()['https']], [1, 2]);
});

/** Throws if openssl rejects the chain. */
function verify(t: TestContext, served: Served, chain: readonly X509Certificate[], host: string): void {
  const [leaf, ...others] = chain.map((certificate, at) => {
    const file = join(served.directory, `${at}.pem`);
    writeFileSync(file, certificate.toString());
    return file;
  });
  t.diagnostic(`verified ${host}`);
  const untrusted = others.flatMap((file) => ['-untrusted', file]);
  const trusted = ['-CAfile', served.server.settings['collect.caFile'] ?? ''];
  execFileSync(
    commandPath('openssl') as string,
    [
      'verify',
      '-x509_strict',
      '-purpose',
      'sslserver',
      '-attime',
      String(nowMs / 1000),
      '-verify_hostname',
      host,
      ...trusted,
      ...untrusted,
      leaf ?? '',
    ],
    { stdio: 'pipe' },
  );
}

test('openssl accepts the chain of a site and of the servers of the world', async (t) => {
  if (!needsPackage(t, 'openssl', 'openssl')) return;
  const served = await serveSmallWorld(t);
  for (const host of ['brand.zon', 'www.brand.zon', 'login.brand.zon', 'rdap.nic.zon', 'oak.ct.test'])
    verify(t, served, (await chainOf(served, host)).slice(0, 2), host);
});

test('dig reads the answers, over UDP and over TCP', { timeout: 900_000 }, async (t) => {
  if (!needsPackage(t, 'bind9-dnsutils', 'dig')) return;
  const { port } = await serving(t);
  const dig = async (...args: readonly string[]) => {
    const options = [`@${serviceAddress}`, '-p', String(port), '+tries=2', '+time=3', ...args];
    return (await execute(commandPath('dig') as string, options)).stdout;
  };
  assert.equal((await dig('+short', used.name, 'A')).trim(), used.addresses.join('\n'));
  const truncated = await dig('five-hundred.brax', 'A');
  assert.match(truncated, /status: NOERROR/);
  assert.match(truncated, /ANSWER: 500/);
  const missing = await dig('unregistered-name.zon', 'MX');
  assert.match(missing, /status: NXDOMAIN/);
  assert.match(missing, /\bSOA\s+a\.nic\.zon\./);
  for (const answer of [truncated, missing, await dig('+tcp', used.name, 'ANY')]) {
    assert.doesNotMatch(answer, /WARNING|malformed|unknown/i);
  }
});
