/** Records in the store of a test server, and how Enrich and Investigate show them. */
import assert from 'node:assert/strict';
import { normaliseRecord } from '../../../src/model/record/normalise.ts';
import type { TestServer } from '../../harness/server/test-server.ts';

export async function storeRecords(server: TestServer, records: readonly object[]): Promise<void> {
  const updates = records.map((value) => {
    const outcome = normaliseRecord(value);
    assert.ok('record' in outcome, JSON.stringify(outcome));
    return { record: outcome.record, source: 'test', seenMs: server.clock.now() };
  });
  await server.domains.upsert(updates);
}

type Product = 'intel-enrich' | 'intel-investigate';

export interface RecordRequest {
  readonly product: Product;
  readonly key: string;
  readonly domain: string;
  /** Further parameters: `&screenshots=1`. */
  readonly more?: string;
}

/** The record of a domain in wire format. */
export async function shownBy(server: TestServer, { product, key, domain, more = '' }: RecordRequest) {
  const answer = await server.call(`GET /v1/${product}/?domain=${encodeURIComponent(domain)}${more}`, {
    key,
  });
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.json.response.results_count, 1, answer.text);
  return answer.json.response.results[0];
}

/** Tracking codes that a record has several of. */
export const trackingCodes = {
  analytics_v4_codes: ['g-1', 'g-2'],
  tag_manager_codes: ['gtm-1'],
  social_codes: ['fb-1'],
  heatmap_codes: ['hj-1'],
  analytics_cn_codes: ['bd-1'],
  metrics_ru_codes: ['ya-1'],
  selfhosted_analytics_codes: ['mt-1'],
  counter_project_codes: ['sp-1'],
  counter_security_codes: ['ss-1'],
};

/** A record with every field. */
export const fullRecord = {
  domain: 'Bücher.Example.',
  active: true,
  first_seen: '2026-02-27T23:10:00Z',
  popularity_rank: 4711,
  ad_tracker_code: 'pub-1',
  analytics_code: 'ua-1',
  ...trackingCodes,
  parsed_whois: {
    registrant_contact: {
      name: 'Jane Owner',
      org: 'Owner Ltd',
      street: 'First\nFloor',
      city: 'Reykjavik',
      state: 'RVK',
      postal: '101',
      country: 'IS',
      phone: '+354 555 0123',
      fax: '+354 555 0124',
      email: ['Owner@Mail.Example'],
    },
    admin_contact: { name: 'Admin' },
    billing_contact: { name: 'Billing' },
    technical_contact: { email: ['tech@mail.example'] },
    additional_whois_email: ['abuse@registrar.example'],
    registrar: 'Example Registrar',
    create_date: '2026-02-27',
    expiration_date: '2027-02-27',
    registrant_name: 'Jane Owner',
    registrant_org: 'Owner Ltd',
    registrar_status: ['client Transfer Prohibited'],
    record: 'Registrant: Jane Owner',
    fetched: '2026-02-28T00:00:00Z',
  },
  parsed_domain_rdap: {
    registrar: 'RDAP Registrar',
    registrar_iana_id: '9999',
    email_domain: ['rdap.example'],
    fetched: '2026-02-28T00:00:00Z',
  },
  soa_email: ['hostmaster@dns.example'],
  ip: [{ address: '192.0.2.10', asn: [64500], country_code: 'NL', isp: 'Example Hosting' }],
  mx: [{ host: 'mx.mail.example', ip: ['192.0.2.20'], priority: 10 }],
  name_server: [{ host: 'ns1.dns.example', ip: ['192.0.2.53'] }],
  spf_info: 'v=spf1 -all',
  ssl_info: [
    {
      hash: 'AB'.repeat(20),
      subject: 'CN=bücher.example',
      organization: 'Owner Ltd',
      email: ['ca@mail.example'],
      alt_names: ['xn--bcher-kva.example'],
      sources: { active: 1_772_300_000_000 },
      common_name: 'xn--bcher-kva.example',
      issuer_common_name: 'Example CA',
      not_before: '2026-02-27',
      not_after: '2026-05-28',
    },
  ],
  redirect: 'https://www.target.example/',
  website_response: 200,
  website_title: 'Sign in',
  server_type: 'nginx',
  domain_risk: {
    risk_score: 91,
    components: [
      { name: 'proximity', risk_score: 40 },
      { name: 'threat_profile', risk_score: 91, threats: ['phishing'], evidence: ['domain name'] },
    ],
  },
};
