import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { membersOf } from '../../../../src/model/feed/feed.ts';
import type { DomainRecord } from '../../../../src/model/record/domain-record.ts';
import {
  type AddressDomain,
  addressDomainOf,
  isBadDomain,
} from '../../../../src/model/risk/address/address-domain.ts';
import { addressRiskOf, isHotAddress } from '../../../../src/model/risk/address/address-risk.ts';
import { threats } from '../../../../src/model/risk/threat.ts';
import type { Verdict, VerdictLabel } from '../../../../src/model/risk/verdict.ts';

const nowMs = Date.parse('2026-03-04T10:11:12Z');
const rules = { zerolist: { popularRankMax: 10_000, wellKnown: new Set<string>() }, addressScoreMin: 70 };
const domain = 'a.example';

const says = (label: VerdictLabel, rank?: number): Verdict => ({
  list: `of ${label}`,
  label,
  weight: 1,
  ...(rank === undefined ? {} : { rank }),
});

const scored = (scores: Readonly<Record<string, number>>): DomainRecord => ({
  domain,
  domain_risk: {
    risk_score: Math.max(...Object.values(scores)),
    components: Object.entries(scores).map(([name, risk_score]) => ({ name, risk_score })),
  },
});

const full = (phishing: number, malware: number, spam: number, proximity = 10) =>
  scored({
    proximity,
    threat_profile_malware: malware,
    threat_profile_phishing: phishing,
    threat_profile_spam: spam,
  });

const judge = (record: DomainRecord | undefined, ...verdicts: Verdict[]) =>
  addressDomainOf({ domain, record, verdicts, resolutions: 1 }, rules, nowMs);

const benign = judge(undefined);

test('a listed bad domain is malicious for each threat that the lists name', () => {
  assert.deepEqual(judge(undefined, says('spam'), says('phishing'), says('spam')), {
    resolutions: 1,
    known: ['phishing', 'spam'],
    isCompromised: false,
    predicted: [],
    isZeroListed: false,
  });
});

test('a listed bad domain counts as compromised if it is popular or older than a year', () => {
  const bad = says('malware');
  const created = (create_date: string) => judge({ domain, create_date }, bad).isCompromised;
  assert.deepEqual([created('2025-03-04'), created('2025-03-05'), created('0000')], [true, false, false]);
  const ranked = (popularity_rank: number) => judge({ domain, popularity_rank }, bad).isCompromised;
  assert.deepEqual([ranked(10_000), ranked(10_001)], [true, false]);
  assert.equal(judge(undefined, bad, says('popular', 7)).isCompromised, true);
  assert.equal(judge({ domain, create_date: '2001-01-01' }).isCompromised, false);
});

test('a well-known domain is zero-listed, and counts as compromised if a list names it as bad', () => {
  const known = { ...rules, zerolist: { ...rules.zerolist, wellKnown: new Set([domain]) } };
  const judged = (...verdicts: Verdict[]) =>
    addressDomainOf({ domain, record: full(99, 99, 99), verdicts, resolutions: 1 }, known, nowMs);
  assert.deepEqual([judged().isZeroListed, isBadDomain(judged())], [true, false]);
  const listed = judged(says('malware'));
  assert.deepEqual([listed.isZeroListed, listed.isCompromised, listed.known], [false, true, ['malware']]);
});

test('an unlisted domain is predicted bad for the threats of its full score', () => {
  assert.deepEqual(judge(full(70, 69, 99)).predicted, ['phishing', 'spam']);
  assert.deepEqual(judge(full(99, 99, 99), says('spam')).predicted, []);
});

test('neither a provisional score nor proximity makes a domain count as bad for its address', () => {
  const provisional = scored({ proximity: 99, threat_profile_phishing: 99 });
  assert.equal(isBadDomain(judge(provisional)), false);
  assert.equal(isBadDomain(judge(full(10, 10, 10, 99))), false);
});

test('a domain that is listed as good, or popular and not listed as bad, is zero-listed and never bad', () => {
  const score = full(99, 99, 99);
  const good = [
    judge(score, says('good'), says('phishing')),
    judge(score, says('popular', 10_000)),
    judge(scored({ zerolist: 0 })),
  ];
  assert.deepEqual(
    good.map((one) => [one.isZeroListed, isBadDomain(one)]),
    good.map(() => [true, false]),
  );
  assert.equal(judge(scored({ zerolist: 0 }), says('phishing')).isZeroListed, false);
  assert.equal(judge(undefined, says('popular', 5), says('phishing')).isZeroListed, false);
});

