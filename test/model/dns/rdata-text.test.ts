import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { parseName } from '../../../src/model/dns/name.ts';
import { layoutsByType } from '../../../src/model/dns/rdata-layout.ts';
import { parseRdata, rdataText } from '../../../src/model/dns/rdata-text.ts';
import { canonicalRdata } from '../../../src/model/dns/rdata-wire.ts';
import { type Mnemonic, typeOf, typeText } from '../../../src/model/dns/rr-type.ts';
import { rdataBytesMax } from '../../../src/model/dns/rrset.ts';
import { anyCharacter } from '../../harness/arbitraries/any-character.ts';
import { anyRdata, anyTypedRdata } from './any-rdata.ts';

const parse = (type: Mnemonic, text: string, origin?: string) =>
  parseRdata(typeOf(type), text, origin === undefined ? undefined : parseName(origin));

const hexOf = (type: Mnemonic, text: string, origin?: string) => {
  const rdata = parse(type, text, origin);
  return rdata && Buffer.from(rdata).toString('hex');
};

/** A text after parsing and formatting. */
const again = (type: Mnemonic, text: string) => {
  const rdata = parse(type, text);
  return rdata && rdataText(typeOf(type), rdata);
};

const written = (type: Mnemonic, hex: string) => rdataText(typeOf(type), Buffer.from(hex, 'hex'));

/** The canonical presentation of each, compared with the output of BIND 9.18. */
const unchanged: readonly (readonly [Mnemonic, string])[] = [
  ['A', '192.0.2.1'],
  ['AAAA', '2001:db8::1:0:0:1'],
  ['NS', 'a\\.b\\$\\@\\(\\)\\;\\"\\\\\\000\\255.example.com.'],
  ['MX', '10 mail.example.com.'],
  ['MX', '0 .'],
  ['MINFO', 'a.example. b.example.'],
  ['TXT', '"a b" "c" "d;e" "" "q\\"u\\\\o\\009\\200te"'],
  ['HINFO', '"Intel x" "Linux"'],
  ['HIP', '2 200100107B1A74DF365639CC39F1D578 AwEAAbdxyhNuSutc5EMzxTs9LBPCIkOFH8cIvM4p'],
  ['HIP', '2 200100107B1A74DF365639CC39F1D578 AwEAAbdxyhNuSutc rvs1.example.com. rvs2.example.com.'],
  ['RP', 'a.example. b.example.'],
  ['SOA', 'ns.example. host\\.master.example. 2024010101 7200 3600 1209600 300'],
  ['SRV', '0 5 5060 sip.example.com.'],
  ['NAPTR', '100 10 "" "" "/urn:cid:.+@([^\\\\.]+\\\\.)(.*)$/\\\\2/i" .'],
  ['PX', '50 a.example. b.example.'],
  ['X25', '"311061700956"'],
  ['ISDN', '"150862028003217" "004"'],
  ['ISDN', '"150862028003217"'],
  ['LOC', '42 21 54.000 N 71 6 18.000 W -24.00m 30m 10000m 10m'],
  ['LOC', '32 7 19.000 S 116 2 25.123 E 0.10m 0.01m 0.10m 90000000m'],
  ['DS', '20326 8 2 E06D44B80B8F1D39A95C0B0D7C65D08458E880409BBC683457104237C7F8EC8D'],
  ['CDS', '0 0 0 00'],
  ['SSHFP', '2 1 123456789ABCDEF67890123456789ABCDEF67890'],
  ['RRSIG', 'SOA 8 0 86400 20260903210000 20260821200000 57780 . SsE+TuEvDaAzNWaz80o+IuaMwlvWfkxe'],
  ['NSEC', 'a.example. A MX RRSIG NSEC TYPE1234'],
  ['NXT', 'a.example. A MX SIG NXT'],
  ['DNSKEY', '257 3 8 AwEAAaz/tAm8yTn4Mfeh5eyI96WSVexTBAvkMgJzkKTOiW1vkIbzxeF3'],
  ['CDNSKEY', '0 3 0 AA=='],
  ['KEY', '49152 3 0'],
  ['DHCID', 'AAIBY2/AuCccgoJbsaxcQc9TUapptP69lOjxfNuVAA2kjEA='],
  ['NSEC3', '1 1 12 AABBCCDD 2T7B4G4VSA5SMI47K61MV5BV1A22BOJR NS SOA MX RRSIG DNSKEY NSEC3PARAM'],
  ['NSEC3', '1 0 0 - 2T7B4G4VSA5SMI47K61MV5BV1A22BOJR'],
  ['NSEC3PARAM', '1 0 12 AABBCCDD'],
  ['TLSA', '3 1 1 92003BA34942DC74152E2F2C408D29ECA5A520E7F2E06BB944F4DCA346BAF63C'],
  ['CERT', '65534 65535 254 KR1L0GbocaIOOim1+qdHtOSrDcOsGiI2NCcxuX2/Tqc='],
  ['OPENPGPKEY', 'AQMFD5raDCSn'],
  ['CSYNC', '66 3 A NS AAAA'],
  ['ZONEMD', '2018031900 1 1 62E6CF51B02E54B9B5F967D547CE4313'],
  ['SVCB', '0 foo.example.com.'],
  ['SVCB', '1 foo.example.com. key667="hello\\210qoo"'],
  ['SVCB', '16 foo.example.org. mandatory=alpn,ipv4hint alpn="h2,h3-19" ipv4hint=192.0.2.1'],
  ['SVCB', '16 foo.example.org. alpn="f\\\\\\\\oo\\\\,bar,h2"'],
  ['HTTPS', '1 . alpn="h2,h3" no-default-alpn port=8443 ipv4hint=192.0.2.1,192.0.2.2 ech=AEn+DQ=='],
  ['HTTPS', '1 . ipv6hint=2001:db8::1,2001:db8::53:1 dohpath="/dns-query{?dns}" ohttp key65333'],
  ['URI', '10 1 "ftp://ftp1.example.com/public"'],
  ['CAA', '0 issue "ca.example.net; policy=ev"'],
  ['EUI48', '00-00-5e-00-53-2a'],
  ['EUI64', '00-00-5e-ef-10-00-00-2a'],
  ['NID', '10 0014:4fff:ff20:ee64'],
  ['L32', '10 10.1.2.0'],
  ['L64', '10 2001:0db8:1140:1000'],
  ['LP', '10 l64-subnet1.example.com.'],
  ['APL', '1:192.168.32.0/21 !1:192.168.38.0/28 2:ff00::/8'],
  ['IPSECKEY', '10 0 2 . AQNRU3mG7TVTO2Bk'],
  ['IPSECKEY', '10 1 2 192.0.2.38 AQNRU3mG7TVTO2Bk'],
  ['IPSECKEY', '10 2 2 2001:db8:0:8002::2000:1 AQNRU3mG7TVTO2Bk'],
  ['IPSECKEY', '10 3 2 mygateway.example.com. AQNRU3mG7TVTO2Bk'],
];

