/** The links of a record, and the proximity to known bad domains that they give. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { DomainRecord } from '../../../../src/model/record/domain-record.ts';
import { type LinkKind, linkKinds, type SharedLink } from '../../../../src/model/risk/proximity/link.ts';
import { linksOf } from '../../../../src/model/risk/proximity/links-of.ts';
import { proximityOf } from '../../../../src/model/risk/proximity/proximity.ts';
import { fullRecord } from '../../../api/enrich/stored-records.ts';
import { hostileRecord } from '../hostile-record.ts';

function valuesOf(record: Partial<DomainRecord>, kind: LinkKind): readonly string[] {
  return linksOf({ domain: 'a.example', ...record }, 'a.example')
    .filter((link) => link.kind === kind)
    .map(({ attribute, value }) => `${attribute} ${value}`);
}

function shared(kind: LinkKind, domains: number | undefined, bad = 1, weight = 1): SharedLink {
  return { kind, attribute: kind, value: 'value', domains, bad, weight };
}

const scoreOf = (...links: readonly SharedLink[]) => proximityOf(links).score;

test('a record has links of every kind, named by the attributes that the store counts', () => {
  const domain = 'xn--bcher-kva.example';
  const record = { ...fullRecord, domain, parsed_domain_rdap: undefined } as unknown as DomainRecord;
  assert.deepEqual(
    new Set(linksOf(record, 'book-keeper-17.example').map(({ kind }) => kind)),
    new Set(linkKinds),
  );
  assert.deepEqual(valuesOf(record, 'registrant'), [
    'registrant_name jane owner',
    'registrant_org owner ltd',
  ]);
  assert.deepEqual(valuesOf(record, 'e-mail'), [
    'registrant_contact.email owner@mail.example',
    'technical_contact.email tech@mail.example',
    'soa_email hostmaster@dns.example',
  ]);
  assert.deepEqual(valuesOf(record, 'name-server'), [
    'name_server.host ns1.dns.example',
    'name_server.domain dns.example',
  ]);
  assert.deepEqual(valuesOf(record, 'address'), ['ip.address 192.0.2.10']);
  assert.deepEqual(valuesOf(record, 'network'), ['ip.asn 64500']);
  assert.equal(valuesOf(record, 'tracker').length, 11);
});

test('a certificate is a link only for the domains that it names, not the issuer’s certificate', () => {
  const ssl_info = [
    { hash: 'of-issuer', common_name: 'Example CA' },
    { hash: 'of-site', alt_names: ['www.a.example'] },
  ];
  assert.deepEqual(valuesOf({ ssl_info }, 'certificate'), ['ssl_info.hash of-site']);
});

test('placeholders for a registrant, and addresses of third parties, are not links', () => {
  for (const name of [
    'REDACTED FOR PRIVACY',
    'Domains By Proxy, LLC',
    'Whoisguard Protected',
    'Domain Administrator',
    'Domain Admin',
    'Hostmaster',
    'n/a',
    'Data Protected',
  ])
    assert.deepEqual(valuesOf({ registrant_name: name, registrant_org: name }, 'registrant'), [], name);
  for (const email of [
    'abuse@registrar.example',
    'help@keyhaven.example',
    'a1b2@privacyprotect.example',
    'contact@whoisguard.example',
    'no address',
  ]) {
    const record = { registrar: 'Keyhaven Domains, Inc.', registrant_contact: { email: [email] } };
    assert.deepEqual(valuesOf(record, 'e-mail'), [], email);
  }
});

test('names of a series have one pattern, short or plain names have none', () => {
  const patternOf = (domain: string) => linksOf(undefined, domain).map(({ value }) => value);
  assert.deepEqual(patternOf('login-acme-17.top'), ['login-acme-0']);
  assert.deepEqual(patternOf('login-acme-204.xyz'), ['login-acme-0']);
  assert.deepEqual(patternOf('harborlightbank.net'), ['harborlightbank']);
  for (const domain of ['acme.com', 'shop24.de', 'a-b.com', 'garden.net', '163.com', 'com', '..'])
    assert.deepEqual(patternOf(domain), [], domain);
});

test('the number and length of links is bounded for any record', () => {
  fc.assert(
    fc.property(hostileRecord, fc.string(), (record, domain) => {
      const links = linksOf(record, domain);
      assert.ok(links.length <= 40);
      for (const { value } of links) assert.ok(value !== '' && value.length <= 300);
    }),
  );
});

/** The links of a crew: a persona, two name servers, some addresses, a tracker; and links shared with unrelated domains. */
function crewOf(domains: number, bad = 1): readonly SharedLink[] {
  return [
    shared('registrant', domains, bad),
    shared('e-mail', domains, bad),
    shared('name-server', domains, bad),
    shared('name-server', domains, bad),
    shared('tracker', domains, bad),
    shared('address', Math.ceil(domains / 2), bad),
    shared('registrar', 4000, bad),
    shared('network', 900, bad),
  ];
}

