import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Collector, ProbeRequest } from '../../../src/collect/collectors/collector.ts';
import { feedStream } from '../../../src/model/stream-names.ts';
import { collectorOf, collectWorld, foundBy, shortly } from '../../harness/fixtures/collection-fixture.ts';
import { linesIn } from '../../harness/fixtures/observation-fixture.ts';

const domain = 'example.com';
const dayMs = 86_400_000;
const transient = { outcome: 'failed', reason: 'no answer', isTransient: true } as const;
const permanent = { outcome: 'failed', reason: 'no such server', isTransient: false } as const;

test('the findings of collectors become one record, with the collector and time of each member', async (t) => {
  const world = collectWorld(t);
  const counts = await world.round(
    [domain],
    [
      foundBy('dns', { ip: [{ address: '192.0.2.1' }], name_server: [{ host: 'NS1.example.net.' }] }),
      foundBy('web', { website_title: 'Sign in', website_response: 200 }),
      collectorOf('ip', async ({ known }) => ({
        outcome: 'found',
        part: { ip: (known.ip ?? []).map((each) => ({ ...each, asn: [64500] })), popularity_rank: 9 },
      })),
    ],
  );
  const at = '2026-03-04T10:11:12.000Z';
  const by = (collector: string) => ({ collector, at });
  assert.deepEqual(await world.record(domain), {
    domain,
    active: true,
    first_seen: at,
    data_updated_timestamp: at,
    popularity_rank: 9,
    ip: [{ address: '192.0.2.1', asn: [64500] }],
    name_server: [{ host: 'ns1.example.net', domain: 'example.net' }],
    website_response: 200,
    website_title: 'Sign in',
    sources: {
      popularity_rank: by('ip'),
      ip: by('dns'),
      name_server: by('dns'),
      website_response: by('web'),
      website_title: by('web'),
    },
  });
  // A new record has no changes.
  assert.deepEqual(await world.domains.listChanges(domain, { limit: 10 }), []);
  assert.deepEqual(counts.records, { added: 1, changed: 0, unchanged: 0 });
  assert.deepEqual(counts.probes.get('dns'), { found: 1, failed: 0, timedOut: 0 });
  assert.equal(counts.domains, 1);
});

const answering = collectorOf('web', async ({ keepRaw }) => {
  keepRaw?.({
    kind: 'http-body',
    asked: 'http://example.com/',
    address: '192.0.2.1',
    request: 'GET http://example.com/',
    mediaType: 'text/html',
    bytes: Buffer.alloc(200_000, 'x'),
    isTruncated: false,
  });
  return transient;
});

test('what a server answered is kept with the probe, cut at the bound, also if the probe fails', async (t) => {
  const world = collectWorld(t);
  await world.round([domain], [answering]);
  const [{ collector, size, isTruncated, seenMs } = assert.fail('nothing was kept')] =
    await world.rawAnswers.listAnswers(domain, 10);
  assert.deepEqual([collector, size, isTruncated], ['web', 131_072, true]);
  assert.equal(new Date(seenMs).toISOString(), '2026-03-04T10:11:12.000Z');
});

test('DNS runs first, then the others concurrently, enriching collectors last, and each sees what is known by then', async (t) => {
  const world = collectWorld(t);
  await world.domains.upsert([
    { record: { domain, registrar: 'Example', website_title: 'Old' }, source: 'import', seenMs: 0 },
  ]);
  const probes: [string, ProbeRequest['known']][] = [];
  const [both, resolve] = [{ left: 2 }, Promise.withResolvers<void>()];
  const together = async ({ known }: ProbeRequest, name: string) => {
    probes.push([name, known]);
    if ((both.left -= 1) === 0) resolve.resolve();
    await resolve.promise;
    return { outcome: 'found', part: name === 'web' ? {} : { ssl_email: ['a@b.com'] } } as const;
  };
  await world.round(
    [domain],
    [
      collectorOf('ip', async ({ known }) => (probes.push(['ip', known]), permanent)),
      collectorOf('web', (request) => together(request, 'web')),
      collectorOf('tls', (request) => together(request, 'tls')),
      collectorOf('dns', async ({ known }) => {
        probes.push(['dns', known]);
        return { outcome: 'found', part: { ip: [{ address: '192.0.2.1' }] } };
      }),
    ],
  );
  assert.deepEqual([probes[0]?.[0], probes[3]?.[0]], ['dns', 'ip']);
  assert.deepEqual(
    probes.map(([, { ip, website_title, ssl_email }]) => [ip?.[0]?.address, website_title, ssl_email?.[0]]),
    [
      [undefined, 'Old', undefined],
      ['192.0.2.1', 'Old', undefined],
      ['192.0.2.1', 'Old', undefined],
      ['192.0.2.1', undefined, 'a@b.com'],
    ],
  );
  const record = await world.record(domain);
  assert.deepEqual([record?.registrar, record?.website_title], ['Example', undefined]);
});