test('each type is parsed and formatted in the standard presentation', () => {
  for (const [type, text] of unchanged) assert.equal(again(type, text), text, type);
});

test('the wire form is that of the examples in the RFCs', () => {
  assert.equal(hexOf('A', '192.0.2.1'), 'c0000201');
  assert.equal(hexOf('MX', '10 a.b'), '000a0161016200');
  assert.equal(hexOf('TXT', '"ab" c'), '0261620163');
  assert.equal(
    hexOf('SVCB', '16 foo.example.org. alpn=h2,h3-19 mandatory=ipv4hint,alpn ipv4hint=192.0.2.1'),
    '001003666f6f076578616d706c65036f726700' +
      '0000000400010004' +
      '00010009026832' +
      '0568332d3139' +
      '00040004c0000201',
  );
  assert.equal(
    hexOf('NSEC', 'a. A MX RRSIG NSEC TYPE1234'),
    `0161000006400100000003041b${'00'.repeat(26)}20`,
  );
  assert.equal(hexOf('HIP', '2 2001 AwEA rvs.Example.'), '02020003200103010003727673076578616d706c6500');
  assert.equal(hexOf('LOC', '42 21 54 N 71 06 18 W -24m 30m'), '0033161389172dd070be15f000988d20');
  assert.equal(hexOf('APL', '!1:192.168.38.0/28'), '00011c83c0a826');
});

