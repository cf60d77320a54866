import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { rrsetFormats } from '../../../../src/collect/import-rrsets.ts';
import type { FeedName } from '../../../../src/model/product-catalogue.ts';
import { openRrsetStore } from '../../../../src/store/embedded/rrset-store.ts';
import { openStreamStore } from '../../../../src/store/embedded/stream-store.ts';
import type { ImportState, Row } from '../../../../src/store/rrset-store.ts';
import { shownRrset } from '../../../collect/rrset-formats/shown.ts';
import { canaryKey } from '../../../harness/artifacts.ts';
import { namesInFeed } from '../../../harness/fixtures/observation-fixture.ts';
import { encodeMessage, wireName } from '../../../harness/network/encode-dns-message.ts';
import { dataFrame, encodeDnstap, start, stop } from '../../../harness/network/encode-dnstap.ts';
import { nameglass, type RunOptions, serve } from '../../../harness/server/command-line.ts';
import { program } from '../../../harness/server/program.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';

const at = 1_700_000_000;
const clock = { now: Date.now };

/** Everything that a data directory holds, as text. */
async function stored(data: string): Promise<string[]> {
  const store = openRrsetStore(data, clock);
  const rows: Row[] = [];
  const scan = {
    selection: { by: 'owner', name: Uint8Array.of(0), span: 'below' },
    filter: { types: 'any', fences: {} },
    merged: true,
    nowSeconds: at,
  } as const;
  for await (const slice of store.scan(scan)) rows.push(...slice);
  await store.close();
  return rows.map((row) => shownRrset({ ...row, bailiwick: row.bailiwick ?? assert.fail() }));
}

async function imported(data: string, id: string): Promise<ImportState | undefined> {
  const store = openRrsetStore(data, clock);
  const state = await store.findImport(id);
  await store.close();
  return state;
}

const importing = (data: string, words: string, options?: RunOptions) =>
  nameglass(['import', 'rrsets', '--data', data, ...words.split(' ')], options);

function record(rrname: string, more: object = {}): string {
  const seen = {
    rrtype: 'A',
    rdata: ['192.0.2.1'],
    bailiwick: 'example.com',
    time_first: at,
    time_last: at + 60,
  };
  return JSON.stringify({ rrname, ...seen, count: 2, ...more });
}

const cof = [record('www.example.com'), record('mail.example.com', { count: 3 })];
const shownCof = [
  `sensor www.example.com. A in example.com. ${at}-${at + 60} x2: 192.0.2.1`,
  `sensor mail.example.com. A in example.com. ${at}-${at + 60} x3: 192.0.2.1`,
];
const nmsgJson = JSON.stringify({
  time: '2023-11-14 22:13:20.000000000',
  vname: 'SIE',
  mname: 'newdomain',
  message: { ...JSON.parse(record('www.example.com')), time_seen: '2023-11-14 22:13:20' },
});
const zeek = [
  ['#separator \\x09'],
  ['#fields', 'ts', 'id.orig_h', 'query', 'qtype', 'rcode', 'answers', 'TTLs'],
  [`${at}.25`, '198.51.100.7', 'www.example.com', '1', '0', 'cdn.example.net,192.0.2.1', '60.0,60.0'],
].map((fields) => fields.join('\t'));
const eve = JSON.stringify({
  timestamp: '2023-11-14T22:13:20.000000+0000',
  event_type: 'dns',
  dns: {
    version: 2,
    type: 'answer',
    rcode: 'NOERROR',
    rrname: 'www.example.com',
    answers: [{ rrname: 'www.example.com', rrtype: 'A', ttl: 60, rdata: '192.0.2.1' }],
  },
});
const zone = '$TTL 60\n@ SOA ns1 root 1 2 3 4 5\nwww A 192.0.2.1\n    A 192.0.2.2\n';
const message = encodeMessage({
  records: [{ owner: 'www.example.com', type: 1, rdata: [Uint8Array.of(192, 0, 2, 1)] }],
});
const frame = dataFrame(encodeDnstap({ zone: wireName('example.com'), seconds: at, message }));
const capture = Buffer.concat([start, frame, frame, stop]);
const lines = (...texts: readonly string[]) => Buffer.from(`${texts.join('\n')}\n`);

