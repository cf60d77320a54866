/** Evidence packs and their cases in the web UI. */
import { type Static, Type } from 'typebox';
import {
  noteLengthMax,
  packDomainsMax,
  recipientNameLengthMax,
} from '../../../model/evidence/pack-limits.ts';
import { caseChangeMembers } from '../../evidence/read-case-change.ts';
import { CaseOnWire, EvidenceKey, Recipient } from '../../platform/evidence/case-wire.ts';

export const NewPack = Type.Object({
  domains: Type.Array(Type.String({ maxLength: 2048 }), { maxItems: packDomainsMax }),
  recipient: Type.Optional(Recipient),
  recipient_name: Type.Optional(Type.String({ maxLength: recipientNameLengthMax })),
  note: Type.Optional(Type.String({ maxLength: noteLengthMax })),
});
export type NewPack = Static<typeof NewPack>;

export const MadePack = Type.Object({
  id: Type.String(),
  sha256: Type.String(),
  bytes: Type.Integer(),
});
export type MadePack = Static<typeof MadePack>;

/** GET /ui/api/evidence */
export const CaseList = Type.Object({
  key: EvidenceKey,
  cases: Type.Array(Type.Omit(CaseOnWire, ['letter']), { description: 'newest first' }),
});
export type CaseList = Static<typeof CaseList>;

/** GET /ui/api/evidence/:id */
export const CaseView = Type.Object({ key: EvidenceKey, case: CaseOnWire });
export type CaseView = Static<typeof CaseView>;

/** PATCH /ui/api/evidence/:id */
export const ChangeCaseBody = Type.Object(caseChangeMembers);
export type ChangeCaseBody = Static<typeof ChangeCaseBody>;

export const CaseParams = Type.Object({ id: Type.String({ pattern: '^[0-9a-f-]{36}$' }) });
