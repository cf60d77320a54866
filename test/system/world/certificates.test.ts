/** The certificates of the world, as Node sees them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { domainOf, nowMs, type Served, serveSmallWorld, siteAddresses } from './small-world.ts';
import { chainOf } from './tls-chain.ts';

const dayMs = 86_400_000;

test('the names in it are the domain, its www and its hosts, and its time begins when the story says', async (t) => {
  const served = await serveSmallWorld(t);
  const [leaf, intermediate] = await chainOf(served, 'thick.gla');
  assert.ok(leaf && intermediate);
  assert.equal(leaf.subject, 'CN=thick.gla');
  assert.equal(leaf.subjectAltName, 'DNS:thick.gla, DNS:www.thick.gla, DNS:login.thick.gla');
  assert.equal(leaf.validFromDate.getTime(), nowMs - 10 * dayMs);
  assert.equal(leaf.validToDate.getTime(), nowMs + 80 * dayMs);
  assert.ok(leaf.verify(intermediate.publicKey));
  assert.ok(!leaf.ca && intermediate.ca);
});

test('serial numbers follow from the domain and the time alone', async (t) => {
  const [one, two] = [await serveSmallWorld(t), await serveSmallWorld(t)];
  const serial = async (served: Served, host: string) => (await chainOf(served, host))[0]?.serialNumber;
  assert.equal(await serial(one, 'brand.zon'), await serial(two, 'brand.zon'));
  assert.notEqual(await serial(one, 'brand.zon'), await serial(one, 'thick.gla'));
});

test('a domain without a certificate does not speak TLS, and one that is certified later does', async (t) => {
  const served = await serveSmallWorld(t);
  await assert.rejects(chainOf(served, 'xn--bcher-kva.zon'));
  served.world.put(domainOf('xn--bcher-kva.zon', { certifiedMs: nowMs }), 'certified');
  const [leaf] = await chainOf(served, 'xn--bcher-kva.zon');
  assert.equal(leaf?.validFromDate.getTime(), nowMs);
});

test('a new time is a new certificate', async (t) => {
  const served = await serveSmallWorld(t);
  const [before] = await chainOf(served, 'brand.zon');
  served.world.put(domainOf('brand.zon', { certifiedMs: nowMs }), 'certified');
  const [after] = await chainOf(served, 'brand.zon');
  assert.notEqual(before?.serialNumber, after?.serialNumber);
});

test('hostile owners have odd certificates, which TLS carries all the same', async (t) => {
  const kinds = [
    'script-name',
    'escape-name',
    'many-names',
    'no-common-name',
    'wildcard-name',
    'address-name',
    'expired-name',
    'e-mail-name',
  ];
  const served = await serveSmallWorld(
    t,
    kinds.map((kind) => domainOf(`${kind}.gla`, { actor: 'hostile' })),
  );
  const leaves = await Promise.all(kinds.map(async (kind) => (await chainOf(served, `${kind}.gla`))[0]));
  const [script, escape, many, nameless, wildcard, address, expired, email] = leaves;
  assert.ok(script?.raw.includes('<img src=x onerror=alert(1)>'));
  assert.ok(script?.raw.includes('<script>alert(1)</script>.script-name.gla'));
  assert.ok(escape?.raw.includes('\u001b]0;owned\u0007'));
  assert.equal(many?.subjectAltName?.split(', ').length, 500);
  assert.equal(nameless?.subject, undefined);
  assert.match(wildcard?.subjectAltName ?? '', /DNS:\*\.wildcard-name\.gla/);
  assert.match(address?.subjectAltName ?? '', new RegExp(`IP Address:${siteAddresses[0]}`));
  assert.ok((expired?.validToDate.getTime() ?? nowMs) < nowMs);
  assert.match(email?.subject ?? '', /emailAddress=Hostmaster@e-mail-name\.gla/);
});