const formats: readonly (readonly [
  name: string,
  bytes: Buffer,
  words: string,
  says: string,
  rows: string[],
])[] = [
  ['cof', lines(...cof), '--format cof', '2 observations of 2 lines', shownCof],
  ['gzip of cof', gzipSync(lines(...cof)), '--format cof', '2 observations of 2 lines', shownCof],
  [
    'nmsg-json',
    lines(nmsgJson),
    '--format nmsg-json',
    '1 observation of 1 line',
    [`sensor www.example.com. A in example.com. ${at}-${at} x1: 192.0.2.1`],
  ],
  [
    'zeek',
    lines(...zeek),
    '--format zeek',
    '2 observations of 3 lines',
    [
      `sensor www.example.com. CNAME in . ${at}-${at} x1: cdn.example.net.`,
      `sensor cdn.example.net. A in . ${at}-${at} x1: 192.0.2.1`,
    ],
  ],
  [
    'eve',
    lines(eve),
    '--format eve',
    '1 observation of 1 line',
    [`sensor www.example.com. A in . ${at}-${at} x1: 192.0.2.1`],
  ],
  [
    'zone',
    Buffer.from(zone),
    `--format zone --origin Example.COM --seen ${at}`,
    '2 observations of 4 lines',
    [
      `zone example.com. SOA in example.com. ${at}-${at} x1: ns1.example.com. root.example.com. 1 2 3 4 5`,
      `zone www.example.com. A in example.com. ${at}-${at} x1: 192.0.2.1 | 192.0.2.2`,
    ],
  ],
  [
    'dnstap',
    capture,
    '--format dnstap',
    '2 observations of 2 frames',
    [`sensor www.example.com. A in example.com. ${at}-${at} x2: 192.0.2.1`],
  ],
];

for (const [name, bytes, words, says, rows] of formats) {
  test(`a file of ${name} is imported, and its counts are printed`, async (t) => {
    const data = temporaryDirectory(t);
    const file = join(data, 'file');
    writeFileSync(file, bytes);
    const { code, out, err } = await importing(data, `${file} ${words}`);
    assert.deepEqual([code, err], [0, '']);
    const observed = name === 'zone' ? '' : 'newly observed: [12] domains?, [12] hostnames?\n';
    assert.match(out, new RegExp(`^imported: ${says}\n${observed}import id: sha256:[0-9a-f]{32}\n$`));
    assert.deepEqual((await stored(data)).sort(), rows.toSorted());
  });
}

test('malformed lines are reported with their number and counted, and the rest is imported', async (t) => {
  const data = temporaryDirectory(t);
  const bad = ['{"rrname":', record('www.example.com', { rdata: 'no address' }), record('a..example.com')];
  const input = lines(cof[0] ?? '', ...bad, cof[1] ?? '').toString();
  const { code, out, err } = await importing(data, '- --format cof', { input });
  assert.deepEqual(err.split('\n'), [
    'line 2: not a JSON object',
    'line 3: rdata does not fit its type',
    'line 4: rrname is not a name',
    '',
  ]);
  const observed = 'newly observed: 1 domain, 2 hostnames\n';
  assert.deepEqual(
    [code, out],
    [0, `imported: 2 observations of 5 lines; 3 malformed lines skipped\n${observed}`],
  );
  assert.deepEqual((await stored(data)).sort(), shownCof.toSorted());
});

test('an observation more than a day ahead of the clock is refused, and its line says so', async (t) => {
  const data = temporaryDirectory(t);
  const file = join(data, 'in.json');
  const soon = Math.floor(Date.now() / 1000) + 3600;
  const future = record('future.example.com', { time_last: Date.parse('2096-05-04T03:02:01Z') / 1000 });
  writeFileSync(file, lines(future, record('soon.example.com', { time_last: soon })));
  const { code, out, err } = await importing(data, `${file} --format cof`);
  assert.equal(code, 0);
  assert.match(out, /1 observation of 2 lines; 1 malformed line skipped/);
  assert.match(err, /line 1: the time 2096-05-04T03:02:01\.000Z is in the future/);
});

