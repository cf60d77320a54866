/** What the facts of a record may do to the score of an unremarkable name, by the model of the package. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DomainRecord } from '../../../src/model/record/domain-record.ts';
import { recordFacts } from '../../../src/model/risk/record/record-facts.ts';
import type { RecordModel } from '../../../src/model/risk/record/record-model.ts';
import { RecordScorer } from '../../../src/model/risk/record/record-scorer.ts';
import { byThreat } from '../../../src/model/risk/threat.ts';
import { readModel } from '../../../src/product/risk/read-model.ts';

const scorer = new RecordScorer(readModel().records as RecordModel);
const nowMs = Date.parse('2026-03-10T12:00:00Z');
const domain = 'oakfield-tools.com';
const unremarkable = 20;

function fullScore(record: DomainRecord, byName = unremarkable): number {
  const names = byThreat(() => byName / 100 + 1e-6);
  return Math.max(...Object.values(scorer.scoresOf(names, recordFacts(record, nowMs))));
}

const certificate = { hash: '0'.repeat(40), not_before: '2026-03-09', issuer_common_name: 'R11' };
const young = { domain, create_date: '2026-03-09', expiration_date: '2027-03-09' };

/** Every combination of what ordinary new domains have. */
function* ordinaryRecords(): Generator<DomainRecord> {
  const registrars = [
    'GoDaddy.com, LLC',
    'NameCheap, Inc.',
    'IONOS SE',
    'OVH sas',
    'Hostinger Operations, UAB',
    'Tucows Domains Inc.',
    'Cloudflare, Inc.',
    'PDR Ltd. d/b/a PublicDomainRegistry.com',
  ];
  const operators = [
    'cloudflare.com',
    'domaincontrol.com',
    'registrar-servers.com',
    'dns-parking.com',
    'ovh.net',
  ];
  const mails = [
    {},
    { mx: [{ host: 'aspmx.l.google.com' }], spf_info: 'v=spf1 include:_spf.google.com ~all' },
  ];
  const sites = [
    {},
    { website_response: 404 },
    { website_response: 200, website_title: 'Welcome' },
    { website_response: 200, website_title: 'Coming soon' },
    { website_response: 200, website_title: 'Oakfield Tools: hand planes and chisels', server_type: 'nginx' },
  ];
  const panelHosts = ['mail', 'webmail', 'cpanel', 'webdisk', 'autodiscover'];
  const certificates = [
    {},
    { ssl_info: [{ ...certificate, alt_names: [domain, `www.${domain}`] }] },
    { ssl_info: [{ ...certificate, alt_names: [domain, ...panelHosts.map((host) => `${host}.${domain}`)] }] },
  ];
  for (const registrar of registrars)
    for (const operator of operators)
      for (const mail of mails)
        for (const site of sites)
          for (const tls of certificates)
            yield {
              ...young,
              registrar,
              registrar_status: ['clienttransferprohibited'],
              name_server: [{ host: `ns1.${operator}` }, { host: `ns2.${operator}` }],
              ip: [{ address: '192.0.2.7', asn: [13_335], country_code: 'us' }],
              soa_email: [`hostmaster@${operator}`],
              ...mail,
              ...site,
              ...tls,
            };
}

test('an ordinary young domain on an ordinary host stays under 40', () => {
  const scores = Array.from(ordinaryRecords(), (record) => ({ score: fullScore(record), record }));
  const highest = scores.reduce((most, one) => (one.score > most.score ? one : most));
  assert.ok(highest.score < 40, `${highest.score}: ${JSON.stringify(highest.record)}`);
});

test('youth alone counts against no domain: the score is that of the name', () => {
  for (const byName of [1, 20, 40, 69, 90]) {
    assert.ok(fullScore(young, byName) <= byName);
    assert.ok(fullScore({ ...young, ssl_info: [certificate] }, byName) <= byName);
  }
});

test('an old registration lowers the score, by a bounded amount', () => {
  const old = fullScore({ ...young, create_date: '2009-01-01' }, 80);
  assert.ok(old < 80 && old >= 50, String(old));
});

test('a suspended registration, or a page that asks to log in under another name, raises it to 40 or more', () => {
  assert.ok(fullScore({ ...young, registrar_status: ['clienthold'] }) >= 40);
  const lure = {
    ...young,
    website_response: 200,
    website_title: 'Acme Bank: sign in to your account',
    ssl_info: [{ ...certificate, alt_names: [domain, `login.${domain}`] }],
  };
  assert.ok(fullScore(lure) >= 40, String(fullScore(lure)));
  assert.ok(fullScore(lure, 50) >= 70, String(fullScore(lure, 50)));
});