test('AAAA is formatted according to RFC 5952', () => {
  for (const [given, expected] of [
    ['2001:DB8:0:0:0:0:2:1', '2001:db8::2:1'],
    ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['2001:0:0:1:0:0:0:1', '2001:0:0:1::1'],
    ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['0:0:0:0:0:0:0:0', '::'],
    ['0::1', '::1'],
    ['1:0:0:0:0:0:0:0', '1::'],
    ['1:2:3:4:5:6:7::', '1:2:3:4:5:6:7:0'],
    ['::2:3:4:5:6:7:8', '0:2:3:4:5:6:7:8'],
    ['::FFFF:c000:0221', '::ffff:192.0.2.33'],
    ['::ffff:192.0.2.33', '::ffff:192.0.2.33'],
    ['64:ff9b::192.0.2.33', '64:ff9b::c000:221'],
    ['1:2:3:4:5:6:192.0.2.33', '1:2:3:4:5:6:c000:221'],
  ] as const) {
    assert.equal(again('AAAA', given), expected, given);
  }
});

test('AAAA is formatted as by the URL standard, except for IPv4-mapped addresses', () => {
  const groups = fc.array(fc.oneof(fc.constant(0), fc.nat(65_535)), { minLength: 8, maxLength: 8 });
  fc.assert(
    fc.property(groups, (values) => {
      const text = values.map((value) => value.toString(16).padStart(4, '0')).join(':');
      fc.pre(!text.startsWith('0000:0000:0000:0000:0000:ffff:'));
      assert.equal(again('AAAA', text), new URL(`http://[${text}]`).hostname.slice(1, -1));
    }),
  );
});

test('invalid addresses are rejected', () => {
  for (const text of [
    '192.0.2',
    '192.0.2.1.1',
    '192.0.2.256',
    '192.0.02.1',
    '192.0.2.',
    '.192.0.2',
    '192..0.2',
    '1.2.3.4 5',
    '0x1.2.3.4',
    '1',
    '',
  ]) {
    assert.equal(parse('A', text), undefined, text);
  }
  for (const text of [
    ':',
    ':::',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7::8',
    '12345::',
    '1::2::3',
    '::1%eth0',
    '1:',
    ':1',
    '1:2:3:4:5:6:7:1.2.3.4',
    '::1.2.3',
    '::1.2.3.4:5',
    '::g',
    '1.2.3.4',
  ]) {
    assert.equal(parse('AAAA', text), undefined, text);
  }
});

test('PDNS-39: TXT is formatted as quoted strings, an empty one as two quotes', () => {
  assert.equal(written('TXT', ''), '""');
  assert.equal(written('TXT', '00'), '""');
  assert.equal(written('TXT', '0000'), '"" ""');
  assert.equal(written('TXT', '046122625c'), '"a\\"b\\\\"');
  assert.equal(written('TXT', '05610020c3bc'), '"a\\000 \\195\\188"');
  assert.equal(written('SPF', '0161'), '"a"');
});

test('TXT is parsed from one or more words, with or without quotes, with escapes', () => {
  assert.equal(again('TXT', 'v=spf1 -all'), '"v=spf1" "-all"');
  assert.equal(again('TXT', '  "a"\t"b""c"\n'), '"a" "b" "c"');
  assert.equal(again('TXT', 'a\\ b \\"c a\\;b;c'), '"a b" "\\"c" "a;b;c"');
  assert.equal(again('TXT', '\\#x'), '"#x"');
  assert.equal(again('TXT', '"\\#" 1 00'), '"#" "1" "00"');
  assert.equal(again('TXT', '""'), '""');
  assert.equal(again('TXT', 'ü'), '"\\195\\188"');
  for (const text of ['', ' ', '"a', '"a\\"', 'a\\', '"\\256"', '"\\25"', 'a'.repeat(256)]) {
    assert.equal(parse('TXT', text), undefined, text);
  }
  assert.equal(parse('TXT', 'a'.repeat(255))?.length, 256);
});

test('PDNS-39: an unknown type is formatted in the generic form, and so is rdata that is invalid for its type', () => {
  assert.equal(rdataText(65_280, Uint8Array.of(10, 0, 0, 1)), '\\# 4 0A000001');
  assert.equal(rdataText(65_280, new Uint8Array(0)), '\\# 0');
  assert.equal(written('A', 'c00002'), '\\# 3 C00002');
  assert.equal(written('A', ''), '\\# 0');
  assert.equal(written('MX', '000ac00c'), '\\# 4 000AC00C');
  assert.equal(written('TXT', '0261'), '\\# 2 0261');
  assert.equal(written('NS', '0000'), '\\# 2 0000');
  assert.equal(written('NSEC', '0161000001'), '\\# 5 0161000001');
  assert.equal(written('OPENPGPKEY', ''), '\\# 0');
});

