/** Every dnsdbq option that affects requests or depends on responses, against a real server. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { canaryKey } from '../../harness/artifacts.ts';
import { needsPackage } from '../../harness/debian-package.ts';
import { nameglass, serve } from '../../harness/server/command-line.ts';
import { type DnsdbqNeeds, type DnsdbqRecord, dnsdbq, recordsOf } from '../../harness/server/dnsdbq.ts';
import { environmentOf, newTestData } from '../../harness/server/test-stores.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { fileScope, type TestScope } from '../../harness/test-scope.ts';

/** Generous, because the package may have to be installed first. */
const options = { timeout: 900_000, concurrency: 4 };
const daySeconds = 86_400;
const nowSeconds = Math.floor(Date.now() / 1000);
const day = (text: string) => Date.parse(text) / 1000;

/** An observation that spans a day by default. */
function seen(rrname: string, rrtype: string, rdata: string | string[], first: number, more: object = {}) {
  const times = { time_first: first, time_last: first + daySeconds };
  return { rrname, rrtype, rdata, bailiwick: 'example.com', count: 1, ...times, ...more };
}

const inZone = { time_first: undefined, time_last: undefined, bailiwick: 'com' };
const [y2019, y2020, y2021] = [day('2019-03-01'), day('2020-03-01'), day('2021-03-01')];
const observations = [
  seen('www.example.com', 'A', ['192.0.2.1', '192.0.2.2'], y2019, { count: 30 }),
  seen('www.example.com', 'A', ['192.0.2.2', '192.0.2.1'], y2021, { count: 11 }),
  seen('www.example.com', 'A', '198.51.100.9', y2020, { bailiwick: 'com' }),
  seen('www.example.com', 'AAAA', '2001:db8::1', y2020, { count: 5 }),
  seen('example.com', 'NS', ['ns1.example.net', 'ns2.example.net'], 0, {
    ...inZone,
    zone_time_first: y2020,
    zone_time_last: y2021,
    count: 12,
  }),
  seen('example.com', 'MX', '10 mail.example.net', y2020, { count: 2 }),
  seen('example.com', 'TXT', '"v=spf1 -all"', y2020, { count: 3 }),
  seen('example.com', 'DS', '1 8 2 aabbcc', y2020, { bailiwick: 'com' }),
  seen('a.b.example.com', 'CNAME', 'www.example.com', y2020),
  seen('a\\.b.example.com', 'A', '192.0.2.200', y2020),
  seen('www.example.org', 'A', '203.0.113.5', y2020, { bailiwick: 'example.org' }),
  seen('münchen.example', 'A', '203.0.113.6', y2020, { bailiwick: 'example' }),
  seen('.', 'NS', 'ns.example.net', y2020, { bailiwick: '.' }),
  seen('six.example', 'AAAA', '2001:db8:6::6', y2020, { bailiwick: 'example' }),
  seen('new.example', 'A', '192.0.2.77', nowSeconds - 1800, {
    time_last: nowSeconds - 60,
    bailiwick: 'example',
  }),
  seen('new.example', 'AAAA', '2001:db8::77', nowSeconds - 9 * daySeconds, { bailiwick: 'example' }),
];

/** What the table below expects: owner, type, data, count. */
const www = 'www.example.com. A 192.0.2.1 192.0.2.2 x41';
const www2019 = 'www.example.com. A 192.0.2.1 192.0.2.2 x30';
const www2021 = 'www.example.com. A 192.0.2.1 192.0.2.2 x11';
const wwwInCom = 'www.example.com. A 198.51.100.9 x1';
const wwwSix = 'www.example.com. AAAA 2001:db8::1 x5';
const wwwOrg = 'www.example.org. A 203.0.113.5 x1';
const ns = 'example.com. NS ns1.example.net. ns2.example.net. x12';
const ns1 = 'example.com. NS ns1.example.net. x12';
const ns2 = 'example.com. NS ns2.example.net. x12';
const mx = 'example.com. MX 10 mail.example.net. x2';
const txt = 'example.com. TXT "v=spf1 -all" x3';
const ds = 'example.com. DS 1 8 2 AABBCC x1';
const alias = 'a.b.example.com. CNAME www.example.com. x1';
const escaped = 'a\\.b.example.com. A 192.0.2.200 x1';
const munich = 'm\\195\\188nchen.example. A 203.0.113.6 x1';
const root = '. NS ns.example.net. x1';
const six = 'six.example. AAAA 2001:db8:6::6 x1';
const recent = 'new.example. A 192.0.2.77 x1';
const lastWeek = 'new.example. AAAA 2001:db8::77 x1';
const address1 = 'www.example.com. A 192.0.2.1 x41';
const address2 = 'www.example.com. A 192.0.2.2 x41';
const everyWww = [wwwInCom, www, wwwSix];
const apex = [ns, mx, txt];
const below = [...apex, ...everyWww, alias, escaped];
const inNet24 = [address1, address2, escaped, recent];

