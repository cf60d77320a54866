import assert from 'node:assert/strict';
import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { decompress } from '../../../src/collect/input/decompress.ts';
import { readLines } from '../../../src/collect/input/lines.ts';
import { zoneReader } from '../../../src/collect/rrset-formats/zone.ts';
import { nameText, parseName } from '../../../src/model/dns/name.ts';
import { typeOf } from '../../../src/model/dns/rr-type.ts';
import type { Rrset } from '../../../src/model/dns/rrset.ts';
import { shownLines } from './shown.ts';

const seenSeconds = 1_700_000_000;
const at = '1700000000-1700000000 x1:';

function read(text: string, origin?: string): readonly string[] {
  const options = { seenSeconds, origin: origin === undefined ? undefined : parseName(origin) };
  return shownLines(zoneReader(options), text.split('\n'));
}

const soa = 'example.com. 3600 IN SOA ns1.example.com. hostmaster.example.com. 1 7200 3600 1209600 300';
const shownSoa = `zone example.com. SOA in example.com. ${at} ns1.example.com. hostmaster.example.com. 1 7200 3600 1209600 300`;

test('a zone file in all notations yields complete RRsets with the apex as bailiwick', () => {
  const text = `; a comment
$TTL 1h30m
$ORIGIN Example.COM.
@ IN 1D SOA ns1 hostmaster ( ; the start
    1       ; serial
    7200 3600
    1209600 300 )
      NS  ns1
\tNS  ns2.example.net.   ; absolute
@ 300 IN MX 10 mail
@ IN 300 MX ( 20
  mail2 )
www A 192.0.2.1
    3600 AAAA 2001:db8::1
    TXT "semi;colon" "paren (" plain\\;word ; comment
www A 192.0.2.2
$ORIGIN sub
host CNAME @
* IN A 192.0.2.3
sub.example.com. CLASS1 TYPE1 \\# 4 C0000204
odd\\.name IN A 192.0.2.5
chaos CH TXT "not ours"`;
  assert.deepEqual(read(text), [
    shownSoa,
    `zone example.com. NS in example.com. ${at} ns1.example.com. | ns2.example.net.`,
    `zone example.com. MX in example.com. ${at} 10 mail.example.com. | 20 mail2.example.com.`,
    `zone www.example.com. A in example.com. ${at} 192.0.2.1 | 192.0.2.2`,
    `zone www.example.com. AAAA in example.com. ${at} 2001:db8::1`,
    `zone www.example.com. TXT in example.com. ${at} "semi;colon" "paren (" "plain;word"`,
    `zone host.sub.example.com. CNAME in example.com. ${at} sub.example.com.`,
    `zone *.sub.example.com. A in example.com. ${at} 192.0.2.3`,
    `zone sub.example.com. A in example.com. ${at} 192.0.2.4`,
    `zone odd\\.name.sub.example.com. A in example.com. ${at} 192.0.2.5`,
  ]);
});

test('the apex is the owner of the SOA, even if the origin is above it', () => {
  assert.deepEqual(read(`$ORIGIN .\n${soa}\nwww.example.com A 192.0.2.1`), [
    shownSoa,
    `zone www.example.com. A in example.com. ${at} 192.0.2.1`,
  ]);
});

test('the apex is the given origin, or the $ORIGIN before a first record other than SOA', () => {
  const shown = [`zone www.example.com. A in example.com. ${at} 192.0.2.1`];
  assert.deepEqual(read('www A 192.0.2.1', 'example.com'), shown);
  assert.deepEqual(read('$ORIGIN example.com.\nwww A 192.0.2.1'), shown);
  assert.deepEqual(read('$ORIGIN www.example.com.\n@ A 192.0.2.1', 'example.com'), shown);
});

