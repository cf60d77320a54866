/**
 * The facts of a record, besides its name: registration age, registrar, hosting, mail, certificate and web site. What was not
 * collected yields no fact, so that a sparse record is scored by what is known. The number of facts is bounded.
 */
import type { DomainRecord } from '../../record/domain-record.ts';
import { hostingFacts, mailFacts } from './hosting-facts.ts';
import type { RecordFact } from './record-fact.ts';
import { registrationFacts } from './registration-facts.ts';
import { certificateFacts, webFacts } from './web-facts.ts';

export type { Evidence, RecordFact } from './record-fact.ts';

export function recordFacts(record: DomainRecord, nowMs: number): readonly RecordFact[] {
  return registrationFacts(record, nowMs).concat(
    hostingFacts(record),
    mailFacts(record),
    certificateFacts(record, nowMs),
    webFacts(record),
  );
}