const hexOwner = '03777777076578616d706c6503636f6d00';
const hexText = '0b763d73706631202d616c6c';

const found: readonly (readonly [words: string, records: readonly string[]])[] = [
  ['-r www.example.com', everyWww],
  ['-r WWW.Example.COM.', everyWww],
  ['-r www.example.com/A', [www, wwwInCom]],
  ['-r www.example.com/A/example.com', [www]],
  ['-r www.example.com/a/com', [wwwInCom]],
  ['-r www.example.com -b com', [wwwInCom]],
  ['-r www.example.com -b example.com', [www, wwwSix]],
  ['-t AAAA -r www.example.com', [wwwSix]],
  ['-t A,AAAA -r www.example.com', everyWww],
  ['-r www.example.com/A,AAAA', everyWww],
  ['-t TYPE28 -r www.example.com', [wwwSix]],
  ["-r '*.example.com'", below],
  ["-r '*.b.example.com'", [alias]],
  ["-r 'www.example.*'", [...everyWww, wwwOrg]],
  ["-r 'www.example.*/A'", [www, wwwInCom, wwwOrg]],
  ['-r www.example.com./ANY', everyWww],
  ['-r example.com', apex],
  ['-r example.com/ANY-DNSSEC', [ds]],
  ['-r example.com/DS', [ds]],
  ['-r ./NS', [root]],
  ['-r .', [root]],
  ["-r 'a\\.b.example.com'", [escaped]],
  ['-8 -r münchen.example', [munich]],
  ['-r nothing.example', []],
  [`-R ${hexOwner}`, everyWww],
  [`-R ${hexOwner}/A`, [www, wwwInCom]],
  ['-n ns1.example.net/NS', [ns1]],
  ['-n ns1.example.net', [ns1]],
  ["-n '*.example.net/MX'", [mx]],
  ["-n '*.example.net'", [ns1, ns2, mx, root]],
  ["-n 'ns1.example.*'", [ns1]],
  ['-t NS,MX -n mail.example.net', [mx]],
  ['-n www.example.com', [alias]],
  [`-N ${hexText}/TXT`, [txt]],
  [`-N ${hexText.slice(0, 6)}`, [txt]],
  ['-i 192.0.2.1', [address1]],
  ['-i 192.0.2.0/24', inNet24],
  ['-i 192.0.2.0,24', inNet24],
  ['-i 192.0.2.99/24', inNet24],
  ['-i 192.0.2.1-192.0.2.20', [address1, address2]],
  ['-i 2001:db8::1', [wwwSix]],
  ['-i 2001:db8::/32', [wwwSix, six, lastWeek]],
  ['-i 2001:db8:6::/48', [six]],
  ['-i 203.0.113.0/29', [wwwOrg, munich]],
  ['-l 0 -r www.example.com', everyWww],
  ['-g -r www.example.com/A/example.com', [www2019, www2021]],
  ['-G -r www.example.com/A/example.com', [www]],
  ['-A 2021-01-01 -r www.example.com', [www]],
  [`-A ${y2021 + daySeconds} -r www.example.com`, [www]],
  [`-A ${y2021 + daySeconds + 1} -r www.example.com`, []],
  ['-B 2020-01-01 -r www.example.com', [www]],
  [`-B ${y2019} -r www.example.com`, [www]],
  [`-B ${y2019 - 1} -r www.example.com`, []],
  ["-A '2019-06-01 12:00:00' -B '2020-12-31 00:00:00' -r www.example.com", everyWww],
  ['-c -A 2020-01-01 -B 2020-12-31 -r www.example.com', [wwwInCom, wwwSix]],
  ['-c -A 2020-01-01 -r www.example.com', [wwwInCom, wwwSix]],
  ['-c -B 2020-12-31 -r www.example.com', [wwwInCom, wwwSix]],
  ['-g -A 2021-01-01 -r www.example.com/A', [www2021]],
  ['-A 2021-01-01 -r example.com', [ns]],
  ['-A -3600 -r new.example', [recent]],
  ['-A 1h -r new.example', [recent]],
  ['-A 1w2d -r new.example', [recent, lastWeek]],
  ['-A 1w -r new.example', [recent]],
  ['-B 1d -r new.example', [lastWeek]],
  ['-c -A 1w3d -B 1w -r new.example', [lastWeek]],
  ['-4 -q -U -r six.example', [six]],
  ['-u dnsdb -r six.example', [six]],
  ['-u dnsdb2 -r six.example', [six]],
  ['-u dnsdb1 -r www.example.com', everyWww],
  ['-u dnsdb1 -r www.example.com/A/example.com', [www]],
  ['-u dnsdb1 -i 192.0.2.0/24', inNet24],
  ['-u dnsdb1 -n mail.example.net', [mx]],
  ['-u dnsdb1 -A 2021-01-01 -r www.example.com', [www]],
];