test('only the first malformed lines are reported in full', async (t) => {
  const data = temporaryDirectory(t);
  const input = lines(cof[0] ?? '', ...Array<string>(30).fill('?')).toString();
  const { code, err } = await importing(data, '- --format cof --faults-shown 2', { input });
  assert.equal(code, 0);
  assert.deepEqual(err.split('\n'), [
    'line 2: not a JSON object',
    'line 3: not a JSON object',
    '… and 28 more (--faults-shown N shows more)',
    '',
  ]);
});

test('control characters of lines are escaped on the terminal', async (t) => {
  const input = lines('\u001b[31m{"rrname":"\u001b[2J"}', cof[0] ?? '').toString();
  const { err } = await importing(temporaryDirectory(t), '- --format cof', { input });
  assert.ok(err.startsWith('line 1: '));
  assert.ok(!err.includes('\u001b'));
});

test('--json prints the counts and the import id as one object', async (t) => {
  const data = temporaryDirectory(t);
  const input = lines(...cof, '?').toString();
  const counts = { read: 3, observations: 2, malformed: 1 };
  const unnamed = await importing(data, '- --format cof --json', { input });
  const unseen = { new_domains: 1, new_hostnames: 2 };
  assert.deepEqual(JSON.parse(unnamed.out), { ...counts, ...unseen, import_id: null });
  const named = await importing(data, '- --format cof --json --import-id monday', { input });
  const known = { new_domains: 0, new_hostnames: 0 };
  assert.deepEqual(JSON.parse(named.out), { ...counts, ...known, import_id: 'monday' });
  const again = await importing(data, '- --format cof --json --import-id monday', { input });
  const none = { read: 0, observations: 0, malformed: 0 };
  assert.deepEqual(JSON.parse(again.out), { ...none, ...known, import_id: 'monday' });
});

test('the same file counts once from any path, and again for another sensor', async (t) => {
  const data = temporaryDirectory(t);
  const [file, copy] = [join(data, 'file'), join(data, 'copy')];
  writeFileSync(file, lines(...cof));
  copyFileSync(file, copy);
  assert.match((await importing(data, `${file} --format cof`)).out, /^imported: 2 observations/);
  for (const name of [file, copy]) {
    const { code, out } = await importing(data, `${name} --format cof`);
    assert.equal(code, 0);
    assert.match(out, /^already imported: nothing changed/);
  }
  assert.deepEqual((await stored(data)).sort(), shownCof.toSorted());
  assert.match((await importing(data, `${file} --format cof --sensor east`)).out, /^imported: 2/);
  assert.deepEqual((await stored(data)).flatMap((text) => text.match(/ x\d+/) ?? []).sort(), [' x4', ' x6']);
});

test('standard input counts each time, but only once with an import id', async (t) => {
  const data = temporaryDirectory(t);
  const input = lines(cof[0] ?? '').toString();
  const count = async () => Number(/ x(\d+):/.exec((await stored(data))[0] ?? '')?.[1]);
  for (const [words, expected] of [
    ['', 2],
    ['', 4],
    [' --import-id one', 6],
    [' --import-id one', 6],
    [' --import-id two', 8],
  ] as const) {
    const { code, err } = await importing(data, `- --format cof${words}`, { input });
    assert.deepEqual([code, err, await count()], [0, '', expected]);
  }
});

test('--fold-wildcards folds synthesized names into one once there are enough', async (t) => {
  const data = temporaryDirectory(t);
  const names = Array.from({ length: 40 }, (_, index) => `x${index}k9q2z7w4.example.com`);
  const input = lines(
    ...names.map((name) => record(name, { count: 1 })),
    record('www.example.com'),
  ).toString();
  await importing(data, '- --format cof --fold-wildcards', { input });
  const rows = await stored(data);
  assert.equal(rows.length, 32 + 1 + 1);
  const folded = rows.filter((text) => text.includes('_WILDCARD_'));
  assert.deepEqual(folded, [
    `sensor _WILDCARD_.example.com. A in example.com. ${at}-${at + 60} x8: 192.0.2.1`,
  ]);
  assert.ok(rows.some((text) => text.includes(' www.example.com. ')));
});

