/** Evidence packs and their cases, beyond the contract. */
import { Type } from 'typebox';
import {
  noteLengthMax,
  packDomainsMax,
  recipientNameLengthMax,
} from '../../../model/evidence/pack-limits.ts';
import type { CaseKey, CaseStore } from '../../../store/evidence/case-store.ts';
import { CaseMaker, type CaseMakerNeeds, casesMax, getPackDomains } from '../../evidence/case-maker.ts';
import { caseChangeMembers, readCaseChange } from '../../evidence/read-case-change.ts';
import { missingCase, type SendPackNeeds, sendPack } from '../../evidence/send-pack.ts';
import { families } from '../families.ts';
import { defineOperation, type Operation } from '../operation/define-operation.ts';
import { DomainList } from '../records/domain-list.ts';
import { CaseOnWire, caseOnWire, EvidenceKey, Recipient } from './case-wire.ts';

export interface EvidenceNeeds extends CaseMakerNeeds, SendPackNeeds {
  readonly cases: CaseStore;
}

const listDefault = 100;

const caseIdPattern = '^[0-9a-f-]{36}$';
const CaseId = Type.String({ pattern: caseIdPattern, description: 'of the case' });
const Line = (description: string) => Type.String({ maxLength: recipientNameLengthMax, description });
const Note = (description: string) => Type.String({ maxLength: noteLengthMax, description });
const CaseResponse = Type.Object({ response: CaseOnWire });

const shared = { family: families.evidence, product: 'intel-investigate' } as const;

export function evidenceOperations(needs: EvidenceNeeds): readonly Operation[] {
  const maker = new CaseMaker(needs);
  return [
    listOperation(needs, maker),
    createOperation(maker),
    changeOperation(needs, maker),
    deleteOperation(needs),
    packOperation(needs),
  ];
}

function listOperation({ cases }: EvidenceNeeds, { pem, fingerprint }: CaseMaker): Operation {
  return defineOperation({
    ...shared,
    id: 'getEvidence',
    route: 'GET /evidence/',
    permission: 'read',
    summary: 'Lists evidence packs and what became of them',
    description: 'Newest first, with the public key that packs of this server are signed with.',
    parameters: Type.Object({
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: casesMax,
          default: listDefault,
          description: 'cases per response',
        }),
      ),
      id: Type.Optional(Type.String({ pattern: caseIdPattern, description: 'of a case, to read it alone' })),
    }),
    response: Type.Object({
      response: Type.Object({
        key: EvidenceKey,
        cases: Type.Array(CaseOnWire),
      }),
    }),
    charge: 'free',
    handle: async ({ caller, parameters: { limit = listDefault, id } }) => {
      const accountId = caller.account.id;
      const listed =
        id === undefined
          ? await cases.listCases(accountId, limit)
          : [(await cases.findCase({ accountId, id })) ?? missingCase(id)];
      const wire = listed.map((made) => caseOnWire(made, fingerprint));
      return { response: { key: { algorithm: 'Ed25519', fingerprint, pem }, cases: wire } };
    },
  });
}

function createOperation(maker: CaseMaker): Operation {
  return defineOperation({
    ...shared,
    id: 'postEvidence',
    route: 'POST /evidence/',
    permission: 'triage',
    summary: 'Makes an evidence pack of domains',
    description: `At most ${packDomainsMax} domains. The pack is kept with its case; nothing is sent to anybody.`,
    parameters: Type.Object({
      domain: DomainList,
      recipient: Type.Optional(Recipient),
      recipient_name: Type.Optional(Line('how the recipient is addressed')),
      note: Type.Optional(Note('part of the report')),
    }),
    response: CaseResponse,
    parse: ({ parameters: { domain } }) => getPackDomains('domain', domain),
    onClose: () => void maker.close(),
    handle: async ({ caller, parameters, nowMs }, domains) => {
      const { recipient = 'other', recipient_name: recipientName = '', note = '' } = parameters;
      const made = await maker.make({ domains, recipient, recipientName, note }, caller, nowMs);
      return { response: caseOnWire(made, maker.fingerprint) };
    },
  });
}

function changeOperation({ cases }: EvidenceNeeds, { fingerprint }: CaseMaker): Operation {
  return defineOperation({
    ...shared,
    id: 'patchEvidence',
    route: 'PATCH /evidence/',
    permission: 'triage',
    summary: 'Notes what became of an evidence pack',
    parameters: Type.Object({ id: CaseId, ...caseChangeMembers }),
    response: CaseResponse,
    charge: 'free',
    parse: ({ parameters: { id: _id, ...change } }) => readCaseChange(change),
    handle: async ({ caller, parameters: { id } }, change) => {
      const changed = await cases.changeCase({ accountId: caller.account.id, id }, change);
      return { response: caseOnWire(changed ?? missingCase(id), fingerprint) };
    },
  });
}

function deleteOperation({ cases }: EvidenceNeeds): Operation {
  return defineOperation({
    ...shared,
    id: 'deleteEvidence',
    route: 'DELETE /evidence/',
    permission: 'triage',
    summary: 'Deletes an evidence pack and its case',
    parameters: Type.Object({ id: CaseId }),
    response: Type.Object({ response: Type.Object({ status: Type.String() }) }),
    charge: 'free',
    handle: async ({ caller, parameters: { id } }) => {
      if (!(await cases.deleteCase({ accountId: caller.account.id, id }))) missingCase(id);
      return { response: { status: 'deleted' } };
    },
  });
}

function packOperation(needs: EvidenceNeeds): Operation {
  return defineOperation({
    ...shared,
    id: 'getEvidencePack',
    route: 'GET /evidence/pack/',
    permission: 'read',
    summary: 'Downloads an evidence pack',
    parameters: Type.Object({ id: CaseId }),
    responses: {
      200: {
        description: 'A ZIP archive; VERIFY.txt in it says how to check it',
        content: { 'application/zip': { schema: Type.String({ format: 'binary' }) } },
      },
    },
    charge: 'free',
    parse: ({ caller, parameters: { id } }): CaseKey => ({ accountId: caller.account.id, id }),
    respond: (key, request, reply) => sendPack(key, needs, request, reply),
  });
}