/** Records in the order in which the client prints them: that of the server, or that of its sort options. */
const inOrder: readonly (readonly [words: string, records: readonly string[]])[] = [
  ['-r www.example.com', everyWww],
  ['-l 1 -r www.example.com', [wwwInCom]],
  ['-l 2 -r www.example.com', [wwwInCom, www]],
  ['-O 1 -l 1 -r www.example.com', [www]],
  ['-O 2 -r www.example.com', [wwwSix]],
  ['-L 1 -r www.example.com', [wwwInCom]],
  ['-g -O 1 -r www.example.com/A/example.com', [www2021]],
  ['-s -k count -r www.example.com', [wwwInCom, wwwSix, www]],
  ['-S -k count -r www.example.com', [www, wwwSix, wwwInCom]],
  ['-s -k first,count -r www.example.com', [www, wwwInCom, wwwSix]],
  ['-S -k last -r www.example.com/A', [www, wwwInCom]],
  ['-S -k duration -r www.example.com/A', [www, wwwInCom]],
  ['-s -k type -r www.example.com -S -k count', [www, wwwInCom, wwwSix]],
  ['-S -k type -s -k count -r www.example.com', [wwwSix, wwwInCom, www]],
  ["-s -k name -r 'www.example.*/A' -b example.com", [www]],
  ['-S -k name -i 203.0.113.0/24', [wwwOrg, munich]],
  ['-S -k data -i 192.0.2.0/24', [escaped, recent, address2, address1]],
  ['-s -k count -r example.com', [mx, txt, ns]],
  ['-s -k count -L 2 -r www.example.com', [wwwInCom, wwwSix]],
];

