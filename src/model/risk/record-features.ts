/**
 * What a record says besides its name, as short facts that a model can weigh: how young the registration is, who keeps it, where it is
 * hosted, whether there is mail, what the certificate and the web site are like. What nobody has looked at makes no fact, so that a
 * record of which little is known is judged by little. How much is looked at does not depend on how much there is.
 */
import type { DomainRecord } from '../record/domain-record.ts';
import type { RecordFact } from './record-fact.ts';
import { hostingFacts, mailFacts } from './record-hosting-facts.ts';
import { registrationFacts } from './record-registration-facts.ts';
import { certificateFacts, webFacts } from './record-web-facts.ts';

export type { Evidence, RecordFact } from './record-fact.ts';

export function recordFacts(record: DomainRecord, nowMs: number): readonly RecordFact[] {
  return registrationFacts(record, nowMs).concat(
    hostingFacts(record),
    mailFacts(record),
    certificateFacts(record, nowMs),
    webFacts(record),
  );
}