test('a domain that moves has one change of its addresses, by the collector that saw it, and keeps other members', async (t) => {
  const world = collectWorld(t);
  const [ranges, home] = [new Map([['192.0.2.1', 64500]]), { address: '192.0.2.1' }];
  ranges.set('198.51.100.7', 64501);
  const collectors = (address: string): Collector[] => [
    foundBy('dns', { ip: [{ address }], spf_info: 'v=spf1 -all' }),
    foundBy('web', { website_title: 'Sign in' }),
    collectorOf('ip', async ({ known }) => ({
      outcome: 'found',
      part: { ip: (known.ip ?? []).map((each) => ({ ...each, asn: [ranges.get(each.address) ?? 0] })) },
    })),
  ];
  await world.round([domain], collectors(home.address));
  world.clock.advanceSeconds(3600);
  await world.round([domain], collectors(home.address));
  assert.deepEqual(await world.domains.listChanges(domain, { limit: 10 }), []);
  await world.round([domain], collectors('198.51.100.7'));
  const changes = await world.domains.listChanges(domain, { limit: 10 });
  assert.deepEqual(
    changes.map(({ field, before, after, source, atMs }) => [field, before, after, source, atMs]),
    [
      [
        'ip',
        [{ address: '192.0.2.1', asn: [64500] }],
        [{ address: '198.51.100.7', asn: [64501] }],
        'dns',
        world.clock.now(),
      ],
    ],
  );
  const { website_title, sources } = (await world.record(domain)) ?? {};
  assert.equal(website_title, 'Sign in');
  const [moved, first] = ['2026-03-04T11:11:12.000Z', '2026-03-04T10:11:12.000Z'];
  assert.deepEqual([sources?.['ip']?.at, sources?.['website_title']?.at], [moved, first]);
});

test('a collector that hangs, throws or returns invalid data does not affect the others', async (t) => {
  const world = collectWorld(t);
  const nonsense = { outcome: 'found', part: null } as never;
  const counts = await world.round(
    [domain],
    [
      foundBy('dns', { ip: [{ address: '192.0.2.1' }] }),
      collectorOf('rdap', () => new Promise(() => undefined)),
      collectorOf('whois', () => Promise.reject(new Error('a mistake'))),
      collectorOf('tls', async () => nonsense),
      foundBy('web', {
        website_title: 7 as never,
        redirect: 'x'.repeat(10_000),
        website_response: 200,
        server_type: '\u001b[31m\ud800nginx\0',
      }),
      foundBy('ip', { domain: 'other.com', active: false }),
    ],
    { lookSeconds: 1 },
  );
  const record = await world.record(domain);
  assert.deepEqual(
    [record?.domain, record?.ip?.length, record?.website_title, record?.redirect, record?.website_response],
    [domain, 1, undefined, undefined, 200],
  );
  assert.equal(record?.server_type, '[31m\ufffdnginx');
  const { probes, dropped, jobs } = counts;
  assert.deepEqual(probes.get('rdap'), { found: 0, failed: 0, timedOut: 1 });
  assert.deepEqual(probes.get('whois'), { found: 0, failed: 1, timedOut: 0 });
  assert.deepEqual(probes.get('tls'), { found: 0, failed: 1, timedOut: 0 });
  assert.deepEqual([dropped, jobs.retried, jobs.failed], [2, 1, 0]);
  assert.deepEqual(world.failures.map(String).sort(), [
    'Error: a mistake',
    'TypeError: tls gave no valid result',
  ]);
});

test('files that take longer to load than a probe may take cost no domain its findings', async (t) => {
  const world = collectWorld(t);
  let isLoaded = false;
  const slow: Collector = {
    ...collectorOf('ip', async () =>
      isLoaded ? { outcome: 'found', part: { popularity_rank: 9 } } : permanent,
    ),
    prepare: async () => {
      await pause(1500);
      isLoaded = true;
    },
  };
  await world.round([domain], [slow], { lookSeconds: 1 });
  assert.equal((await world.record(domain))?.popularity_rank, 9);
});

test('an invalid finding leaves the stored value of its member', async (t) => {
  const world = collectWorld(t);
  await world.round([domain], [foundBy('web', { website_title: 'Good', redirect: 'https://a.com/' })]);
  await world.round([domain], [foundBy('web', { website_title: 7 as never, redirect: 'https://b.com/' })]);
  const { website_title, redirect } = (await world.record(domain)) ?? {};
  assert.deepEqual([website_title, redirect], ['Good', 'https://b.com/']);
});