/** Output in the other formats. */
const printedAs: readonly (readonly [words: string, lines: readonly string[]])[] = [
  [
    '-p csv -r example.com/NS',
    [
      'time_first,time_last,zone_first,zone_last,count,bailiwick,rrname,rrtype,rdata',
      ',,"2020-03-01 00:00:00","2021-03-01 00:00:00",12,"com.","example.com.","NS","ns1.example.net."',
      ',,"2020-03-01 00:00:00","2021-03-01 00:00:00",12,"com.","example.com.","NS","ns2.example.net."',
    ],
  ],
  [
    '-p csv -i 192.0.2.1',
    [
      'time_first,time_last,zone_first,zone_last,count,bailiwick,rrname,rrtype,rdata',
      '"2019-03-01 00:00:00","2021-03-02 00:00:00",,,41,,"www.example.com.","A","192.0.2.1"',
    ],
  ],
  [
    '-p text -r example.com/MX',
    [
      ';; record times: 2020-03-01 00:00:00 .. 2020-03-02 00:00:00 (~1d)',
      ';; count: 2; bailiwick: example.com.',
      'example.com.  MX  10 mail.example.net.',
      '',
    ],
  ],
  [
    '-p dns -n mail.example.net',
    [
      ';; record times: 2020-03-01 00:00:00 .. 2020-03-02 00:00:00 (~1d)',
      ';; count: 2',
      'example.com.  MX  10 mail.example.net.',
      '',
    ],
  ],
  ['-p minimal -i 192.0.2.0/30', ['www.example.com.']],
  ['-p minimal -r www.example.com/A/example.com', ['192.0.2.1', '192.0.2.2']],
  [
    '-j -T datefix,reverse,chomp -r www.example.org',
    [
      '{"count":1,"time_first":"2020-03-01 00:00:00","time_last":"2020-03-02 00:00:00","rrname":"org.example.www","rrtype":"A","bailiwick":"example.org.","rdata":["203.0.113.5"]}',
    ],
  ],
  ['-j -V summarize -r www.example.com/A -l 100 -M 500', [summary(42, 2, y2019, y2021)]],
  ['-j -V summarize -r www.example.com/A -M 1', [summary(1, 1, y2020, y2020)]],
  ['-j -V summarize -r www.example.com -l 1', [summary(1, 1, y2020, y2020)]],
  ['-j -V summarize -i 192.0.2.0/29', [summary(82, 2, y2019, y2021)]],
  ['-j -V summarize -A 2021-01-01 -r www.example.com', [summary(41, 1, y2019, y2021)]],
  ['-j -V summarize -n mail.example.net', [summary(2, 1, y2020, y2020)]],
  [`-j -V summarize -N ${hexText}`, [summary(3, 1, y2020, y2020)]],
  ['-j -u dnsdb1 -V summarize -r www.example.com/A', [summary(42, 2, y2019, y2021)]],
  [
    '-V summarize -r www.example.com/AAAA',
    [';; record times: 2020-03-01 00:00:00 .. 2020-03-02 00:00:00', ';; count: 5; num_results: 1'],
  ],
];

/** A summary; `first` and `last` are the first days of the first and the last observation. */
function summary(count: number, results: number, first: number, last: number): string {
  const times = { time_first: first, time_last: last + daySeconds };
  return JSON.stringify({ count, num_results: results, ...times });
}

/** Lines of a batch, with options for the lines that follow. */
const batch = [
  '# a comment',
  'rrset/name/www.example.com/A/example.com',
  'rdata/ip/192.0.2.0,29',
  '$OPTIONS -c -A 2020-01-01 -B 2020-12-31 -l 1',
  'rrset/name/www.example.com',
  '$OPTIONS',
  '$OPTIONS -g',
  'rrset/name/www.example.com/A/example.com',
  '$OPTIONS',
  `rrset/raw/${hexOwner}/AAAA`,
  'rdata/name/ns1.example.net/NS',
  `rdata/raw/${hexText}`,
  'rrset/name/nothing.example',
  'rrset/name/212.0%2F24.150.in-addr.arpa',
];
const batchQueries = batch.filter((line) => line.startsWith('r'));
const batchResults = [
  [www],
  [address1, address2],
  [wwwInCom],
  [www2019, www2021],
  [wwwSix],
  [ns1],
  [txt],
  [],
  [],
];

/** The query as the client sends it; it encodes what is already encoded once more. */
function encodedQuery(query: string): string {
  return query.replaceAll('%', '%25').replaceAll(',', '%2C');
}

/** The third query reaches its limit, the last two find nothing. */
function statusOf(index: number): string {
  if (index === 2) return 'NOERROR (Result limit reached)';
  return `NOERROR (${index < 7 ? 'no error' : 'no results found for query.'})`;
}

