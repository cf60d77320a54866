import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { findQueryLine } from '../../../../src/collect/collectors/whois/query-line.ts';
import { queryWhois } from '../../../../src/collect/collectors/whois/query-whois.ts';
import { createWhoisCollector } from '../../../../src/collect/collectors/whois/whois-collector.ts';
import type { HostThrottle } from '../../../../src/concurrency/host-throttle.ts';
import type { DomainRecord } from '../../../../src/model/record/domain-record.ts';
import { normaliseRecord } from '../../../../src/model/record/normalise.ts';
import { TestClock } from '../../../harness/test-clock.ts';
import { type Answer, openWhoisServers } from './whois-servers.ts';

const iana: Answer = (line) =>
  `domain: ${line.toUpperCase()}\norganisation: Registry\n\nwhois: whois.nic.example\nstatus: ACTIVE\ncreated: 2001-01-01\n`;
const registry = `Domain Name: OAK.EXAMPLE\nRegistrar WHOIS Server: whois.registrar.example\nCreation Date: 2019-05-06\nRegistry Expiry Date: 2027-05-06\nRegistrar: Alder\nDomain Status: ok\n`;
const registrar = `Domain Name: OAK.EXAMPLE\nCreation Date: 2019-05-06\nRegistrar: Alder\nRegistrant Name: Ann Ash\nRegistrant Email: ann@oak.example.com\n`;

async function openWorld(t: TestContext, answers: Readonly<Record<string, Answer>>) {
  const servers = await openWhoisServers(t, { 'whois.iana.org': iana, ...answers });
  const throttledHosts: string[] = [];
  const throttle: Pick<HostThrottle, 'run'> = {
    run: (server, _signal, work) => {
      throttledHosts.push(server);
      return work();
    },
  };
  const clock = new TestClock();
  const settings = {
    collect: { whoisServer: 'whois.iana.org', whoisPort: servers.port, bodyBytesMax: 5_000_000 },
  };
  const collector = createWhoisCollector({ dialer: servers.dialer, throttle, settings, clock });
  const probe = (
    domain = 'oak.example',
    known: Partial<DomainRecord> = {},
    signal = AbortSignal.timeout(20_000),
  ) => collector.probe({ domain, known: { domain, ...known }, nowMs: clock.now(), signal });
  return { ...servers, throttledHosts, clock, collector, probe };
}

async function whoisOf(outcome: ReturnType<Awaited<ReturnType<typeof openWorld>>['probe']>) {
  const found = await outcome;
  assert.ok(found.outcome === 'found', JSON.stringify(found));
  return found.part.parsed_whois;
}

test("the registry's server is queried, then the registrar's, both through the throttle", async (t) => {
  const world = await openWorld(t, {
    'whois.nic.example': () => registry,
    'whois.registrar.example': () => registrar,
  });
  const whois = await whoisOf(world.probe());
  assert.equal(whois?.create_date, '2019-05-06');
  assert.equal(whois?.registrant_name, 'Ann Ash');
  assert.equal(whois?.fetched, '2026-03-04T10:11:12.000Z');
  assert.match(whois?.record ?? '', /Registry Expiry Date[^]*Registrant Email/);
  assert.deepEqual(world.asked, [
    'whois.iana.org example',
    'whois.nic.example oak.example',
    'whois.registrar.example oak.example',
  ]);
  assert.deepEqual(world.throttledHosts, ['whois.iana.org', 'whois.nic.example', 'whois.registrar.example']);
  assert.ok('record' in normaliseRecord({ domain: 'oak.example', parsed_whois: whois }));
});

test('the server of a top-level domain is cached for a day, and longer while IANA does not answer', async (t) => {
  let isSilent = false;
  const world = await openWorld(t, {
    'whois.iana.org': (line, socket) => (isSilent ? '' : iana(line, socket)),
    'whois.nic.example': () => 'No match',
  });
  await world.probe('a.example');
  await world.probe('b.example');
  world.clock.advanceSeconds(86_401);
  isSilent = true;
  assert.deepEqual(await world.probe('c.example'), { outcome: 'found', part: {} });
  const ofIana = world.asked.filter((line) => line.startsWith('whois.iana.org'));
  assert.deepEqual(ofIana, ['whois.iana.org example', 'whois.iana.org example']);
});

test('an unregistered domain and a registry without server have no record', async (t) => {
  const none = await openWorld(t, { 'whois.nic.example': () => 'No match for domain "OAK.EXAMPLE".\r\n' });
  assert.deepEqual(await none.probe(), { outcome: 'found', part: {} });
  const noServer = await openWorld(t, {
    'whois.iana.org': () => 'domain: X\norganisation: Y\naddress: Z\nstatus: ACTIVE\n',
  });
  assert.deepEqual(await noServer.probe(), { outcome: 'found', part: {} });
});

test('a rate limit, an empty answer and an unreachable host are transient failures', async (t) => {
  for (const text of ['Query limit exceeded, try again later\r\n', '', '% nothing but\n% comments\n']) {
    const world = await openWorld(t, { 'whois.nic.example': () => text });
    const outcome = await world.probe();
    assert.ok(outcome.outcome === 'failed' && outcome.isTransient, text);
  }
  const nowhere = await openWorld(t, {});
  const outcome = await nowhere.probe();
  assert.ok(outcome.outcome === 'failed' && outcome.isTransient);
});