test('after a transient failure only the failed collectors are retried, up to attemptsMax', async (t) => {
  const world = collectWorld(t);
  const probed: string[] = [];
  const probing = (
    name: 'dns' | 'web' | 'tls' | 'ip',
    outcome: typeof transient | typeof permanent | undefined,
  ) => collectorOf(name, async () => (probed.push(name), outcome ?? { outcome: 'found', part: {} }));
  await world.enqueue(domain);
  const collecting = world.start(
    [
      probing('dns', undefined),
      probing('tls', permanent),
      probing('web', transient),
      probing('ip', undefined),
    ],
    { attemptsMax: 3, newDomains: false },
  );
  const jobs = () => collecting.statistics().jobs;
  for (const [waitSeconds, retried] of [
    [0, 1],
    [60, 2],
  ] as const) {
    world.clock.advanceSeconds(waitSeconds);
    while (jobs().retried < retried) await shortly();
  }
  world.clock.advanceSeconds(240);
  while (jobs().done < 1) await shortly();
  assert.deepEqual(probed, ['dns', 'tls', 'web', 'ip', 'web', 'ip', 'web', 'ip']);
  const dueMs = (await world.jobs.findNextDueMs('collect')) ?? 0;
  const days = (dueMs - world.clock.now()) / dayMs;
  assert.ok(days >= 30 && days <= 33);
});

test('a collected domain is due again when its record is stale, whatever failed permanently', async (t) => {
  const world = collectWorld(t);
  const names = ['a.com', 'b.com', 'c.com'];
  const counts = await world.round(names, [foundBy('dns', {}), collectorOf('web', async () => permanent)], {
    refreshDays: 10,
  });
  assert.deepEqual([counts.jobs.done, counts.domains], [3, 3]);
  assert.equal((await world.record('a.com'))?.active, false);
  const lease = (days: number) => {
    const nowMs = world.clock.now() + days * dayMs;
    return world.jobs.leaseJobs('collect', 10, nowMs, nowMs + 1);
  };
  assert.equal((await lease(10)).length, 0);
  const due = await lease(11);
  assert.deepEqual(due.map(({ subject }) => subject).sort(), names);
  assert.equal(new Set(due.map(({ dueMs }) => dueMs)).size, 3);
});

test('without findings no record is written', async (t) => {
  const world = collectWorld(t);
  await world.round([domain], [collectorOf('dns', async () => transient)]);
  assert.equal(await world.record(domain), undefined);
});

const rdapRecord = (registrar: string) => ({
  parsed_record: {
    registry_request_url: 'https://rdap.example/',
    registrar_request_url: null,
    parsed_fields: { registrar: { name: registrar } },
  },
  raw_record: { first_request_timestamp: '2026-03-04T10:11:12Z', requests: [] },
});

test('new or changed registration data is published once per collection', async (t) => {
  const world = collectWorld(t);
  const rdap = (registrar: string, fetched: string, isLarge = false) =>
    collectorOf('rdap', async () => ({
      outcome: 'found',
      part: { parsed_domain_rdap: { registrar, fetched } },
      lines: [
        {
          feed: 'domainrdap',
          record: isLarge ? { raw_record: 'x'.repeat(1_000_000) } : rdapRecord(registrar),
        },
      ],
    }));
  await world.round([domain], [rdap('One', '2026-03-04T10:00:00Z')]);
  await world.round([domain], [rdap('One', '2026-03-04T11:00:00Z')]);
  world.clock.advanceSeconds(60);
  await world.round([domain], [rdap('Two', '2026-03-04T11:00:00Z')]);
  const { dropped } = await world.round([domain], [rdap('Three', '2026-03-04T11:00:00Z', true)]);
  assert.equal(dropped, 1);
  const lines = await linesIn(world.streams, feedStream('domainrdap'));
  assert.deepEqual(
    lines.map((line) => {
      const { timestamp, parsed_record } = JSON.parse(line) as {
        timestamp: string;
        parsed_record: { parsed_fields: { registrar: { name: string } } };
      };
      return [timestamp, parsed_record.parsed_fields.registrar.name];
    }),
    [
      ['2026-03-04T10:11:12Z', 'One'],
      ['2026-03-04T10:12:12Z', 'Two'],
    ],
  );
  assert.ok(lines[0]?.startsWith(`{"timestamp":"2026-03-04T10:11:12Z","domain":"${domain}","raw_record":{`));
});

test('the findings of many domains are written in batches without loss', async (t) => {
  const world = collectWorld(t);
  const names = Array.from({ length: 150 }, (_, index) => `site${index}.com`);
  const counts = await world.round(names, [foundBy('dns', { ip: [{ address: '192.0.2.1' }] })], {
    domainsAtOnce: 150,
  });
  assert.deepEqual(counts.records, { added: 150, changed: 0, unchanged: 0 });
  const records = await world.domains.findRecords(names);
  assert.ok(records.every((record) => record?.ip?.length === 1));
});

test('SHOT-14 first_seen is the discovery of a domain, so that a screenshot taken before its record belongs to the same registration', async (t) => {
  const world = collectWorld(t);
  const discoveredMs = world.clock.now() - 90_000;
  await world.names.recordNames('list:x', [domain], discoveredMs, undefined);
  await world.round([domain], [foundBy('dns', { ip: [{ address: '192.0.2.1' }] })]);
  assert.equal((await world.record(domain))?.first_seen, new Date(discoveredMs).toISOString());
});