/** Server errors as the client reports them. */
const errors: readonly (readonly [words: string, message: RegExp])[] = [
  ['-r www.example.com/NOTYPE', /libcurl 400 .* Error: rrtype: /],
  ['-r 212.0/24.150.in-addr.arpa', /libcurl 400 .* Error: rrtype: /],
  ["-r '*.*'", /libcurl 400 .* Error: name: /],
  ['-r a..example', /libcurl 400 .* Error: name: /],
  ['-R 0377', /libcurl 400 .* Error: raw: /],
  ['-N abc', /libcurl 400 .* Error: raw: /],
  ['-i www.example.com', /libcurl 400 .* Error: ip: /],
  ['-O 3000001 -r www.example.com', /libcurl 416 .* Error: offset value greater than maximum allowed/],
  ['-u dnsdb1 -r nothing.example', /libcurl 404 .* Error: no results found for query\./],
];

const noneFound = 'Query status: NOERROR (no results found for query.)\n';

function shown({ rrname, rrtype, rdata, count }: DnsdbqRecord): string {
  return `${rrname} ${rrtype} ${[rdata].flat().join(' ')} x${count}`;
}

/** dnsdbq exits with 0 whatever the server answers; errors are on standard error. */
async function recordsFor(words: string, needs: DnsdbqNeeds): Promise<string[]> {
  const outcome = await dnsdbq(`-j ${words}`, needs);
  const records = recordsOf(outcome).map(shown);
  const says = records.length > 0 || words.startsWith('-u circl') ? '' : noneFound;
  assert.deepEqual([outcome.code, outcome.err], [0, says]);
  return records;
}

async function printed(words: string, needs: DnsdbqNeeds): Promise<string> {
  const { code, out, err } = await dnsdbq(words, needs);
  assert.deepEqual([code, err], [0, '']);
  return out;
}

/** A server with the observations, and two keys: one without limits, one with a quota. */
async function filledServer(scope: TestScope) {
  const [data, home] = [await newTestData(scope), temporaryDirectory(scope)];
  const env = await environmentOf(data);
  const [key, limitedKey] = [canaryKey(), canaryKey()];
  const create = (username: string, ...more: string[]) =>
    nameglass(['account', 'create', '--data', data, '--username', username, ...more], { env });
  const input = observations.map((one) => `${JSON.stringify(one)}\n`).join('');
  for (const { code, err } of [
    await nameglass(['import', 'rrsets', '-', '--format', 'cof', '--data', data], { input, env }),
    await create('free', '--key', key),
    await create('limited', '--key', limitedKey, '--pdns-quota', 'daily:500', '--pdns-burst', '400:300'),
  ]) {
    assert.deepEqual([code, err], [0, '']);
  }
  const settings = ['compat.profile=vendor', 'http.mountPrefix=/proxied'];
  const { url } = await serve(scope, ['--data', data, '--set', ...settings], { env });
  const needs: DnsdbqNeeds = { server: url, key, home };
  return { needs, limited: { ...needs, key: limitedKey } };
}

const scope = fileScope();
let filled: ReturnType<typeof filledServer> | undefined;

/** A test body that runs against the one server of the file, skipped where dnsdbq is not available. */
function withDnsdbq(run: (needs: DnsdbqNeeds, t: TestContext, limited: DnsdbqNeeds) => Promise<void>) {
  return async (t: TestContext) => {
    if (!needsPackage(t, 'dnsdbq', 'dnsdbq')) return;
    const { needs, limited } = await (filled ??= filledServer(scope));
    await run(needs, t, limited);
  };
}

/** One sub-test for each row of a table, concurrently, because the client mostly waits. */
async function each<Expected>(
  t: TestContext,
  rows: readonly (readonly [words: string, expected: Expected])[],
  check: (words: string, expected: Expected) => Promise<void>,
): Promise<void> {
  await Promise.all(rows.map(([words, expected]) => t.test(`dnsdbq ${words}`, () => check(words, expected))));
}

test(
  'PDNS-02 PDNS-20 PDNS-21 PDNS-23 PDNS-24 PDNS-25 PDNS-26 PDNS-27 PDNS-29 PDNS-32 PDNS-34 PDNS-37 PDNS-38: each kind of query returns its records, without a warning',
  options,
  withDnsdbq((needs, t) =>
    each(t, found, async (words, records) =>
      assert.deepEqual((await recordsFor(words, needs)).sort(), records.toSorted()),
    ),
  ),
);

