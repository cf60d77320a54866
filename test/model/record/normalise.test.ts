import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { DomainRecord } from '../../../src/model/record/domain-record.ts';
import { joinNormalised, normaliseRecord, recordBytesMax } from '../../../src/model/record/normalise.ts';
import { anyRecord } from './any-record.ts';

function recordOf(value: unknown): DomainRecord {
  const outcome = normaliseRecord(value);
  assert.ok('record' in outcome, JSON.stringify(outcome));
  return outcome.record;
}

function faultsOf(value: unknown): readonly string[] {
  const outcome = normaliseRecord(value);
  return 'faults' in outcome ? outcome.faults : [];
}

test('normalisation is idempotent to the byte', () => {
  fc.assert(
    fc.property(anyRecord, (value) => {
      const once = recordOf(value);
      assert.equal(JSON.stringify(recordOf(JSON.parse(JSON.stringify(once)))), JSON.stringify(once));
    }),
    { numRuns: 300 },
  );
});

test('records whose members are normalised are joined as if all had been normalised together', () => {
  const parted = fc.tuple(anyRecord, fc.array(fc.nat(3), { minLength: 60, maxLength: 60 }));
  fc.assert(
    fc.property(parted, ([value, places]) => {
      const { domain, active: _active, ...members } = recordOf(value);
      const names = Object.keys(members) as (keyof typeof members)[];
      const source = { collector: 'web', at: '2026-03-04T10:11:12.000Z' };
      const partOf = (place: number) => {
        const own = names.filter((_, index) => places[index] === place);
        return recordOf({
          domain,
          ...Object.fromEntries(own.map((name) => [name, members[name]])),
          sources: Object.fromEntries(own.map((name) => [name, source])),
        });
      };
      const parts = [3, 1, 0, 2].map(partOf);
      const joined = joinNormalised(parts);
      const sources = Object.assign({}, ...parts.map((part) => part.sources)) as object;
      const whole = recordOf({ ...Object.assign({}, ...parts), active: undefined, sources });
      assert.ok('record' in joined);
      assert.equal(JSON.stringify(joined.record), JSON.stringify(whole));
    }),
    { numRuns: 300 },
  );
});

test('records that are too large together are not joined', () => {
  const text = 'x'.repeat(recordBytesMax / 2 - 200);
  const parts = ['parsed_whois', 'parsed_domain_rdap'].map((member) => ({
    domain: 'a.example',
    [member]: { record: text },
  }));
  assert.deepEqual(joinNormalised(parts.slice(0, 1) as DomainRecord[]), {
    record: { domain: 'a.example', active: true, parsed_whois: { record: text } },
  });
  const both = joinNormalised([
    ...parts,
    { domain: 'a.example', website_title: 'x'.repeat(500) },
  ] as DomainRecord[]);
  assert.deepEqual(both, { faults: [`the record is larger than ${recordBytesMax} bytes`] });
});

test('members are in schema order, whatever their order in the input', () => {
  fc.assert(
    fc.property(anyRecord, (value) => {
      const names = Object.keys(DomainRecord.properties);
      const found = Object.keys(recordOf(value));
      assert.deepEqual(
        found,
        names.filter((name) => found.includes(name)),
      );
    }),
  );
});

test('no JSON value makes it throw', () => {
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fc.dictionary(fc.string(), fc.jsonValue())), (value) => {
      const outcome = normaliseRecord(value);
      assert.ok('record' in outcome || outcome.faults.length > 0);
    }),
  );
});

test('any value of a known member is accepted or named in a fault', () => {
  const names = Object.keys(DomainRecord.properties).filter((name) => name !== 'domain');
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.jsonValue(), (name, value) => {
      const faults = faultsOf({ domain: 'a.example', [name]: value });
      assert.ok(faults.every((fault) => fault.startsWith(name)));
    }),
    { numRuns: 500 },
  );
});

