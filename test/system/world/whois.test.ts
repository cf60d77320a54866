/** The WHOIS servers of the world, queried over bare sockets. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { domainOf, owner, type Served, serveSmallWorld } from './small-world.ts';

async function ask({ addressOf, port }: Served, host: string, query: string | Uint8Array): Promise<Buffer> {
  const socket = connect(port('whoisPort'), addressOf(host));
  socket.end(query);
  return buffer(socket);
}

const askText = async (served: Served, host: string, name: string) =>
  (await ask(served, host, `${name}\r\n`)).toString('utf8');

test('each registry writes in its own way', async (t) => {
  const served = await serveSmallWorld(t);
  const thick = await askText(served, 'whois.nic.gla', 'thick.gla');
  assert.match(thick, /Creation Date: 2025-03-27T12:00:00Z\r\n/);
  assert.match(thick, /Registrant City: Köln\r\n/);
  const european = (await ask(served, 'whois.nic.eur', 'mueller.eur\r\n')).toString('latin1');
  assert.match(european, /^holder-c: +JM\d+-ZONIC\r$/m);
  assert.match(european, /^contact: +Müller & Söhne GmbH\r$/m);
  const asian = await askText(served, 'whois.nic.asi', 'sakura.asi');
  assert.match(asian, /^\[Domain Name\] +SAKURA\.ASI\r$/m);
  assert.match(asian, /^\[Created on\] +2025\/03\/27\r$/m);
});

test('a registrant who hides is nowhere to be read', async (t) => {
  const served = await serveSmallWorld(t);
  const answers = [
    await askText(served, 'whois.nic.zon', 'brand-login.zon'),
    await askText(served, 'whois.namely.zon', 'brand-login.zon'),
    (await ask(served, 'whois.nic.eur', 'hidden.eur\r\n')).toString('latin1'),
  ];
  for (const answer of answers) assert.ok(!answer.includes(owner.email) && !answer.includes(owner.name));
  assert.match(answers[1] ?? '', /Registrant Name: REDACTED FOR PRIVACY/);
});

test('what is not registered, or with another, matches nothing', async (t) => {
  const served = await serveSmallWorld(t);
  assert.match(await askText(served, 'whois.nic.zon', 'nothing.zon'), /^No match for "NOTHING\.ZON"/);
  assert.match(await askText(served, 'whois.nic.zon', 'thick.gla'), /^No match/);
  assert.match(await askText(served, 'whois.doman.zon', 'brand.zon'), /^No match/);
  assert.match(await askText(served, 'whois.nic.eur', 'nothing.eur'), /NOT FOUND/);
  assert.match(await askText(served, 'whois.nic.asi', 'nothing.asi'), /No match!!/);
  assert.match(await askText(served, 'whois.iana.test', 'name.unknown'), /0 objects/);
});

test('words of other servers before the name, and case, do not matter', async (t) => {
  const served = await serveSmallWorld(t);
  for (const query of [
    'domain BRAND.ZON',
    '-T dn,ace brand.zon',
    '=brand.zon',
    'brand.zon.',
    'www.brand.zon',
  ])
    assert.match(await askText(served, 'whois.nic.zon', query), /Domain Name: BRAND\.ZON/);
});

test('a client that sends too many requests is asked to wait', async (t) => {
  const served = await serveSmallWorld(t);
  let isRefused = false;
  const hammer = async () => {
    for (let left = 500; left > 0 && !isRefused; left -= 1)
      isRefused ||= /queries exceeded/.test(await askText(served, 'whois.nic.zon', 'brand.zon'));
  };
  await Promise.all(Array.from({ length: 16 }, hammer));
  assert.ok(isRefused);
  assert.match(await askText(served, 'whois.nic.gla', 'thick.gla'), /Domain Name: THICK/);
});

test('hostile: escape sequences pass, referrals go in a circle, an answer never ends and costs nothing', async (t) => {
  const escaping = { ...owner, name: '\u001b[31mRoot\u001b]0;owned\u0007' };
  const served = await serveSmallWorld(t, [
    domainOf('plain-whois.gla', { actor: 'hostile', registrant: escaping }),
    domainOf('referral-loop.gla', { actor: 'hostile' }),
    domainOf('endless-whois.gla', { actor: 'hostile' }),
  ]);
  assert.ok((await askText(served, 'whois.nic.gla', 'plain-whois.gla')).includes(escaping.name));
  assert.match(
    await askText(served, 'whois.nic.gla', 'referral-loop.gla'),
    /Registrar WHOIS Server: whois\.namely\.zon/,
  );
  assert.match(
    await askText(served, 'whois.namely.zon', 'referral-loop.gla'),
    /Registrar WHOIS Server: whois\.nic\.gla/,
  );
  const socket = connect(served.port('whoisPort'), served.addressOf('whois.namely.zon'));
  socket.write('endless-whois.gla\r\n');
  let bytes = 0;
  for await (const piece of socket as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > 20_000_000) break;
  }
  assert.ok(bytes > 20_000_000);
});

test('a query of more than 255 bytes is no query', async (t) => {
  const served = await serveSmallWorld(t);
  const socket = connect(served.port('whoisPort'), served.addressOf('whois.nic.zon'));
  socket.on('error', () => undefined);
  socket.write('x'.repeat(300));
  socket.resume();
  await once(socket, 'close');
  assert.equal(served.server.requests()['whois'], 0);
});

test('whatever comes in, the server answers the next one', async (t) => {
  const served = await serveSmallWorld(t);
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), async (bytes) => {
      await ask(served, 'whois.nic.gla', bytes).catch(() => undefined);
    }),
    { numRuns: 60 },
  );
  assert.match(await askText(served, 'whois.nic.gla', 'thick.gla'), /Domain Name: THICK/);
});
