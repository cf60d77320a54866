/** A case on the wire. */
import { type Static, Type } from 'typebox';
import { recipientKinds } from '../../../model/evidence/pack-limits.ts';
import { letterFor } from '../../../product/evidence/letters.ts';
import { type EvidenceCase, outcomes } from '../../../store/evidence/case-store.ts';

const choice = <Word extends string>(words: readonly Word[], description: string) =>
  Type.Unsafe<Word>({ type: 'string', enum: [...words], description });

export const Recipient = choice(recipientKinds, 'who it is for, which decides the letter');
export const Outcome = choice(outcomes, 'what became of it');
const instant = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

export const EvidenceKey = Type.Object({
  algorithm: Type.String(),
  fingerprint: Type.String({ description: 'SHA-256 of the key in DER' }),
  pem: Type.String(),
});

export const CaseOnWire = Type.Object(
  {
    id: Type.String(),
    created: Type.String(),
    created_by: Type.String(),
    domains: Type.Array(Type.String({ description: 'punycode' })),
    recipient: Recipient,
    recipient_name: Type.String(),
    note: Type.String(),
    sent: instant('when a person sent it; nothing is sent by the server'),
    answered: instant('when the recipient answered'),
    outcome: Outcome,
    pack: Type.Object({
      sha256: Type.String(),
      bytes: Type.Integer(),
      path: Type.String({ description: 'where it is downloaded, below /v1' }),
    }),
    letter: Type.Object(
      { subject: Type.String(), text: Type.String() },
      { description: 'to be copied by a person' },
    ),
  },
  { title: 'EvidenceCase' },
);

export function caseOnWire(made: EvidenceCase, fingerprint: string): Static<typeof CaseOnWire> {
  const { id, createdMs, createdBy, domains, recipient, recipientName, note, sentMs, answeredMs } = made;
  return {
    id,
    created: new Date(createdMs).toISOString(),
    created_by: createdBy,
    domains: [...domains],
    recipient,
    recipient_name: recipientName,
    note,
    sent: instantOf(sentMs),
    answered: instantOf(answeredMs),
    outcome: made.outcome,
    pack: { sha256: made.hash, bytes: made.bytes, path: `/evidence/pack/?id=${id}` },
    letter: letterFor(made, fingerprint),
  };
}

function instantOf(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString();
}
