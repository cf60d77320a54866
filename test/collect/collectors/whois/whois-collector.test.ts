import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Politeness } from '../../../../src/collect/collectors/collector.ts';
import { askWhois } from '../../../../src/collect/collectors/whois/ask-whois.ts';
import { findQueryLine } from '../../../../src/collect/collectors/whois/query-line.ts';
import { createWhoisCollector } from '../../../../src/collect/collectors/whois/whois-collector.ts';
import type { DomainRecord } from '../../../../src/model/record/domain-record.ts';
import { normalise } from '../../../../src/model/record/normalise.ts';
import { TestClock } from '../../../harness/test-clock.ts';
import { type Answer, openWhoisServers } from './whois-servers.ts';

const iana: Answer = (line) =>
  `domain: ${line.toUpperCase()}\norganisation: Registry\n\nwhois: whois.nic.example\nstatus: ACTIVE\ncreated: 2001-01-01\n`;
const registry = `Domain Name: OAK.EXAMPLE\nRegistrar WHOIS Server: whois.registrar.example\nCreation Date: 2019-05-06\nRegistry Expiry Date: 2027-05-06\nRegistrar: Alder\nDomain Status: ok\n`;
const registrar = `Domain Name: OAK.EXAMPLE\nCreation Date: 2019-05-06\nRegistrar: Alder\nRegistrant Name: Ann Ash\nRegistrant Email: ann@oak.example.com\n`;

async function openWorld(t: TestContext, answers: Readonly<Record<string, Answer>>) {
  const servers = await openWhoisServers(t, { 'whois.iana.org': iana, ...answers });
  const turns: string[] = [];
  const politeness: Politeness = {
    turn: (server, _signal, work) => {
      turns.push(server);
      return work();
    },
  };
  const clock = new TestClock();
  const settings = {
    collect: { whoisServer: 'whois.iana.org', whoisPort: servers.port, bodyBytesMax: 5_000_000 },
  };
  const collector = createWhoisCollector({ dialer: servers.dialer, politeness, settings, clock });
  const look = (
    domain = 'oak.example',
    known: Partial<DomainRecord> = {},
    signal = AbortSignal.timeout(20_000),
  ) => collector.look({ domain, known: { domain, ...known }, nowMs: clock.now(), signal });
  return { ...servers, turns, clock, collector, look };
}

async function whoisOf(outcome: ReturnType<Awaited<ReturnType<typeof openWorld>>['look']>) {
  const found = await outcome;
  assert.ok(found.outcome === 'found', JSON.stringify(found));
  return found.part.parsed_whois;
}

test('the server of the registry is asked, then that of the registrar, each when its turn has come', async (t) => {
  const world = await openWorld(t, {
    'whois.nic.example': () => registry,
    'whois.registrar.example': () => registrar,
  });
  const whois = await whoisOf(world.look());
  assert.equal(whois?.create_date, '2019-05-06');
  assert.equal(whois?.registrant_name, 'Ann Ash');
  assert.equal(whois?.fetched, '2026-03-04T10:11:12.000Z');
  assert.match(whois?.record ?? '', /Registry Expiry Date[^]*Registrant Email/);
  assert.deepEqual(world.asked, [
    'whois.iana.org example',
    'whois.nic.example oak.example',
    'whois.registrar.example oak.example',
  ]);
  assert.deepEqual(world.turns, ['whois.iana.org', 'whois.nic.example', 'whois.registrar.example']);
  assert.ok('record' in normalise({ domain: 'oak.example', parsed_whois: whois }));
});

test('what IANA says of a top-level domain holds for a day, and longer while IANA is silent', async (t) => {
  let isSilent = false;
  const world = await openWorld(t, {
    'whois.iana.org': (line, socket) => (isSilent ? '' : iana(line, socket)),
    'whois.nic.example': () => 'No match',
  });
  await world.look('a.example');
  await world.look('b.example');
  world.clock.advanceSeconds(86_401);
  isSilent = true;
  assert.deepEqual(await world.look('c.example'), { outcome: 'found', part: {} });
  const ofIana = world.asked.filter((line) => line.startsWith('whois.iana.org'));
  assert.deepEqual(ofIana, ['whois.iana.org example', 'whois.iana.org example']);
});

test('a domain that nobody has, and a registry without a server, are found to have no record', async (t) => {
  const none = await openWorld(t, { 'whois.nic.example': () => 'No match for domain "OAK.EXAMPLE".\r\n' });
  assert.deepEqual(await none.look(), { outcome: 'found', part: {} });
  const noServer = await openWorld(t, {
    'whois.iana.org': () => 'domain: X\norganisation: Y\naddress: Z\nstatus: ACTIVE\n',
  });
  assert.deepEqual(await noServer.look(), { outcome: 'found', part: {} });
});

test('a refusal, silence and a host that is not there pass', async (t) => {
  for (const text of ['Query limit exceeded, try again later\r\n', '', '% nothing but\n% comments\n']) {
    const world = await openWorld(t, { 'whois.nic.example': () => text });
    const outcome = await world.look();
    assert.ok(outcome.outcome === 'failed' && outcome.isPassing, text);
  }
  const nowhere = await openWorld(t, {});
  const outcome = await nowhere.look();
  assert.ok(outcome.outcome === 'failed' && outcome.isPassing);
});

