/** Every option of dnsdbq that reaches the server, or that depends on what the server says, against a real one. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { canaryKey } from '../harness/artifacts.ts';
import { needsPackage } from '../harness/debian-package.ts';
import { type DnsdbqNeeds, type DnsdbqRecord, dnsdbq, recordsOf } from '../harness/dnsdbq.ts';
import { nameglass, serve } from '../harness/spawned.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';

/** Generous, for an installation may come first. */
const options = { timeout: 900_000 };
const daySeconds = 86_400;
const nowSeconds = Math.floor(Date.now() / 1000);
const day = (text: string) => Date.parse(text) / 1000;

/** A day of sightings, or the one that is told. */
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

/** As the client shows them: the order of the server, or that which the client was told to make. */
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

/** Printed for people and for other programs. */
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

/** The first day of the first sightings, and of the last. */
function summary(count: number, results: number, first: number, last: number): string {
  const times = { time_first: first, time_last: last + daySeconds };
  return JSON.stringify({ count, num_results: results, ...times });
}

/** Lines of a batch, with what is changed for those that follow. */
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
const questions = batch.filter((line) => line.startsWith('r'));
const answers = [[www], [address1, address2], [wwwInCom], [www2019, www2021], [wwwSix], [ns1], [txt], [], []];

/** As the client sends it; it encodes what is already encoded once more. */
function sentFor(question: string): string {
  return question.replaceAll('%', '%25').replaceAll(',', '%2C');
}

/** The third question was cut by its limit, the last two found nothing. */
function statusOf(index: number): string {
  if (index === 2) return 'NOERROR (Result limit reached)';
  return `NOERROR (${index < 7 ? 'no error' : 'no results found for query.'})`;
}

