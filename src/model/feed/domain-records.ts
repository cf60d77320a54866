/** Feed records about domains. The order of members is the order on the wire and in CSV. */
import { Type } from 'typebox';

export const timestamp = Type.String({
  description: 'when the record was added to the feed, YYYY-MM-DDThh:mm:ssZ',
});
const score = Type.Integer({ minimum: 0, maximum: 100 });
const scoreOrNull = Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 0, maximum: 100 });

export const DomainRecord = Type.Object({ timestamp, domain: Type.String() });

/** The first three scores are all null where only proximity is known yet. */
export const DomainRiskRecord = Type.Object({
  timestamp,
  domain: Type.String(),
  phishing_risk: scoreOrNull,
  malware_risk: scoreOrNull,
  spam_risk: scoreOrNull,
  proximity_risk: score,
  overall_risk: score,
});

export const DomainHotlistRecord = Type.Object({ ...DomainRiskRecord.properties, expires: Type.String() });