test('one known bad domain raises a cluster of up to a hundred domains to 70 or more', () => {
  for (const domains of [2, 5, 12, 30, 60, 100])
    assert.ok(scoreOf(...crewOf(domains)) >= 70, String(domains));
  const undisclosed = crewOf(40).slice(2);
  assert.ok(scoreOf(...undisclosed) >= 70);
});

test('links between unrelated domains stay well below 40 after one bad domain', () => {
  for (const links of [
    [shared('registrar', 2)],
    [shared('registrar', 100_000)],
    [shared('network', 2)],
    [shared('network', 50_000)],
    [shared('address', 20)],
    [shared('name-server', 60)],
    [shared('registrant', 150)],
    [shared('address', 20), shared('network', 25), shared('registrar', 30)],
    [shared('e-mail', 5000), shared('name-server', 5000), shared('tracker', 5000)],
  ])
    assert.ok(scoreOf(...links) < 30, JSON.stringify(links));
});

test('a link of very many domains has no effect, unless a large share of them is bad', () => {
  assert.ok(scoreOf(shared('address', 200, 150)) >= 70);
  assert.ok(scoreOf(shared('address', 200, 4)) < 30);
  assert.ok(scoreOf(shared('name-server', 5_000_000, 50_000)) < 10);
  assert.ok(scoreOf(shared('registrar', 5000, 4000)) < 40);
});

test('links of one group count once, independent groups add up', () => {
  const [server, tracker] = [shared('name-server', 30), shared('tracker', 30)];
  assert.equal(scoreOf(server, server, server), scoreOf(server));
  assert.equal(scoreOf(shared('address', 3), shared('network', 3)), scoreOf(shared('address', 3)));
  assert.ok(scoreOf(server, tracker) > Math.max(scoreOf(server), scoreOf(tracker)));
});

test('a domain without bad neighbours scores 1, because 0 means zero-listed', () => {
  const none = { score: 1, parts: [{ code: 'base', reason: 'any domain', evidence: undefined, points: 1 }] };
  assert.deepEqual(proximityOf([]), none);
  assert.deepEqual(proximityOf([shared('e-mail', 2, 0)]), none);
});

test('more bad domains, higher weights and rarer links never lower the proximity', () => {
  const link = fc
    .record({
      kind: fc.constantFrom(...linkKinds),
      attribute: fc.constantFrom('soa_email', 'other'),
      value: fc.string({ maxLength: 5 }),
      others: fc.option(fc.nat(3000), { nil: undefined }),
      bad: fc.nat(200),
      weight: fc.double({ min: 0.01, max: 1, noNaN: true }),
    })
    .map(
      ({ others, ...one }): SharedLink => ({
        ...one,
        domains: others === undefined ? undefined : others + one.bad + 1,
      }),
    );
  fc.assert(
    fc.property(link, fc.array(link, { maxLength: 12 }), fc.nat(50), (one, others, more) => {
      const of = (changed: SharedLink) => scoreOf(changed, ...others);
      const score = of(one);
      assert.ok(Number.isInteger(score) && score >= 1 && score <= 99);
      assert.ok(of({ ...one, weight: 1 }) >= score);
      if (one.domains !== undefined) {
        assert.ok(of({ ...one, domains: one.domains + more }) <= score);
        assert.ok(of({ ...one, bad: Math.min(one.bad + more, one.domains - 1) }) >= score);
      } else assert.ok(of({ ...one, bad: one.bad + more }) >= score);
      const { parts } = proximityOf([one, ...others]);
      assert.equal(
        parts.reduce((sum, { points }) => sum + points, 0),
        score,
      );
    }),
  );
});