test('the 32 fields of an address summarize its domains', () => {
  const seen = (one: AddressDomain, resolutions: number) => ({ ...one, resolutions });
  const risk = addressRiskOf({
    ip: '192.0.2.7',
    domains: [
      seen(judge(undefined, says('phishing'), says('malware')), 100),
      seen(judge(undefined, says('phishing')), 20),
      seen(judge({ domain, create_date: '2001-01-01' }, says('malware')), 3000),
      seen(judge(full(95, 10, 80)), 4),
      seen(judge(undefined, says('good')), 50_000),
      seen(benign, 600_000),
      seen(benign, 0),
    ],
    location: { asn: 64_500, isp: 'Example Hosting', country: 'nl' },
    isZeroListed: false,
    nowMs,
  });
  assert.deepEqual(risk, {
    timestamp: '2026-03-04T10:11:12Z',
    ip: '192.0.2.7',
    pdns_resolutions: 653_124,
    bad_pdns_resolutions: 3124,
    total_domains: 7,
    third_party_threats: 3,
    all_threats_combined_percent: 58,
    combined_phishing_percent: 43,
    combined_malware_percent: 29,
    combined_spam_percent: 15,
    asn: 64_500,
    organization: 'Example Hosting',
    city: null,
    country: 'NL',
    latitude: null,
    longitude: null,
    all_threats_combined_count: 4,
    malicious_phishing: 2,
    malicious_malware: 1,
    malicious_spam: 0,
    compromised_phishing: 0,
    compromised_malware: 1,
    compromised_spam: 0,
    predicted_phishing: 1,
    predicted_malware: 0,
    predicted_spam: 1,
    all_threats_percent: 43,
    percent_phishing: 29,
    percent_malware: 29,
    percent_spam: 0,
    zerolist_domains: 1,
    zerolist_ip: false,
  });
  assert.deepEqual(Object.keys(risk), membersOf('iprisk'));
  assert.equal(Object.keys(risk).length, 32);
});

const riskOf = (domains: readonly AddressDomain[], isZeroListed = false) =>
  addressRiskOf({ ip: '192.0.2.1', domains, location: {}, isZeroListed, nowMs });

test('an unknown location of an address is null', () => {
  const { asn, organization, country } = riskOf([benign]);
  assert.deepEqual([asn, organization, country], [null, null, null]);
});

const someDomain: fc.Arbitrary<AddressDomain> = fc.oneof(
  fc.record({
    resolutions: fc.nat(1_000_000),
    known: fc.subarray([...threats], { minLength: 1 }),
    isCompromised: fc.boolean(),
    predicted: fc.constant([]),
    isZeroListed: fc.constant(false),
  }),
  fc.record({
    resolutions: fc.nat(1_000_000),
    known: fc.constant([]),
    isCompromised: fc.constant(false),
    predicted: fc.subarray([...threats]),
    isZeroListed: fc.constant(false),
  }),
  fc.record({
    resolutions: fc.nat(1_000_000),
    known: fc.constant([]),
    isCompromised: fc.constant(false),
    predicted: fc.constant([]),
    isZeroListed: fc.boolean(),
  }),
);

test('counts and percentages are consistent for any domains', () => {
  fc.assert(
    fc.property(fc.array(someDomain, { maxLength: 60 }), (domains) => {
      const risk = riskOf(domains);
      const share = (count: number) =>
        risk.total_domains === 0 ? 0 : Math.ceil((100 * count) / risk.total_domains);
      for (const threat of threats) {
        const known = risk[`malicious_${threat}`] + risk[`compromised_${threat}`];
        assert.equal(risk[`percent_${threat}`], share(known));
        assert.equal(risk[`combined_${threat}_percent`], share(known + risk[`predicted_${threat}`]));
        assert.ok(known <= risk.third_party_threats);
        assert.ok(known + risk[`predicted_${threat}`] <= risk.all_threats_combined_count);
      }
      assert.equal(risk.all_threats_percent, share(risk.third_party_threats));
      assert.equal(risk.all_threats_combined_percent, share(risk.all_threats_combined_count));
      assert.ok(risk.third_party_threats <= risk.all_threats_combined_count);
      assert.ok(risk.all_threats_combined_count + risk.zerolist_domains <= risk.total_domains);
      assert.ok(risk.bad_pdns_resolutions <= risk.pdns_resolutions);
    }),
  );
});

test('FEED-42 an address is hot exactly if its percentage of bad domains exceeds the setting; exactly half does not', () => {
  const bad = judge(undefined, says('phishing'));
  const withBad = (count: number, total: number) =>
    riskOf([...Array<AddressDomain>(count).fill(bad), ...Array<AddressDomain>(total - count).fill(benign)]);
  assert.deepEqual(
    [withBad(1, 2), withBad(2, 3), withBad(100, 200), withBad(101, 200)].map((risk) => [
      isHotAddress(risk, 50),
      risk.all_threats_combined_percent,
    ]),
    [
      [false, 50],
      [true, 67],
      [false, 50],
      [true, 51],
    ],
  );
  fc.assert(
    fc.property(fc.nat(300), fc.nat(300), fc.nat(99), (one, other, over) => {
      const risk = withBad(Math.min(one, other), Math.max(one, other));
      assert.equal(isHotAddress(risk, over), risk.all_threats_combined_percent > over);
    }),
  );
});

test('FEED-42 a zero-listed address is never hot', () => {
  const bad = judge(undefined, says('phishing'));
  const risk = riskOf([bad, bad], true);
  assert.deepEqual([risk.zerolist_ip, isHotAddress(risk, 50)], [true, false]);
});
