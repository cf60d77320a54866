/** Evidence packs in the web UI. */
import { type Static, Type } from 'typebox';
import {
  noteLengthMax,
  packDomainsMax,
  type RecipientKind,
  recipientKinds,
  recipientNameLengthMax,
} from '../../../model/evidence/pack-limits.ts';

export const NewPack = Type.Object({
  domains: Type.Array(Type.String({ maxLength: 2048 }), { maxItems: packDomainsMax }),
  recipient: Type.Optional(Type.Unsafe<RecipientKind>({ type: 'string', enum: [...recipientKinds] })),
  recipient_name: Type.Optional(Type.String({ maxLength: recipientNameLengthMax })),
  note: Type.Optional(Type.String({ maxLength: noteLengthMax })),
});

export const MadePack = Type.Object({
  id: Type.String(),
  sha256: Type.String(),
  bytes: Type.Integer(),
});

export type MadePack = Static<typeof MadePack>;

export const PackParams = Type.Object({ id: Type.String({ pattern: '^[0-9a-f-]{36}$' }) });