test('the generic form is parsed for every type, and must be valid for a known one', () => {
  assert.equal(Buffer.from(parseRdata(65_280, '\\# 4 0a00 0001') ?? []).toString('hex'), '0a000001');
  assert.deepEqual(parseRdata(65_280, '\\# 0'), new Uint8Array(0));
  assert.equal(again('A', '\\# 4 0a000001'), '10.0.0.1');
  assert.equal(again('NS', '\\# 3 014100'), 'a.');
  assert.equal(again('TXT', '\\# 0'), '""');
  for (const text of [
    '\\# 3 0a0000',
    '\\# 4 0a0000',
    '\\# 4',
    '\\#',
    '\\# x',
    '\\# 4 0a00000g',
    '\\# 4 0a00000',
    '\\#4 0a000001',
    '"\\#" 4 0a000001',
  ]) {
    assert.equal(parse('A', text), undefined, text);
  }
  assert.equal(parseRdata(65_280, '0a000001'), undefined);
});

test('names without a final dot are absolute without an origin and relative to it with one', () => {
  assert.equal(again('NS', 'ns1.Example.com'), 'ns1.example.com.');
  assert.equal(hexOf('NS', 'ns1', 'example.'), hexOf('NS', 'ns1.example.'));
  assert.equal(hexOf('NS', 'ns1.example.', 'test.'), hexOf('NS', 'ns1.example.'));
  assert.equal(hexOf('NS', '@', 'example.'), hexOf('NS', 'example.'));
  assert.equal(hexOf('NS', '@'), hexOf('NS', '\\@.'));
  assert.equal(hexOf('NS', 'a', '.'), hexOf('NS', 'a.'));
  assert.equal(hexOf('MX', '10 mail', 'example.'), hexOf('MX', '10 mail.example.'));
  assert.equal(hexOf('SOA', 'ns @ 1 2 3 4 5', 'example.'), hexOf('SOA', 'ns.example. example. 1 2 3 4 5'));
  assert.equal(parse('NS', 'a'.repeat(62), `${'b'.repeat(63)}.`.repeat(3)), undefined);
});

test('extra white space around words does not matter', () => {
  for (const [type, text] of [
    ['A', '192.0.2.1'],
    ['AAAA', '2001:db8::1'],
    ['NS', 'ns.example.'],
    ['MX', '10 a\\.b.example.'],
    ['MX', '10 mail.example.'],
  ] as const) {
    assert.equal(hexOf(type, ` ${text.replace(' ', ' \t ')}\n`), hexOf(type, text));
  }
  for (const text of ['10', '10 ', ' mail.example.', '65536 a.', '10 a. b.', 'x a.']) {
    assert.equal(parse('MX', text), undefined, text);
  }
  assert.equal(parse('NS', 'a. b.'), undefined);
});

test('all alternative notations of numbers are parsed', () => {
  assert.equal(again('SOA', 'a. b. 1 2h 30m 1w2d 1H30M5s'), 'a. b. 1 7200 1800 777600 5405');
  assert.equal(again('CERT', 'PKIX 1 rsasha256 AA=='), '1 1 8 AA==');
  assert.equal(again('DSYNC', 'CDS NOTIFY 5359 a.'), 'CDS 1 5359 a.');
  assert.equal(
    again('RRSIG', 'A 8 0 1 1704067200 0 1 . AA=='),
    'A 8 0 1 20240101000000 19700101000000 1 . AA==',
  );
  for (const text of [
    '20240231000000',
    '20241301000000',
    '19691231235959',
    '21060207062816',
    '2024',
    '99999999999',
  ]) {
    const expected = text === '2024' ? 'string' : 'undefined';
    assert.equal(typeof again('RRSIG', `A 8 0 1 ${text} 0 1 . AA==`), expected, text);
  }
});

test('base64 and hexadecimal may span several words, and must be whole bytes', () => {
  assert.equal(again('DS', '1 8 2 ab cd EF'), '1 8 2 ABCDEF');
  assert.equal(again('DNSKEY', '257 3 8 AwEA Aaz/'), '257 3 8 AwEAAaz/');
  for (const text of ['1 8 2 abc', '1 8 2 0x', '1 8 2 zz']) assert.equal(parse('DS', text), undefined, text);
  for (const text of ['A', 'AA', 'AAA', 'A===', '====', 'AA=A', 'A-A_', 'AA==AA==']) {
    assert.equal(parse('OPENPGPKEY', text), undefined, text);
  }
});