test('an unparsable text is stored', async (t) => {
  const world = await openWorld(t, {
    'whois.nic.example': () => 'Der Baum heißt \u001b[31mEiche\u0000 und gehört niemandem.',
  });
  const whois = await whoisOf(world.probe());
  assert.deepEqual(Object.keys(whois ?? {}), ['record', 'fetched']);
  assert.match(whois?.record ?? '', /heißt \u001b\[31mEiche und/);
});

test('a referral loop ends, and no server is queried twice', async (t) => {
  const to = (host: string) => () =>
    `Domain Name: OAK.EXAMPLE\nRegistrar: A\nCreation Date: 2001-01-01\nRegistrar WHOIS Server: ${host}\n`;
  const world = await openWorld(t, {
    'whois.nic.example': to('whois.a.example'),
    'whois.a.example': to('whois.b.example'),
    'whois.b.example': to('whois.c.example'),
    'whois.c.example': to('whois.nic.example'),
  });
  await whoisOf(world.probe());
  assert.deepEqual(
    world.asked.slice(1).map((line) => line.split(' ')[0]),
    ['whois.nic.example', 'whois.a.example', 'whois.b.example'],
  );
  const circle = await openWorld(t, {
    'whois.nic.example': to('whois.a.example'),
    'whois.a.example': to('whois.nic.example'),
  });
  await whoisOf(circle.probe());
  assert.equal(circle.asked.length, 3);
});

test('a referral to an address or to a private host is not followed', async (t) => {
  for (const host of ['127.0.0.1', '169.254.169.254', '[::1]', 'localhost', 'whois.within.example:22']) {
    const world = await openWorld(t, {
      'whois.nic.example': () => registry.replace('whois.registrar.example', host),
    });
    const whois = await whoisOf(world.probe());
    assert.equal(whois?.registrar, 'Alder');
    assert.deepEqual(world.resolved, ['whois.iana.org', 'whois.nic.example']);
  }
});

test('contacts stay while their registrar does not answer', async (t) => {
  const world = await openWorld(t, { 'whois.nic.example': () => registry });
  const before = {
    parsed_whois: {
      registrant_name: 'Ann Ash',
      registrant_contact: { name: 'Ann Ash' },
      create_date: '1999-01-01',
    },
  };
  const whois = await whoisOf(world.probe('oak.example', before));
  assert.equal(whois?.registrant_name, 'Ann Ash');
  assert.equal(whois?.create_date, '2019-05-06');
});

test('endless output is truncated and stored', async (t) => {
  const world = await openWorld(t, {
    'whois.nic.example': (_line, socket) => {
      const more = () =>
        socket.destroyed ||
        (socket.write('Registrant Name: x\n'.repeat(500)) ? setImmediate(more) : socket.once('drain', more));
      more();
      return undefined;
    },
  });
  const whois = await whoisOf(world.probe());
  assert.ok((whois?.record?.length ?? 0) > 10_000);
  assert.ok('record' in normaliseRecord({ domain: 'oak.example', parsed_whois: whois }));
});

test('a slow server is cut off at the end of the probe', async (t) => {
  const ended = new AbortController();
  const world = await openWorld(t, {
    'whois.nic.example': (_line, socket) => {
      socket.write('D');
      ended.abort(new Error('the deadline has come'));
      return undefined;
    },
  });
  await assert.rejects(world.probe('oak.example', {}, ended.signal), /the deadline has come/);
});

test('a server that does not finish times out', async (t) => {
  const { port, dialer } = await openWhoisServers(t, {
    'whois.nic.example': (_line, socket) => {
      socket.write('Domain');
      return undefined;
    },
  });
  const question = { server: 'whois.nic.example', port, line: 'oak.example', bytesMax: 1000, timeoutMs: 200 };
  const work = queryWhois(dialer, { ...question, signal: new AbortController().signal });
  await assert.rejects(work, { name: 'Problem', code: 'timed-out' });
});

test('only a valid name reaches the query line', async (t) => {
  const world = await openWorld(t, { 'whois.nic.example': () => registrar });
  for (const domain of [
    'oak.example\r\nhelp',
    'oak.example help',
    'öak.example',
    '-h x.example',
    '',
    'a\0b.example',
  ]) {
    const outcome = await world.probe(domain);
    assert.ok(outcome.outcome === 'failed' && !outcome.isTransient, JSON.stringify(domain));
  }
  assert.ok(world.asked.every((line) => /^\S+ [a-z0-9.-]+$/.test(line)));
});

test('some servers get a query format of their own', () => {
  assert.equal(findQueryLine('whois.verisign-grs.com', 'oak.example'), 'domain =oak.example');
  assert.equal(findQueryLine('whois.denic.de', 'xn--eiche-kva.example'), '-T dn,ace xn--eiche-kva.example');
  assert.equal(findQueryLine('whois.jprs.jp', 'oak.example'), 'oak.example/e');
  assert.equal(findQueryLine('whois.nic.example', 'oak.example'), 'oak.example');
});

test('text that is not UTF-8 is decoded as Latin-1', async (t) => {
  const world = await openWorld(t, {
    'whois.nic.example': (_line, socket) => {
      socket.end(Buffer.from(`${registrar}Registrant City: Köln\n`, 'latin1'));
      return undefined;
    },
  });
  assert.equal((await whoisOf(world.probe()))?.registrant_contact?.city, 'Köln');
});
