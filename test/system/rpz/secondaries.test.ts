/** Response policy zones by transfer, with BIND, Knot DNS, NSD and Unbound as secondaries and kdig as a client. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { commandPath, needsPackage } from '../../harness/debian-package.ts';
import { onFreePort } from '../../harness/network/daemon.ts';
import {
  dig,
  startBind,
  startKnot,
  startNsd,
  startRecursor,
  startUnbound,
  untilDigSays,
  usualAddress,
} from '../../harness/network/name-servers.ts';
import { type RpzPrimary, startRpzPrimary } from '../../harness/network/rpz-primary.ts';
import { fileScope } from '../../harness/test-scope.ts';

/** Generous, because it may include an installation. */
const options = { timeout: 600_000 };
const run = promisify(execFile);
const scope = fileScope();
let started: Promise<RpzPrimary> | undefined;

/** One server for all tests of the file. Undefined where the test is skipped. */
async function primaryFor(t: TestContext, name: string, command: string): Promise<RpzPrimary | undefined> {
  if (!needsPackage(t, 'bind9-dnsutils', 'dig') || !needsPackage(t, name, command)) return undefined;
  return (started ??= startRpzPrimary(scope));
}

const normal = `NOERROR ${usualAddress}`;

test(
  'BIND with response-policy answers NXDOMAIN for a name that is blocked, until it no longer is',
  options,
  async (t) => {
    const primary = await primaryFor(t, 'bind9', 'named');
    if (!primary) return;
    const { bind } = primary.notified;
    await startBind(t, primary, { port: bind });
    await untilDigSays(normal, bind, 'login.acme-bind.example');
    const unblock = await primary.block('acme-bind.example');
    const blockedMs = performance.now();
    await untilDigSays('NXDOMAIN', bind, 'login.acme-bind.example');
    t.diagnostic(`blocked within ${Math.round(performance.now() - blockedMs)} ms`);
    assert.equal(await dig(bind, 'acme-bind.example'), 'NXDOMAIN');
    assert.equal(await dig(bind, 'other.example'), normal);
    await unblock();
    await untilDigSays(normal, bind, 'login.acme-bind.example');
    assert.equal(await dig(bind, 'acme-bind.example'), normal);
  },
);

test('BIND with a wrong secret gets nothing', options, async (t) => {
  const primary = await primaryFor(t, 'bind9', 'named');
  if (!primary) return;
  await primary.block('acme-secret.example');
  const port = await onFreePort(async (free) => free);
  await startBind(t, primary, { port, secret: randomBytes(32).toString('base64') });
  // Of BIND: nobody else has had a wrong secret yet.
  while (!primary.log().includes('BADSIG')) await pause(100);
  const asked = `-y hmac-sha256:${primary.keyName}:${randomBytes(32).toString('base64')}`.split(' ');
  const { stdout } = await run(commandPath('dig') as string, [
    '@127.0.0.1',
    '-p',
    String(primary.port),
    ...asked,
    primary.zone,
    'SOA',
  ]);
  assert.match(stdout, /status: NOTAUTH/);
  assert.match(stdout, /BADSIG/);
  assert.equal(await dig(port, 'acme-secret.example'), normal);
});

test('Knot DNS as a secondary with TSIG follows blocks and their undoing', options, async (t) => {
  const primary = await primaryFor(t, 'knot', 'knotd');
  if (!primary) return;
  await startKnot(t, primary, primary.notified.knot);
  await followsChanges(primary, primary.notified.knot, 'acme-knot.example');
});

test('NSD as a secondary with TSIG follows blocks and their undoing', options, async (t) => {
  const primary = await primaryFor(t, 'nsd', 'nsd');
  if (!primary) return;
  await startNsd(t, primary, primary.notified.nsd);
  await followsChanges(primary, primary.notified.nsd, 'acme-nsd.example');
});

async function followsChanges(primary: RpzPrimary, port: number, name: string): Promise<void> {
  const owner = `${name}.${primary.zone}`;
  await untilDigSays('NXDOMAIN', port, owner, 'CNAME');
  const unblock = await primary.block(name);
  await untilDigSays('NOERROR .', port, owner, 'CNAME');
  assert.equal(await dig(port, `any.${owner}`, 'CNAME'), 'NOERROR .');
  await unblock();
  await untilDigSays('NXDOMAIN', port, owner, 'CNAME');
}

test('Unbound transfers the zone without TSIG from an address that is allowed', options, async (t) => {
  const primary = await primaryFor(t, 'unbound', 'unbound');
  if (!primary || !needsPackage(t, 'nsd', 'nsd')) return;
  const { unbound } = primary.notified;
  const authority = await onFreePort(async (free) => free);
  await startNsd(t, primary, authority);
  const unblock = await primary.block('acme-unbound.example');
  await startUnbound(t, primary, { port: unbound, authority });
  await untilDigSays('NXDOMAIN', unbound, 'login.acme-unbound.example');
  assert.equal(await dig(unbound, 'other.example'), normal);
  await unblock();
  await untilDigSays(normal, unbound, 'login.acme-unbound.example');
});

test('PowerDNS Recursor with rpzPrimary and TSIG follows blocks and their undoing', options, async (t) => {
  const primary = await primaryFor(t, 'pdns-recursor', 'pdns_recursor');
  if (!primary || !needsPackage(t, 'nsd', 'nsd')) return;
  const [authority, port] = [await onFreePort(async (free) => free), await onFreePort(async (free) => free)];
  await startNsd(t, primary, authority);
  await startRecursor(t, primary, { port, authority });
  await untilDigSays(normal, port, 'login.acme-recursor.example');
  const unblock = await primary.block('acme-recursor.example');
  await untilDigSays('NXDOMAIN', port, 'login.acme-recursor.example');
  assert.equal(await dig(port, 'other.example'), normal);
  await unblock();
  await untilDigSays(normal, port, 'login.acme-recursor.example');
});

test('kdig verifies the signature of AXFR and IXFR, and shows the change', options, async (t) => {
  const primary = await primaryFor(t, 'knot-dnsutils', 'kdig');
  if (!primary) return;
  const kdig = async (...words: readonly string[]) => {
    const key = `hmac-sha256:${primary.keyName}:${primary.secret}`;
    const args = ['@127.0.0.1', '-p', String(primary.port), '-y', key, primary.zone, ...words];
    return (await run(commandPath('kdig') as string, args)).stdout;
  };
  const serialIn = (text: string) => /SOA\s+localhost\. hostmaster\.localhost\. (\d+)/.exec(text)?.[1];
  const before = await kdig('AXFR');
  await primary.block('acme-kdig.example');
  const difference = await kdig(`IXFR=${serialIn(before)}`);
  const after = await kdig('AXFR');
  const added = new RegExp(
    `^(\\*\\.)?acme-kdig\\.example\\.${primary.zone}\\.\\s+\\d+\\s+IN\\s+CNAME\\s+\\.$`,
    'gm',
  );
  assert.deepEqual(
    [before, difference, after].map((text) => (text.match(added) ?? []).length),
    [0, 2, 2],
  );
  assert.equal((difference.match(/IN\s+CNAME/g) ?? []).length, 2);
  assert.ok(Number(serialIn(after)) > Number(serialIn(before)));
});
