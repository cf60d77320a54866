/** The record of an IP address in the two IP feeds, in wire order. */
import { Type } from 'typebox';
import { timestamp } from './domain-records.ts';

const count = Type.Integer({ minimum: 0 });
const percent = Type.Integer({ minimum: 0, maximum: 100 });
const textOrNull = Type.Unsafe<string | null>({ type: ['string', 'null'] });
const numberOrNull = Type.Unsafe<number | null>({ type: ['number', 'null'] });

/** Unknown geolocation and routing data is null. */
export const IpRecord = Type.Object({
  timestamp,
  ip: Type.String(),
  pdns_resolutions: count,
  bad_pdns_resolutions: count,
  total_domains: count,
  third_party_threats: count,
  all_threats_combined_percent: percent,
  combined_phishing_percent: percent,
  combined_malware_percent: percent,
  combined_spam_percent: percent,
  asn: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
  organization: textOrNull,
  city: textOrNull,
  country: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'two letters' }),
  latitude: numberOrNull,
  longitude: numberOrNull,
  all_threats_combined_count: count,
  malicious_phishing: count,
  malicious_malware: count,
  malicious_spam: count,
  compromised_phishing: count,
  compromised_malware: count,
  compromised_spam: count,
  predicted_phishing: count,
  predicted_malware: count,
  predicted_spam: count,
  all_threats_percent: percent,
  percent_phishing: percent,
  percent_malware: percent,
  percent_spam: percent,
  zerolist_domains: count,
  zerolist_ip: Type.Boolean(),
});