const names: readonly (readonly [given: string, stored: string])[] = [
  ['Example.COM', 'example.com'],
  ['example.com.', 'example.com'],
  [' bücher.example ', 'xn--bcher-kva.example'],
  ['BÜCHER.example', 'xn--bcher-kva.example'],
  ['xn--BCHER-kva.example', 'xn--bcher-kva.example'],
  ['例え。テスト', 'xn--r8jz45g.xn--zckzah'],
  ['_dmarc.example.com', '_dmarc.example.com'],
];
for (const [given, stored] of names) {
  test(`the name ${given} is ${stored}`, () => assert.equal(recordOf({ domain: given }).domain, stored));
}

for (const name of [
  '',
  '.',
  'a..b',
  'a b.example',
  '192.0.2.1',
  'a/b',
  `${'a'.repeat(64)}.example`,
  '*.example',
  7,
]) {
  test(`${JSON.stringify(name)} is not a valid domain`, () => {
    const [fault, ...others] = faultsOf({ domain: name });
    assert.deepEqual([fault?.startsWith('domain: '), others], [true, []]);
  });
}

test('REC-31 addresses, countries and hosts are lower case, hosts have no final dot, telephone numbers only digits', () => {
  const record = recordOf({
    domain: 'a.example',
    registrant_contact: {
      email: ['Owner@Mail.Example'],
      country: 'IS',
      phone: '+354 (55) 5-01.23',
      fax: 'none',
    },
    ip: [{ address: '192.0.2.10', country_code: 'NL' }],
    mx: [{ host: 'MX1.Mail.Example.' }],
    name_server: [{ host: 'NS1.Dns.Example.' }],
    soa_email: ['Hostmaster@Dns.Example'],
  });
  assert.deepEqual(record.registrant_contact, {
    country: 'is',
    phone: '3545550123',
    email: ['owner@mail.example'],
  });
  assert.equal(record.ip?.[0]?.country_code, 'nl');
  assert.deepEqual(record.mx, [{ host: 'mx1.mail.example', domain: 'mail.example' }]);
  assert.deepEqual(record.name_server, [{ host: 'ns1.dns.example', domain: 'dns.example' }]);
  assert.deepEqual(record.soa_email, ['hostmaster@dns.example']);
});

test('a status is lower case without spaces and without the URL of its explanation', () => {
  const registrar_status = [
    'client transfer prohibited',
    'clientTransferProhibited https://icann.org/epp#clientTransferProhibited',
    'ok (https://icann.org/epp#ok)',
  ];
  const record = recordOf({ domain: 'a.example', registrar_status });
  assert.deepEqual(record.registrar_status, ['clienttransferprohibited', 'ok']);
});

const days: readonly (readonly [given: string, stored: string | undefined])[] = [
  ['2026-02-27', '2026-02-27'],
  ['2026-02-27T23:10:00Z', '2026-02-27'],
  ['2026-02-27 23:10:00', '2026-02-27'],
  ['2026-02-27T23:10:00-02:00', '2026-02-28'],
  ['2026-02-27T00:10:00.123456+0200', '2026-02-26'],
  ['2024-02-29', '2024-02-29'],
  ['2026-02-29', undefined],
  ['2026-13-01', undefined],
  ['0000-01-01T00:00:00+01:00', undefined],
  ['27.02.2026', undefined],
  ['yesterday', undefined],
];
for (const [given, stored] of days) {
  test(`the day ${given} is ${stored ?? 'refused'}`, () => {
    const outcome = normaliseRecord({ domain: 'a.example', create_date: given });
    if (stored === undefined)
      assert.deepEqual(outcome, { faults: ['create_date: must be a day, YYYY-MM-DD'] });
    else assert.equal('record' in outcome && outcome.record.create_date, stored);
  });
}

test('the duration of a certificate is derived from its days, unless given', () => {
  const hash = 'AA:'.repeat(19) + 'AA';
  const [first, second] =
    recordOf({
      domain: 'a.example',
      ssl_info: [
        { hash, not_before: '2026-02-27', not_after: '2026-05-28T12:00:00Z' },
        { hash: 'b'.repeat(40), not_before: '2026-02-27', not_after: '2026-05-28', duration: 89 },
      ],
    }).ssl_info ?? [];
  assert.deepEqual([first?.hash, first?.duration, second?.duration], ['aa'.repeat(20), 90, 89]);
});

