/** What a person enters about a case, as all APIs receive it. */
import { type Static, Type } from 'typebox';
import { noteLengthMax, recipientNameLengthMax } from '../../model/evidence/pack-limits.ts';
import { fieldProblem } from '../../model/problem.ts';
import type { CaseChange } from '../../store/evidence/case-store.ts';
import { Outcome, Recipient } from '../platform/evidence/case-wire.ts';
import { storedText } from './case-maker.ts';

const Instant = (description: string) =>
  Type.String({ maxLength: 40, description: `${description}: ISO 8601; empty removes it` });

export const caseChangeMembers = {
  recipient: Type.Optional(Recipient),
  recipient_name: Type.Optional(
    Type.String({ maxLength: recipientNameLengthMax, description: 'how the recipient is addressed' }),
  ),
  note: Type.Optional(
    Type.String({ maxLength: noteLengthMax, description: 'of the case; the report keeps its own' }),
  ),
  sent: Type.Optional(Instant('when it was sent')),
  answered: Type.Optional(Instant('when it was answered')),
  outcome: Type.Optional(Outcome),
};

const ReceivedChange = Type.Object(caseChangeMembers);

export function readCaseChange(given: Static<typeof ReceivedChange>): CaseChange {
  const { recipient, recipient_name: name, note, sent, answered, outcome } = given;
  return {
    ...(recipient === undefined ? {} : { recipient }),
    ...(name === undefined ? {} : { recipientName: storedText(name) }),
    ...(note === undefined ? {} : { note: storedText(note) }),
    ...(sent === undefined ? {} : { sentMs: readInstant('sent', sent) }),
    ...(answered === undefined ? {} : { answeredMs: readInstant('answered', answered) }),
    ...(outcome === undefined ? {} : { outcome }),
  };
}

function readInstant(field: string, text: string): number | undefined {
  if (text === '') return undefined;
  const isWritten = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d))?$/.test(text);
  const ms = isWritten ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms))
    throw fieldProblem('invalid-parameters', field, 'must be a day or an instant of ISO 8601, or empty');
  return ms;
}