const unreadable: readonly (readonly [what: string, words: string, bytes: Buffer, says: RegExp])[] = [
  [
    'a zone file as cof',
    '--format cof',
    Buffer.from(zone),
    /^nameglass: nothing in .* is its format really cof\?$/m,
  ],
  [
    'cof as a zone file',
    '--format zone',
    lines(...cof),
    /^nameglass: nothing in .* is its format really zone\?$/m,
  ],
  [
    'cof as dnstap',
    '--format dnstap',
    lines(...cof),
    /^nameglass: nothing in .* is its format really dnstap\?$/m,
  ],
  [
    'a damaged gzip',
    '--format cof',
    gzipSync(lines(...cof)).subarray(0, -12),
    /^nameglass: reading stopped: the compressed input is damaged or truncated\n$/,
  ],
];

for (const [what, words, bytes, says] of unreadable) {
  test(`${what} gives exit code 1 and a clear line, and imports nothing`, async (t) => {
    const data = temporaryDirectory(t);
    const file = join(data, 'file');
    writeFileSync(file, bytes);
    const { code, out, err } = await importing(data, `${file} ${words} --import-id it`);
    assert.deepEqual([code, out], [1, '']);
    assert.match(err, says);
    assert.doesNotMatch(err, /^ +at /m);
    assert.deepEqual(await stored(data), []);
    assert.notEqual((await imported(data, 'it'))?.complete, true);
  });
}

test('a missing file or a directory gives exit code 1 and one line that names it', async (t) => {
  const data = temporaryDirectory(t);
  for (const file of [join(data, 'nothing'), data]) {
    const { code, out, err } = await importing(data, `${file} --format cof`);
    assert.deepEqual([code, out], [1, '']);
    assert.match(err, /^nameglass: [^\n]*\n$/);
    assert.ok(err.includes(file));
  }
});

const misuses: readonly (readonly [words: string, says: RegExp])[] = [
  ['- --format bogus', /cof, dnstap, zeek, eve, nmsg-json, zone/],
  ['-', /--format/],
  ['--format cof', /file/],
  ['- --format zone --origin a..b', /a domain name such as example\.com/],
  ['- --format zone --seen yesterday', /--seen/],
  ['- --format cof --faults-shown -1', /--faults-shown/],
];

for (const [words, says] of misuses) {
  test(`import rrsets ${words} gives exit code 2 and changes nothing`, async (t) => {
    const data = join(temporaryDirectory(t), 'data');
    const { code, out, err } = await importing(data, words);
    assert.deepEqual([code, out], [2, '']);
    assert.match(err, says);
    assert.equal(existsSync(data), false);
  });
}

test('import rrsets --help shows formats and examples', async () => {
  const { code, out } = await nameglass(['import', 'rrsets', '--help']);
  assert.equal(code, 0);
  assert.match(out, /Examples:\n {2}nameglass import rrsets \S+ --format cof\n/);
  for (const format of rrsetFormats) assert.ok(out.includes(`"${format}"`), format);
});

test('an import is visible immediately on a running server', async (t) => {
  const [data, key] = [temporaryDirectory(t), canaryKey()];
  await nameglass(['account', 'create', '--data', data, '--username', 'u', '--key', key]);
  const server = await serve(t, ['--data', data]);
  const counts = async () => {
    const headers = { 'X-API-Key': key };
    const answer = await fetch(`${server.url}/pdns/v2/lookup/rrset/name/www.example.com`, { headers });
    const objs = (await answer.text()).split('\n').flatMap((line) => (line ? [JSON.parse(line).obj] : []));
    return objs.flatMap((obj) => (obj ? [obj.count] : []));
  };
  assert.deepEqual(await counts(), []);
  for (const expected of [2, 4]) {
    const { code } = await importing(data, '- --format cof', { input: lines(cof[0] ?? '').toString() });
    assert.deepEqual([code, await counts()], [0, [expected]]);
  }
  await server.stop();
});

/** The names published on a feed. */
async function published(data: string, feed: FeedName): Promise<string[]> {
  const streams = openStreamStore(data);
  const names = await namesInFeed(streams, feed);
  await streams.close();
  return names;
}

test('newly observed names of an import are published once in the feeds', async (t) => {
  const data = temporaryDirectory(t);
  const input = lines(...cof).toString();
  for (let time = 0; time < 2; time += 1) await importing(data, '- --format cof', { input });
  assert.deepEqual(await published(data, 'nod'), ['example.com']);
  assert.deepEqual((await published(data, 'noh')).sort(), ['mail.example.com', 'www.example.com']);
});

