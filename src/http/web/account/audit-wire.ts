/** The audit log on the wire. */
import { type Static, Type } from 'typebox';
import { NullableInteger, NullableText } from '../wire-values.ts';

export const AuditAnswer = Type.Object({
  entries: Type.Array(
    Type.Object({
      number: Type.Integer(),
      at: Type.String(),
      actor: Type.String({ description: 'operator: the command line' }),
      action: Type.String(),
      username: { ...NullableText, description: 'of whom' },
      detail: Type.String({ description: 'what changed, as JSON' }),
    }),
  ),
  before: { ...NullableInteger, description: 'for the next page; null at the end' },
});
export type AuditAnswer = Static<typeof AuditAnswer>;

export const ChainAnswer = Type.Object({
  checked: Type.Integer({ description: 'entries of the account whose hashes are right' }),
  broken_at: { ...NullableInteger, description: 'the first entry that is missing or was changed' },
  at: Type.String({ description: 'when it was checked' }),
});
export type ChainAnswer = Static<typeof ChainAnswer>;