test('without an origin, relative names are refused in owners and rdata, and absolute ones are read', () => {
  assert.deepEqual(
    read(`www A 192.0.2.1\n${soa}\nwww A 192.0.2.1\n@ A 192.0.2.2\nwww.example.com. CNAME a`),
    [
      'malformed: a relative name, but no origin is known',
      'malformed: a relative name, but no origin is known',
      'malformed: a relative name, but no origin is known',
      'malformed: its rdata does not fit its type',
      shownSoa,
    ],
  );
  assert.deepEqual(read('www.example.com. A 192.0.2.1'), [
    'malformed: the zone is not known: there is no SOA before it and no origin',
  ]);
});

test('a record without owner is never attributed to an earlier one', () => {
  const text = ' A 192.0.2.1\nok A 192.0.2.2\n A 192.0.2.3\na..b A 192.0.2.4\n A 192.0.2.5\nok A 192.0.2.6';
  assert.deepEqual(read(text, 'example.com'), [
    'malformed: there is no record before it to take the owner from',
    'malformed: its name is not a domain name',
    'malformed: there is no record before it to take the owner from',
    `zone ok.example.com. A in example.com. ${at} 192.0.2.2 | 192.0.2.3 | 192.0.2.6`,
  ]);
});

test('an RRset with an unreadable RR is dropped', () => {
  const text =
    'a A 192.0.2.1\na A 192.0.2.999\na A 192.0.2.3\na AAAA 2001:db8::1\nb TXT "open\nb TXT "x"\nc TXT \uFFFD';
  assert.deepEqual(read(text, 'example.com'), [
    'malformed: its rdata does not fit its type',
    'malformed: its RRset is too large or not whole',
    'malformed: a quoted text does not end on its line',
    'malformed: its RRset is too large or not whole',
    'malformed: its rdata does not fit its type',
    `zone a.example.com. AAAA in example.com. ${at} 2001:db8::1`,
  ]);
});

test('records outside the zone or without type, and $INCLUDE and $GENERATE, are refused', () => {
  const text =
    'www.example.org. A 192.0.2.1\na FOO x\nb\nc ANY x\n$INCLUDE /etc/passwd\n$GENERATE 1-9 a$ A 192.0.2.$\n$WHAT\n$ORIGIN a..b.\nd A 192.0.2.1';
  assert.deepEqual(read(text, 'example.com'), [
    'malformed: it is outside the zone',
    'malformed: it has no type of data',
    'malformed: it has no type of data',
    'malformed: it has no type of data',
    'malformed: other files are not included',
    'malformed: records are not generated',
    'malformed: an unknown directive',
    'malformed: its name is not a domain name',
    'malformed: a relative name, but no origin is known',
  ]);
});

test('concatenated zone files are separated by their SOA', () => {
  const second = soa.replaceAll('example.com.', 'example.org.');
  const shown = read(`${soa}\nwww.example.com. A 192.0.2.1\n${soa}\n${second}\nwww.example.org. A 192.0.2.2`);
  assert.deepEqual(shown.slice(1, 2), [`zone www.example.com. A in example.com. ${at} 192.0.2.1`]);
  assert.equal(shown.at(-1), `zone www.example.org. A in example.org. ${at} 192.0.2.2`);
  assert.equal(shown.length, 4);
});

test('signatures form RRsets by covered type', () => {
  const signature = (type: string) =>
    `a RRSIG ${type} 8 2 300 20300101000000 20290101000000 1 example.com. AAAA`;
  const shown = read(
    `${signature('A')}\n${signature('AAAA')}\n${signature('A').replace(' 1 ', ' 2 ')}`,
    'example.com',
  );
  assert.deepEqual(
    shown.map((line) => line.split(' | ').length),
    [2, 1],
  );
});

test('an unclosed parenthesis costs one record, not the rest of the file', () => {
  const filler = Array.from({ length: 3000 }, () => `  "${'x'.repeat(98)}"`).join('\n');
  const text = `a A ( 192.0.2.1\n${filler}\nb A 192.0.2.2\nc A 192.0.2.3 )\nd A 192.0.2.4\ne A ( 192.0.2.5`;
  const shown = read(text, 'example.com');
  const faults = shown.filter((line) => line.startsWith('malformed'));
  assert.equal(faults[0], 'malformed: a parenthesis is never closed');
  assert.ok(faults.includes('malformed: a parenthesis is closed that was never opened'));
  assert.equal(faults.at(-1), 'malformed: a parenthesis is never closed');
  assert.deepEqual(shown.slice(-2), [
    `zone b.example.com. A in example.com. ${at} 192.0.2.2`,
    `zone d.example.com. A in example.com. ${at} 192.0.2.4`,
  ]);
});