test(
  'PDNS-06 PDNS-08: limits, offsets and sorts return records in that order',
  options,
  withDnsdbq((needs, t) =>
    each(t, inOrder, async (words, records) => assert.deepEqual(await recordsFor(words, needs), records)),
  ),
);

test(
  'PDNS-30 PDNS-31: human-readable output shows what was observed',
  options,
  withDnsdbq((needs, t) =>
    each(t, printedAs, async (words, lines) =>
      assert.deepEqual((await printed(words, needs)).split('\n').slice(0, -1), lines),
    ),
  ),
);

test(
  'PE-20: the client shows the first line of an error',
  options,
  withDnsdbq((needs, t) =>
    each(t, errors, async (words, message) => {
      const { out, err } = await dnsdbq(words, needs);
      assert.equal(out, '');
      assert.match(err, message);
    }),
  ),
);

test(
  'PE-05: a wrong key is reported as such',
  options,
  withDnsdbq(async (needs) => {
    const { out, err } = await dnsdbq('-r www.example.com', { ...needs, key: 'none' });
    assert.equal(out, '');
    assert.match(err, /libcurl 403 .* Error: the API key is not valid/);
  }),
);

const address = { count: 41, time_first: y2019, time_last: y2021 + daySeconds, rrname: 'www.example.com.' };
const zone = { count: 12, zone_time_first: y2020, zone_time_last: y2021, rrname: 'example.com.' };

async function jsonRecords(words: string, needs: DnsdbqNeeds): Promise<readonly DnsdbqRecord[]> {
  return recordsOf(await dnsdbq(`-j ${words}`, needs));
}

test(
  'PDNS-17 PDNS-18 PDNS-19: records have these members and no others',
  options,
  withDnsdbq(async (needs) => {
    assert.deepEqual(await jsonRecords('-r www.example.com/A/example.com', needs), [
      { ...address, rrtype: 'A', bailiwick: 'example.com.', rdata: ['192.0.2.1', '192.0.2.2'] },
    ]);
    assert.deepEqual(await jsonRecords('-r example.com/NS', needs), [
      { ...zone, rrtype: 'NS', bailiwick: 'com.', rdata: ['ns1.example.net.', 'ns2.example.net.'] },
    ]);
  }),
);

test(
  'PDNS-26 PDNS-47: an RR has no bailiwick, and its data is a list only in version 2',
  options,
  withDnsdbq(async (needs) => {
    assert.deepEqual(await jsonRecords('-n ns1.example.net', needs), [
      { ...zone, rrtype: 'NS', rdata: ['ns1.example.net.'] },
    ]);
    assert.deepEqual(await jsonRecords('-u dnsdb1 -n ns1.example.net', needs), [
      { ...zone, rrtype: 'NS', rdata: 'ns1.example.net.' },
    ]);
  }),
);

test(
  'PDNS-13: a limited result is reported, a complete one is not',
  options,
  withDnsdbq(async (needs) => {
    const limit = 'Database limit: Result limit reached\n';
    assert.equal((await dnsdbq('-s -l 2 -r www.example.com', needs)).err, limit);
    assert.equal((await dnsdbq('-s -l 3 -r www.example.com', needs)).err, '');
  }),
);

const batchInput = `${batch.join('\n')}\n`;

test(
  'a batch is answered line by line, with the options that precede a line',
  options,
  withDnsdbq(async (needs) => {
    const outcome = await dnsdbq('-f -j', { ...needs, input: batchInput });
    const blocks = outcome.out.split('--\n').slice(0, -1);
    assert.deepEqual(
      blocks.map((out) => recordsOf({ ...outcome, out }).map(shown)),
      batchResults,
    );
    assert.equal(outcome.err, noneFound.replace('Query', 'dnsdbq: batch line').repeat(2));
  }),
);

