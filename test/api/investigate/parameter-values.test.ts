/** The values that parameters accept, and how others are refused. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import * as fc from 'fast-check';
import { namedParameters } from '../../../src/product/investigate/search-parameters.ts';
import { anyCharacter } from '../../harness/arbitraries/any-character.ts';
import { investigateFixture } from './investigate-fixture.ts';

const codes = [
  'ad_tracker_code',
  'analytics_cn_code',
  'analytics_code',
  'analytics_v4_code',
  'tag_manager_code',
  'heatmap_code',
  'selfhosted_analytics_code',
  'metrics_ru_code',
  'counter_project_code',
  'counter_security_code',
  'social_code',
];
const long = (length: number) => 'x'.repeat(length);
/** A host name of exactly this length. */
const host = (length: number) =>
  'a.'
    .repeat(Math.ceil(length / 2))
    .slice(0, length)
    .replace(/\.$/, 'a');

const world = await investigateFixture({ after });
const accepts = async (parameter: string, value: string) =>
  assert.deepEqual(await world.names({ [parameter]: value }), [], `${parameter}=${value.slice(0, 60)}`);
const rejects = async (parameter: string, value: string) => {
  const message = await world.errorMessage({ [parameter]: value });
  assert.match(
    message,
    new RegExp(`\\b${parameter}: must`),
    `${parameter}=${value.slice(0, 60)}: ${message}`,
  );
};

test('INV-P51 tracking codes and iana_id accept 1 to 128 characters', async () => {
  for (const parameter of [...codes, 'iana_id']) {
    await accepts(parameter, 'x');
    await accepts(parameter, long(128));
    await rejects(parameter, '');
    await rejects(parameter, ' ');
    await rejects(parameter, long(129));
  }
});

test('INV-P52 e-mail parameters accept an address of up to 254 characters', async () => {
  for (const parameter of ['email', 'email_dns_soa', 'ssl_email', 'historical_email']) {
    await accepts(parameter, 'A.b+c@mail.example');
    await accepts(parameter, `aa@${host(251)}`);
    for (const wrong of [
      '',
      'a',
      '@a.example',
      'a@',
      'a b@mail.example',
      'a@b@c.example',
      `aaa@${host(252)}`,
      'a@b c',
    ])
      await rejects(parameter, wrong);
  }
});

test('INV-P53 host parameters accept a host name of up to 253 characters', async () => {
  for (const parameter of [
    'email_domain',
    'mailserver_domain',
    'nameserver_domain',
    'mailserver_host',
    'nameserver_host',
  ]) {
    await accepts(parameter, 'Example.COM');
    await accepts(parameter, '_dmarc.bücher.example.');
    await accepts(parameter, host(253));
    for (const wrong of [
      '',
      '.',
      'a b',
      'a..b',
      'http://a.example/',
      'a.example:80',
      `${host(253)}a`,
      '*.example',
      '-',
      'a,b',
    ])
      if (wrong !== '-') await rejects(parameter, wrong);
  }
});

test('INV-P54 address parameters accept an IPv4 address', async () => {
  for (const parameter of ['ip', 'mailserver_ip', 'nameserver_ip']) {
    await accepts(parameter, '192.0.2.1');
    for (const wrong of [
      '',
      '192.0.2',
      '192.0.2.256',
      '192.0.2.01',
      '192.0.2.1/24',
      '2001:db8::1',
      '0x7f.1',
      'a',
    ])
      await rejects(parameter, wrong);
  }
});

test('INV-P55 each text parameter has its maximum length', async () => {
  for (const [parameter, length] of [
    ['registrant', 256],
    ['historical_registrant', 256],
    ['registrant_org', 256],
    ['registrar', 256],
    ['ssl_org', 256],
    ['server_type', 255],
    ['website_title', 512],
    ['ssl_subject', 1024],
  ] as const) {
    await accepts(parameter, 'x');
    await accepts(parameter, long(length));
    await accepts(parameter, '💧'.repeat(length));
    await rejects(parameter, '');
    await rejects(parameter, long(length + 1));
  }
});

test('INV-P56 ssl_hash accepts 40 hex digits and ssl_duration a positive integer', async () => {
  await accepts('ssl_hash', 'aA'.repeat(20));
  for (const wrong of ['', 'a'.repeat(39), 'a'.repeat(41), 'g'.repeat(40)]) await rejects('ssl_hash', wrong);
  await accepts('ssl_duration', '90');
  for (const wrong of ['', '0', '-1', '1.5', '1e3', 'ninety', '9'.repeat(16)])
    await rejects('ssl_duration', wrong);
});

test('free text requires at least one word', async () => {
  for (const parameter of ['whois', 'historical_free_text']) {
    await accepts(parameter, 'word');
    await accepts(parameter, '" OR 1=1 -- NEAR(a b) * ^');
    for (const wrong of ['', '"', '*', '-- ??', long(1025)]) await rejects(parameter, wrong);
  }
});

test('ERR-06 every wrong parameter is named with 400, by GET, form and JSON', async () => {
  const query = 'ip=1&ssl_hash=2&registrar=x&rank=0';
  const post = (body: object | string, headers = {}) =>
    world.server.call('POST /v1/intel-investigate/', { key: world.user.key, body, headers });
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  for (const answer of [
    await world.search(query),
    await post(query, form),
    await post({ ip: '1', ssl_hash: '2', registrar: 'x', rank: 0 }),
  ]) {
    assert.equal(answer.status, 400);
    const { message } = answer.json.error;
    for (const name of ['ip', 'ssl_hash', 'rank']) assert.match(message, new RegExp(`\\b${name}: `));
    assert.doesNotMatch(message, /registrar: /);
  }
  for (const body of [
    { registrar: 'x', page_size: 'many' },
    { registrar: 'x', sort_by: 5 },
  ])
    assert.equal((await post(body)).status, 400);
});

test('hostile values of any parameter are answered with 200 or 400', async () => {
  const hostile = [
    "'; drop table domain; --",
    '" OR "1"="1',
    '%00',
    '\0',
    '../../../etc/passwd',
    '{"$gt":""}',
    '<script>alert(1)</script>',
    '*'.repeat(100),
    '(((((((((a+)+)+)+)+)+)+)+)+)$',
    '\ud800',
    '\u202e',
    long(8192),
    '-'.repeat(1000),
    'a.'.repeat(4000),
    ','.repeat(8000),
  ];
  for (const { name } of namedParameters) {
    for (const value of hostile) {
      const { status } = await world.search([
        [name, value],
        ['registrar', 'x'],
      ]);
      assert.ok(status === 200 || status === 400, `${name}=${value.slice(0, 20)}: ${status}`);
    }
  }
});

test('any text for any parameter is answered with 200 or 400', async () => {
  const parameter = fc.constantFrom(...namedParameters.map(({ name }) => name));
  await fc.assert(
    fc.asyncProperty(parameter, fc.string({ unit: anyCharacter }), async (name, value) => {
      const { status } = await world.search([
        [name, value],
        ['server_type', 'x'],
      ]);
      assert.ok(status === 200 || status === 400);
    }),
  );
});

test('JSON values other than strings, numbers and booleans are refused', async () => {
  for (const registrar of [{ a: 1 }, [['x']], [null]]) {
    const body = { registrar };
    const answer = await world.server.call('POST /v1/intel-investigate/', { key: world.user.key, body });
    assert.equal(answer.status, 400);
    assert.match(answer.json.error.message, /registrar: must be text/);
  }
});