test('an import reports what was new in it, also when the running server has published it first', async (t) => {
  const data = temporaryDirectory(t);
  const server = await serve(t, ['--data', data]);
  const child = spawn(
    process.execPath,
    [program, 'import', 'rrsets', '--data', data, '-', '--format', 'cof', '--json'],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const out = textOf(child.stdout);
  child.stdin.end(lines(...cof, record('www.example.net')));
  assert.equal((await once(child, 'close'))[0], 0);
  const { new_domains, new_hostnames } = JSON.parse(await out);
  assert.deepEqual([new_domains, new_hostnames], [2, 3]);
  await server.stop();
});

test('with --history nothing of the file is ever published as newly observed', async (t) => {
  const data = temporaryDirectory(t);
  const input = lines(...cof).toString();
  const { out } = await importing(data, '- --format cof --history --json', { input });
  assert.deepEqual(JSON.parse(out), {
    read: 2,
    observations: 2,
    malformed: 0,
    new_domains: null,
    new_hostnames: null,
    import_id: null,
  });
  await importing(data, '- --format cof', { input: lines(...cof, record('new.example.com')).toString() });
  assert.deepEqual(await published(data, 'nod'), []);
  assert.deepEqual(await published(data, 'noh'), ['new.example.com']);
});

test('what a killed import did not publish is published when it is repeated', async (t) => {
  const data = temporaryDirectory(t);
  const store = openRrsetStore(data, clock);
  const intake = await store.openIntake({ importId: 'one', publish: true });
  await intake.add({
    origin: 'sensor',
    owner: wireName('www.example.com'),
    type: 1,
    bailiwick: wireName('example.com'),
    rdata: [Uint8Array.of(192, 0, 2, 1)],
    firstSeconds: at,
    lastSeconds: at,
    count: 1,
  });
  await intake.finish();
  await store.close();
  const { out } = await importing(data, '- --format cof --import-id one', { input: '' });
  assert.match(out, /^already imported: nothing changed.*\nnewly observed: 1 domain, 1 hostname\n/);
  assert.deepEqual(await published(data, 'nod'), ['example.com']);
});

const names = 4000;
const sightings = 400_000;

/** Many observations of few names, in small chunks, until the end or until the reader closes. */
async function* manySightings(): AsyncGenerator<string> {
  for (let from = 0; from < sightings; from += 5000) {
    const indexes = Array.from({ length: 5000 }, (_, index) => from + index);
    yield lines(
      ...indexes.map((index) => record(`host${index % names}.example.com`, { count: 1 })),
    ).toString();
    await pause(1);
  }
}

test('an import that is killed and repeated with its id counts everything exactly once', async (t) => {
  const data = temporaryDirectory(t);
  const words = [
    'import',
    'rrsets',
    '-',
    '--format',
    'cof',
    '--history',
    '--import-id',
    'large',
    '--data',
    data,
  ];
  const durable = async () => (await imported(data, 'large'))?.observations ?? 0;
  const begin = () => {
    const child = spawn(process.execPath, [program, ...words], { stdio: ['pipe', 'pipe', 'pipe'] });
    t.after(() => child.kill('SIGKILL'));
    const ended = once(child, 'close');
    const piped = pipeline(Readable.from(manySightings()), child.stdin).catch(() => undefined);
    return { child, ended, piped };
  };

  const first = begin();
  while (first.child.exitCode === null && (await durable()) === 0) await pause(20);
  first.child.kill('SIGKILL');
  await Promise.all([first.ended, first.piped]);
  const kept = await durable();
  assert.ok(kept > 0 && kept < sightings, `${kept} were durable`);

  const second = begin();
  const [[code], out, err] = await Promise.all([
    second.ended,
    textOf(second.child.stdout),
    textOf(second.child.stderr),
  ]);
  // No progress is shown in a pipe.
  assert.deepEqual([code, err], [0, '']);
  assert.match(out, /^imported: 400,000 observations of 400,000 lines\nimport id: large\n$/);
  assert.equal(await durable(), sightings);
  const rows = await stored(data);
  assert.equal(rows.length, names);
  assert.deepEqual(
    rows.filter((row) => !row.includes(` x${sightings / names}: `)),
    [],
  );
});