test('the order of records does not matter in a zone of a few thousand', () => {
  const records = Array.from(
    { length: 40 },
    (_, index) => `h${index % 7} ${index % 3 ? 'A' : 'TXT'} 192.0.2.${index}`,
  );
  const sorted = (lines: readonly string[]) =>
    read(lines.join('\n'), 'example.com')
      .map((line) =>
        line
          .split(/: | \| /)
          .sort()
          .join('|'),
      )
      .sort();
  const expected = sorted(records);
  assert.equal(expected.length, 14);
  fc.assert(
    fc.property(fc.shuffledSubarray(records, { minLength: records.length }), (shuffled) => {
      assert.deepEqual(sorted(shuffled), expected);
    }),
    { numRuns: 30 },
  );
});

test('a large zone is emitted while it is read, and an RR far from its RRset is refused', () => {
  const reader = zoneReader({ seenSeconds, origin: parseName('example.com') });
  let given = 0;
  for (let index = 0; index < 25_000; index += 1) {
    for (const host of [1, 2]) {
      const outcome = reader.line(`d${index} NS ns${host}.example.net.`);
      assert.notEqual(outcome.kind, 'malformed');
      if (outcome.kind === 'observations') given += outcome.observations.length;
    }
  }
  assert.equal(given, 5_000);
  assert.deepEqual(reader.line('d5 NS ns3.example.net.'), {
    kind: 'malformed',
    reason: 'its RRset was closed long before it; sort the file',
  });
  assert.equal(reader.line('d24999 NS ns3.example.net.').kind, 'nothing');
  assert.equal(reader.line('d5 A 192.0.2.1').kind, 'observations');
});

test('an RRset that is too large to store is refused, and memory stays bounded', () => {
  const text = `"${'x'.repeat(255)}" `.repeat(200);
  const reader = zoneReader({ seenSeconds, origin: parseName('example.com') });
  let bytes = 0;
  for (let round = 0; round < 3; round += 1) {
    for (let set = 0; set < 250; set += 1) {
      const outcome = reader.line(`s${set} TXT ${text}`);
      if (outcome.kind !== 'observations') continue;
      for (const { rdata } of outcome.observations) for (const member of rdata) bytes += member.length;
    }
  }
  assert.ok(bytes > 1_000_000);
  const shown = read(Array.from({ length: 6 }, () => `big TXT ${text}`).join('\n'), 'example.com');
  assert.deepEqual(shown, ['malformed: its RRset is too large or not whole']);
});

const zones = join(import.meta.dirname, '../../../../shared/data/zone');
const skip = existsSync(zones) ? false : 'no shared data';

for (const [file, apex, sets] of [
  ['root.zone.gz', '.', 18_593],
  ['gov.zone.gz', 'gov.', 19_740],
] as const) {
  test(`a real zone is read without a malformed line: ${file}`, { skip }, async () => {
    const reader = zoneReader({ seenSeconds });
    const found: Rrset[] = [];
    const take = (outcome: ReturnType<typeof reader.line>) => {
      assert.notEqual(outcome.kind, 'malformed');
      if (outcome.kind === 'observations') found.push(...outcome.observations);
    };
    for await (const batch of readLines(decompress(createReadStream(join(zones, file))))) {
      for (const line of batch.lines) take(reader.line(line ?? ''));
    }
    for (const outcome of reader.end?.() ?? []) take(outcome);
    assert.equal(found.length, sets);
    assert.ok(found.every((set) => nameText(set.bailiwick) === apex));
    assert.equal(found.filter((set) => set.type === typeOf('SOA')).length, 1);
  });
}