/** What the client says that it was told. */
const refusals: readonly (readonly [words: string, says: RegExp])[] = [
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

/** dnsdbq ends with 0 whatever the server answers; what it has to complain of is on standard error. */
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
async function filledServer(t: TestContext) {
  const [data, home] = [temporaryDirectory(t), temporaryDirectory(t)];
  const [key, limitedKey] = [canaryKey(), canaryKey()];
  const create = (username: string, ...more: string[]) =>
    nameglass(['account', 'create', '--data', data, '--username', username, ...more]);
  const input = observations.map((one) => `${JSON.stringify(one)}\n`).join('');
  for (const { code, err } of [
    await nameglass(['import', 'rrsets', '-', '--format', 'cof', '--data', data], { input }),
    await create('free', '--key', key),
    await create('limited', '--key', limitedKey, '--pdns-quota', 'daily:500', '--pdns-burst', '400:300'),
  ]) {
    assert.deepEqual([code, err], [0, '']);
  }
  const settings = ['compat.profile=vendor', 'http.mountPrefix=/proxied'];
  const { url } = await serve(t, ['--data', data, '--set', ...settings]);
  return { asking: { server: url, key, home }, limitedKey };
}

/** A client waits more than it works. */
const ahead = { concurrency: 4 };

/** One test for each row of a table. */
async function each<Expected>(
  t: TestContext,
  rows: readonly (readonly [words: string, expected: Expected])[],
  holds: (words: string, expected: Expected) => Promise<void>,
): Promise<void> {
  await Promise.all(rows.map(([words, expected]) => t.test(`dnsdbq ${words}`, () => holds(words, expected))));
}

test('dnsdbq works unchanged', options, async (t) => {
  if (!needsPackage(t, 'dnsdbq', 'dnsdbq')) return;
  const { asking, limitedKey } = await filledServer(t);
  await testTables(t, asking);
  await testRecords(t, asking);
  await testBatches(t, asking);
  await testQuotas(t, asking, limitedKey);
  await testServers(t, asking);
  await testCircl(t, asking);
});

async function testTables(t: TestContext, asking: DnsdbqNeeds): Promise<void> {
  await t.test(
    'PDNS-02 PDNS-20 PDNS-21 PDNS-23 PDNS-24 PDNS-25 PDNS-26 PDNS-27 PDNS-29 PDNS-32 PDNS-34 PDNS-37 PDNS-38: each kind of question gives its records, without a complaint',
    ahead,
    (group) =>
      each(group, found, async (words, records) =>
        assert.deepEqual((await recordsFor(words, asking)).sort(), records.toSorted()),
      ),
  );
  await t.test('PDNS-06 PDNS-08: limits, offsets and orders give records in that order', ahead, (group) =>
    each(group, inOrder, async (words, records) =>
      assert.deepEqual(await recordsFor(words, asking), records),
    ),
  );
  await t.test('PDNS-30 PDNS-31: what is printed for people is what was seen', ahead, (group) =>
    each(group, printedAs, async (words, lines) =>
      assert.deepEqual((await printed(words, asking)).split('\n').slice(0, -1), lines),
    ),
  );
  await t.test('PE-20: the client shows the first line of an error', ahead, (group) =>
    each(group, refusals, async (words, says) => {
      const { out, err } = await dnsdbq(words, asking);
      assert.equal(out, '');
      assert.match(err, says);
    }),
  );
  await t.test('PE-05: a wrong key is told as such', async () => {
    const { out, err } = await dnsdbq('-r www.example.com', { ...asking, key: 'none' });
    assert.equal(out, '');
    assert.match(err, /libcurl 403 .* Error: the API key is not valid/);
  });
}

async function testRecords(t: TestContext, asking: DnsdbqNeeds): Promise<void> {
  const records = async (words: string) => recordsOf(await dnsdbq(`-j ${words}`, asking));
  const address = { count: 41, time_first: y2019, time_last: y2021 + daySeconds, rrname: 'www.example.com.' };
  const zone = { count: 12, zone_time_first: y2020, zone_time_last: y2021, rrname: 'example.com.' };
  const servers = ['ns1.example.net.', 'ns2.example.net.'];

  await t.test('PDNS-17 PDNS-18 PDNS-19: records have these members and no others', async () => {
    assert.deepEqual(await records('-r www.example.com/A/example.com'), [
      { ...address, rrtype: 'A', bailiwick: 'example.com.', rdata: ['192.0.2.1', '192.0.2.2'] },
    ]);
    assert.deepEqual(await records('-r example.com/NS'), [
      { ...zone, rrtype: 'NS', bailiwick: 'com.', rdata: servers },
    ]);
  });

  await t.test(
    'PDNS-26 PDNS-47: an RR has no bailiwick, and its data is a list only in version 2',
    async () => {
      assert.deepEqual(await records('-n ns1.example.net'), [
        { ...zone, rrtype: 'NS', rdata: ['ns1.example.net.'] },
      ]);
      assert.deepEqual(await records('-u dnsdb1 -n ns1.example.net'), [
        { ...zone, rrtype: 'NS', rdata: 'ns1.example.net.' },
      ]);
    },
  );

  await t.test('PDNS-13: a result that was cut is told, one that was not is not', async () => {
    const limit = 'Database limit: Result limit reached\n';
    assert.equal((await dnsdbq('-s -l 2 -r www.example.com', asking)).err, limit);
    assert.equal((await dnsdbq('-s -l 3 -r www.example.com', asking)).err, '');
  });
}

async function testBatches(t: TestContext, asking: DnsdbqNeeds): Promise<void> {
  const input = `${batch.join('\n')}\n`;

  await t.test('a batch is answered line by line, with the options that stand before a line', async () => {
    const outcome = await dnsdbq('-f -j', { ...asking, input });
    const blocks = outcome.out.split('--\n').slice(0, -1);
    assert.deepEqual(
      blocks.map((out) => recordsOf({ ...outcome, out }).map(shown)),
      answers,
    );
    assert.equal(outcome.err, noneFound.replace('Query', 'dnsdbq: batch line').repeat(2));
  });

  await t.test('-ff names each line of a batch and its outcome, in order or as they come', async () => {
    const expected = questions.map(
      (line, index) => `${sentFor(line)}: ${answers[index]?.length}, ${statusOf(index)}`,
    );
    for (const words of ['-ff -j', '-ff -m -j']) {
      const { out, err } = await dnsdbq(words, { ...asking, input });
      assert.equal(err, '');
      const told = [...out.matchAll(/^\+\+ (.*)\n([^]*?)^-- (.*)\n/gm)].map(
        ([, line, records = '', status]) => `${line}: ${records.split('\n').length - 1}, ${status}`,
      );
      if (words.includes('-m')) assert.deepEqual(told.sort(), expected.toSorted());
      else assert.deepEqual(told, expected);
    }
  });

  await t.test('-fm gives the answers of all lines together, sorted together', async () => {
    const lines = 'rrset/name/example.com\nrrset/name/www.example.com\nrdata/ip/203.0.113.0,24\n';
    const outcome = await dnsdbq('-fm -j -S -k count', { ...asking, input: lines });
    assert.equal(outcome.err, '');
    assert.deepEqual(
      recordsOf(outcome).map(({ count }) => count),
      [41, 12, 5, 3, 2, 1, 1, 1],
    );
  });
}

async function testQuotas(t: TestContext, asking: DnsdbqNeeds, limitedKey: string): Promise<void> {
  const results = { results_max: 1_000_000, offset_max: 3_000_000 };

  await t.test('PQ-01 PQ-02 PQ-03 PQ-10: -I shows a key without limits', async () => {
    const rate = { reset: 'n/a', limit: 'unlimited', remaining: 'n/a', ...results };
    assert.deepEqual(JSON.parse(await printed('-I -j', asking)), { rate });
    assert.deepEqual(JSON.parse(await printed('-I -j -u dnsdb1', asking)), { rate });
  });

  await t.test('PQ-08 PQ-10 PQ-13: -I shows what is left of a quota', async () => {
    const limited = { ...asking, key: limitedKey };
    await printed('-r www.example.com', limited);
    const { reset, ...rate } = JSON.parse(await printed('-I -j', limited)).rate;
    const burst = { burst_size: 400, burst_window: 300 };
    assert.deepEqual(rate, { limit: 500, remaining: 499, ...results, ...burst });
    assert.ok(reset > nowSeconds && reset % daySeconds === 0);
    const text = await printed('-I', limited);
    assert.match(text, /reset: \d{4}-\d\d-\d\d 00:00:00\n\tlimit: 500\n\tremaining: 499\n/);
  });
}

async function testServers(t: TestContext, asking: DnsdbqNeeds): Promise<void> {
  const mounts = ['', '/', '/dnsdb/v2', '/vendor', '/vendor/dnsdb/v2', '/proxied', '/proxied/vendor'];
  const mistaken = '/pdns/v2';

  await t.test('the server may be told in every way in which people write it', ahead, async (group) => {
    const rows = [...mounts, mistaken].map((path) => [`with ${path}`, asking.server + path] as const);
    await each(group, rows, async (_, server) => {
      assert.deepEqual(await recordsFor('-r six.example', { ...asking, server }), [six]);
      assert.match(await printed('-V summarize -r six.example', { ...asking, server }), /count: 1;/);
      assert.match(await printed('-I', { ...asking, server }), /unlimited/);
    });
  });
}

async function testCircl(t: TestContext, asking: DnsdbqNeeds): Promise<void> {
  await t.test('-u circl gives records of names and of addresses, without final dots', async () => {
    const file = join(asking.home, 'circl.conf');
    const settings = `CIRCL_AUTH="anyone:${asking.key}"\nCIRCL_SERVER="${asking.server}/pdns/query"\n`;
    writeFileSync(file, settings);
    const circl = { ...asking, env: { DNSDBQ_CONFIG_FILE: file } };
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
  });
}