test('malformed service parameters are rejected, or formatted by number', () => {
  for (const text of [
    '1',
    '1 . alpn',
    '1 . alpn=',
    '1 . alpn=h2,',
    '1 . port=65536',
    '1 . port',
    '1 . port=1 port=2',
    '1 . no-default-alpn=x',
    '1 . ipv4hint=1.2.3',
    '1 . unknown=1',
    '1 . key65536',
    '1 . alpn="h2',
    '1 . alpn="h2"x',
    '1 . mandatory=alpn,alpn',
    '1 . =x',
    '1 . port=1 ""',
  ]) {
    assert.equal(parse('SVCB', text), undefined, text);
  }
  // A port of one byte; keys out of order.
  assert.equal(written('SVCB', '0001000003000150'), '1 . key3="P"');
  assert.equal(
    written('SVCB', '00010000030002005000010003026832'),
    '\\# 16 00010000030002005000010003026832',
  );
});

test('rdata above the size limit is rejected', () => {
  const word = `${'a'.repeat(255)} `;
  const full = Math.floor(rdataBytesMax / 256);
  assert.equal(parse('TXT', word.repeat(full))?.length, full * 256);
  assert.equal(parse('TXT', word.repeat(full + 1)), undefined);
  assert.equal(parse('TXT', word.repeat(10 * full)), undefined);
  assert.equal(parseRdata(65_280, `\\# 65001 ${'00'.repeat(65_001)}`), undefined);
  assert.equal(parseRdata(65_280, `\\# 65000 ${'00'.repeat(65_000)}`)?.length, 65_000);
  assert.equal(parse('APL', '1:192.0.2.1/32 '.repeat(20_000)), undefined);
  assert.equal(parse('HTTPS', `1 . ipv6hint=${'::1,'.repeat(20_000)}::1`), undefined);
});

for (const type of layoutsByType.keys()) {
  test(`${typeText(type)} round-trips through its presentation form`, () => {
    fc.assert(
      fc.property(anyRdata(type), (rdata) => {
        const canonical = canonicalRdata(type, rdata);
        assert.ok(canonical, 'what was made by the layout fits it');
        const text = rdataText(type, rdata);
        assert.notEqual(text, '');
        if (rdata.length > 0) assert.ok(!text.startsWith('\\#'), text);
        assert.deepEqual(parseRdata(type, text), canonical);
        assert.deepEqual(
          parseRdata(type, `\\# ${rdata.length} ${Buffer.from(rdata).toString('hex')}`),
          canonical,
        );
        assert.equal(rdataText(type, canonical).toLowerCase(), text.toLowerCase());
      }),
      { numRuns: 60 },
    );
  });
}

const anyType = fc.oneof(fc.constantFrom(...layoutsByType.keys()), fc.nat(65_535));

test('any bytes format to printable ASCII that is not empty', () => {
  fc.assert(
    fc.property(anyType, fc.uint8Array({ maxLength: 80 }), (type, rdata) => {
      assert.match(rdataText(type, rdata), /^[\x20-\x7e]+$/);
    }),
    { numRuns: 2000 },
  );
});

test('any text parses to canonical rdata or not at all', () => {
  const anyText = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc
      .array(
        fc.constantFrom('\\# ', '"', '\\', '1', ' ', 'a.', '=', 'key1', ':', '/', '-', '192.0.2.1', 'N', ','),
      )
      .map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(anyType, anyText, (type, text) => {
      const rdata = parseRdata(type, text);
      if (rdata) assert.deepEqual(canonicalRdata(type, rdata), rdata);
    }),
    { numRuns: 2000 },
  );
});

test('a text with one part changed parses to canonical rdata or not at all', () => {
  fc.assert(
    fc.property(
      anyTypedRdata,
      fc.nat(),
      fc.nat(3),
      fc.string({ maxLength: 3 }),
      ([type, rdata], where, cut, put) => {
        const text = rdataText(type, rdata);
        const at = where % text.length;
        const found = parseRdata(type, text.slice(0, at) + put + text.slice(at + cut));
        if (found) assert.deepEqual(canonicalRdata(type, found), found);
      },
    ),
    { numRuns: 2000 },
  );
});

test('a result does not change when the next one is computed', () => {
  fc.assert(
    fc.property(anyTypedRdata, anyTypedRdata, ([type, rdata], [otherType, other]) => {
      const found = parseRdata(type, rdataText(type, rdata));
      assert.ok(found);
      const copy = found.slice();
      parseRdata(otherType, rdataText(otherType, other));
      assert.deepEqual(found, copy);
    }),
  );
});