test('the domain of a redirect is derived from it, unless given', () => {
  const domainOf = (members: object) => recordOf({ domain: 'a.example', ...members }).redirect_domain;
  assert.equal(domainOf({ redirect: 'https://Shop.Other.co.uk/path' }), 'other.co.uk');
  assert.equal(domainOf({ redirect: 'https://192.0.2.1/' }), undefined);
  assert.equal(
    domainOf({ redirect: 'https://shop.other.co.uk', redirect_domain: 'said.example' }),
    'said.example',
  );
});

test('a domain is active when it has DNS or a registration, unless given', () => {
  const active = (members: object) => recordOf({ domain: 'a.example', ...members }).active;
  assert.equal(active({}), false);
  assert.equal(active({ website_title: 'x' }), false);
  assert.equal(active({ name_server: [{ host: 'ns.example' }] }), true);
  assert.equal(active({ registrar: 'A registrar' }), true);
  assert.equal(active({ active: false, registrar: 'A registrar' }), false);
});

test('empty, null and duplicate values are removed', () => {
  assert.deepEqual(
    recordOf({
      domain: 'a.example',
      registrar: '  ',
      website_title: null,
      ip: [],
      soa_email: ['a@b.example', 'A@B.example', ''],
      registrant_contact: { name: '', email: [] },
      domain_risk: { risk_score: 0 },
    }),
    {
      domain: 'a.example',
      active: false,
      soa_email: ['a@b.example'],
      domain_risk: { risk_score: 0, components: [] },
    },
  );
});

test('IP addresses are in their shortest form, and other texts are refused', () => {
  const [first] = recordOf({ domain: 'a.example', ip: [{ address: '2001:0DB8:0:0::1' }] }).ip ?? [];
  assert.equal(first?.address, '2001:db8::1');
  assert.deepEqual(faultsOf({ domain: 'a.example', ip: [{ address: '192.0.2.256' }] }), [
    'ip[0].address: must be an IP address',
  ]);
});

test('an unknown member is refused with its name, at every depth', () => {
  const value =
    '{"domain":"a.example","Registrar":"x","__proto__":{"active":true},"ip":[{"address":"192.0.2.1","port":1}]}';
  assert.deepEqual(faultsOf(JSON.parse(value)), [
    'Registrar: is not a member of a record',
    '__proto__: is not a member of a record',
    'ip[0].port: is not a member of a record',
  ]);
});

test('no key of the input becomes a key of the record, and no prototype changes', () => {
  for (const name of ['__proto__', 'constructor', 'toString']) {
    const value = JSON.parse(
      `{"domain":"a.example","sources":{"${name}":{"collector":"c","at":"2026-01-01"}}}`,
    );
    assert.deepEqual(faultsOf(value), [`sources.${name}: is not a member of a record`]);
  }
  assert.equal(({} as { collector?: string }).collector, undefined);
  const inherited = Object.create({ domain: 'a.example' }) as object;
  assert.deepEqual(faultsOf(inherited), ['domain: is missing']);
});

test('lists of more than 1000 items and records of more than 256 kB are refused', () => {
  const items = (count: number) => Array.from({ length: count }, (_, index) => `user${index}@mail.example`);
  assert.equal(faultsOf({ domain: 'a.example', soa_email: items(1000) }).length, 0);
  assert.deepEqual(faultsOf({ domain: 'a.example', soa_email: items(1001) }), [
    'soa_email: must have at most 1000 items',
  ]);
  const codes = Array.from({ length: 40 }, (_, index) => `${index}`.padEnd(8000, 'x'));
  assert.deepEqual(faultsOf({ domain: 'a.example', social_codes: codes }), [
    `the record is larger than ${recordBytesMax} bytes`,
  ]);
  assert.match(
    faultsOf({ domain: 'a.example', registrar: 'x'.repeat(8193) })[0] ?? '',
    /^registrar: must be a text of at most/,
  );
});

test('the number of faults is limited, and names in them are truncated', () => {
  const value = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`x${index}`, 1]));
  assert.equal(faultsOf({ domain: 'a.example', ...value }).length, 10);
  assert.ok((faultsOf({ domain: 'a.example', ['y'.repeat(5000)]: 1 })[0] ?? '').length < 120);
});