test('a text that cannot be read is kept', async (t) => {
  const world = await openWorld(t, {
    'whois.nic.example': () => 'Der Baum heißt \u001b[31mEiche\u0000 und gehört niemandem.',
  });
  const whois = await whoisOf(world.look());
  assert.deepEqual(Object.keys(whois ?? {}), ['record', 'fetched']);
  assert.match(whois?.record ?? '', /heißt \u001b\[31mEiche und/);
});

test('referrals in a circle end, and no server is asked twice', async (t) => {
  const to = (host: string) => () =>
    `Domain Name: OAK.EXAMPLE\nRegistrar: A\nCreation Date: 2001-01-01\nRegistrar WHOIS Server: ${host}\n`;
  const world = await openWorld(t, {
    'whois.nic.example': to('whois.a.example'),
    'whois.a.example': to('whois.b.example'),
    'whois.b.example': to('whois.c.example'),
    'whois.c.example': to('whois.nic.example'),
  });
  await whoisOf(world.look());
  assert.deepEqual(
    world.asked.slice(1).map((line) => line.split(' ')[0]),
    ['whois.nic.example', 'whois.a.example', 'whois.b.example'],
  );
  const circle = await openWorld(t, {
    'whois.nic.example': to('whois.a.example'),
    'whois.a.example': to('whois.nic.example'),
  });
  await whoisOf(circle.look());
  assert.equal(circle.asked.length, 3);
});

test('a referral to an address, or to a host that lies within, is not followed', async (t) => {
  for (const host of ['127.0.0.1', '169.254.169.254', '[::1]', 'localhost', 'whois.within.example:22']) {
    const world = await openWorld(t, {
      'whois.nic.example': () => registry.replace('whois.registrar.example', host),
    });
    const whois = await whoisOf(world.look());
    assert.equal(whois?.registrar, 'Alder');
    assert.deepEqual(world.resolved, ['whois.iana.org', 'whois.nic.example']);
  }
});

test('a registrar that is silent today takes nothing of what it told before', async (t) => {
  const world = await openWorld(t, { 'whois.nic.example': () => registry });
  const before = {
    parsed_whois: {
      registrant_name: 'Ann Ash',
      registrant_contact: { name: 'Ann Ash' },
      create_date: '1999-01-01',
    },
  };
  const whois = await whoisOf(world.look('oak.example', before));
  assert.equal(whois?.registrant_name, 'Ann Ash');
  assert.equal(whois?.create_date, '2019-05-06');
});

test('output without end is cut, and what was read is kept', async (t) => {
  const world = await openWorld(t, {
    'whois.nic.example': (_line, socket) => {
      const more = () =>
        socket.destroyed ||
        (socket.write('Registrant Name: x\n'.repeat(500)) ? setImmediate(more) : socket.once('drain', more));
      more();
      return undefined;
    },
  });
  const whois = await whoisOf(world.look());
  assert.ok((whois?.record?.length ?? 0) > 10_000);
  assert.ok('record' in normalise({ domain: 'oak.example', parsed_whois: whois }));
});

test('a trickle ends with the look', async (t) => {
  const ended = new AbortController();
  const world = await openWorld(t, {
    'whois.nic.example': (_line, socket) => {
      socket.write('D');
      ended.abort(new Error('the deadline has come'));
      return undefined;
    },
  });
  await assert.rejects(world.look('oak.example', {}, ended.signal), /the deadline has come/);
});

test('a server that does not finish has timed out', async (t) => {
  const { port, dialer } = await openWhoisServers(t, {
    'whois.nic.example': (_line, socket) => {
      socket.write('Domain');
      return undefined;
    },
  });
  const question = { server: 'whois.nic.example', port, line: 'oak.example', bytesMax: 1000, timeoutMs: 200 };
  const work = askWhois(dialer, { ...question, signal: new AbortController().signal });
  await assert.rejects(work, { name: 'Problem', code: 'timed-out' });
});

test('nothing but a name reaches the line of a question', async (t) => {
  const world = await openWorld(t, { 'whois.nic.example': () => registrar });
  for (const domain of [
    'oak.example\r\nhelp',
    'oak.example help',
    'öak.example',
    '-h x.example',
    '',
    'a\0b.example',
  ]) {
    const outcome = await world.look(domain);
    assert.ok(outcome.outcome === 'failed' && !outcome.isPassing, JSON.stringify(domain));
  }
  assert.ok(world.asked.every((line) => /^\S+ [a-z0-9.-]+$/.test(line)));
});

test('some servers are asked in a form of their own', () => {
  assert.equal(findQueryLine('whois.verisign-grs.com', 'oak.example'), 'domain =oak.example');
  assert.equal(findQueryLine('whois.denic.de', 'xn--eiche-kva.example'), '-T dn,ace xn--eiche-kva.example');
  assert.equal(findQueryLine('whois.jprs.jp', 'oak.example'), 'oak.example/e');
  assert.equal(findQueryLine('whois.nic.example', 'oak.example'), 'oak.example');
});

test('what is not UTF-8 is read as Latin 1', async (t) => {
  const world = await openWorld(t, {
    'whois.nic.example': (_line, socket) => {
      socket.end(Buffer.from(`${registrar}Registrant City: Köln\n`, 'latin1'));
      return undefined;
    },
  });
  assert.equal((await whoisOf(world.look()))?.registrant_contact?.city, 'Köln');
});