test(
  '-ff names each line of a batch and its status, in order or as they complete',
  options,
  withDnsdbq(async (needs) => {
    const expected = batchQueries.map(
      (line, index) => `${encodedQuery(line)}: ${batchResults[index]?.length}, ${statusOf(index)}`,
    );
    for (const words of ['-ff -j', '-ff -m -j']) {
      const { out, err } = await dnsdbq(words, { ...needs, input: batchInput });
      assert.equal(err, '');
      const reported = [...out.matchAll(/^\+\+ (.*)\n([^]*?)^-- (.*)\n/gm)].map(
        ([, line, records = '', status]) => `${line}: ${records.split('\n').length - 1}, ${status}`,
      );
      if (words.includes('-m')) assert.deepEqual(reported.sort(), expected.toSorted());
      else assert.deepEqual(reported, expected);
    }
  }),
);

test(
  '-fm returns the results of all lines together, sorted together',
  options,
  withDnsdbq(async (needs) => {
    const lines = 'rrset/name/example.com\nrrset/name/www.example.com\nrdata/ip/203.0.113.0,24\n';
    const outcome = await dnsdbq('-fm -j -S -k count', { ...needs, input: lines });
    assert.equal(outcome.err, '');
    assert.deepEqual(
      recordsOf(outcome).map(({ count }) => count),
      [41, 12, 5, 3, 2, 1, 1, 1],
    );
  }),
);

const results = { results_max: 1_000_000, offset_max: 3_000_000 };

test(
  'PQ-01 PQ-02 PQ-03 PQ-10: -I shows a key without limits',
  options,
  withDnsdbq(async (needs) => {
    const rate = { reset: 'n/a', limit: 'unlimited', remaining: 'n/a', ...results };
    assert.deepEqual(JSON.parse(await printed('-I -j', needs)), { rate });
    assert.deepEqual(JSON.parse(await printed('-I -j -u dnsdb1', needs)), { rate });
  }),
);

test(
  'PQ-08 PQ-10 PQ-13: -I shows what is left of a quota',
  options,
  withDnsdbq(async (_needs, _t, limited) => {
    await printed('-r www.example.com', limited);
    const { reset, ...rate } = JSON.parse(await printed('-I -j', limited)).rate;
    const burst = { burst_size: 400, burst_window: 300 };
    assert.deepEqual(rate, { limit: 500, remaining: 499, ...results, ...burst });
    assert.ok(reset > nowSeconds && reset % daySeconds === 0);
    const text = await printed('-I', limited);
    assert.match(text, /reset: \d{4}-\d\d-\d\d 00:00:00\n\tlimit: 500\n\tremaining: 499\n/);
  }),
);

test(
  'the server URL is accepted in every form in common use',
  options,
  withDnsdbq(async (needs, t) => {
    const mounts = ['', '/', '/dnsdb/v2', '/vendor', '/vendor/dnsdb/v2', '/proxied', '/proxied/vendor'];
    const rows = [...mounts, '/pdns/v2'].map((path) => [`with ${path}`, needs.server + path] as const);
    await each(t, rows, async (_, server) => {
      assert.deepEqual(await recordsFor('-r six.example', { ...needs, server }), [six]);
      assert.match(await printed('-V summarize -r six.example', { ...needs, server }), /count: 1;/);
      assert.match(await printed('-I', { ...needs, server }), /unlimited/);
    });
  }),
);

test(
  '-u circl returns records of names and of addresses, without final dots',
  options,
  withDnsdbq(async (needs) => {
    const file = join(needs.home, 'circl.conf');
    const settings = `CIRCL_AUTH="anyone:${needs.key}"\nCIRCL_SERVER="${needs.server}/pdns/query"\n`;
    writeFileSync(file, settings);
    const circl = { ...needs, env: { DNSDBQ_CONFIG_FILE: file } };
    const plain = (records: readonly string[]) => records.map((text) => text.replaceAll('. ', ' '));
    assert.deepEqual(await recordsFor('-u circl -r www.example.com', circl), plain(everyWww));
    assert.deepEqual(await recordsFor('-u circl -r example.com', circl), plain(apex));
    assert.deepEqual(await recordsFor('-u circl -i 192.0.2.1', circl), plain([address1]));
    assert.deepEqual(await recordsFor('-u circl -r nothing.example', circl), []);
    writeFileSync(file, `DNSDBQ_SYSTEM=circl\n${settings}`);
    assert.deepEqual(
      await recordsFor('-s -k count -r www.example.com', circl),
      plain([wwwInCom, wwwSix, www]),
    );
  }),
);
