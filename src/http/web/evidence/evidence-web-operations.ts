/** Evidence packs, made in Triage and on the page of a domain, and what became of them. */
import { Type } from 'typebox';
import type { CaseStore } from '../../../store/evidence/case-store.ts';
import { CaseMaker, type CaseMakerNeeds, casesMax, getPackDomains } from '../../evidence/case-maker.ts';
import { readCaseChange } from '../../evidence/read-case-change.ts';
import { missingCase, type SendPackNeeds, sendPack } from '../../evidence/send-pack.ts';
import { caseOnWire } from '../../platform/evidence/case-wire.ts';
import { type ChargeProductNeeds, chargeProduct } from '../charge-product.ts';
import { defineWebOperation, type WebOperation } from '../web-operation.ts';
import { CaseList, CaseParams, CaseView, ChangeCaseBody, MadePack, NewPack } from './evidence-wire.ts';

export interface EvidenceWebNeeds extends CaseMakerNeeds, SendPackNeeds, ChargeProductNeeds {
  readonly cases: CaseStore;
  readonly settings: CaseMakerNeeds['settings'] & ChargeProductNeeds['settings'];
}

const product = 'intel-investigate';

export function evidenceWebOperations(needs: EvidenceWebNeeds): readonly WebOperation[] {
  const maker = new CaseMaker(needs);
  return [
    makeOperation(needs, maker),
    ...readOperations(needs, maker),
    changeOperation(needs, maker),
    deleteOperation(needs),
  ];
}

const keyOf = ({ fingerprint, pem }: CaseMaker) => ({ algorithm: 'Ed25519', fingerprint, pem });

function makeOperation(needs: EvidenceWebNeeds, maker: CaseMaker): WebOperation {
  return defineWebOperation({
    method: 'POST',
    path: '/evidence',
    access: 'triage',
    product,
    summary: 'Makes an evidence pack of domains',
    body: NewPack,
    answer: MadePack,
    onClose: () => void maker.close(),
    handle: async ({ caller, body, nowMs }) => {
      const domains = getPackDomains('domains', body.domains);
      const { recipient = 'other', recipient_name: recipientName = '', note = '' } = body;
      await chargeProduct(caller, product, needs, nowMs);
      const requested = { domains, recipient, recipientName, note };
      const { id, hash, bytes } = await maker.make(requested, caller, nowMs);
      return { id, sha256: hash, bytes };
    },
  });
}

function readOperations(needs: EvidenceWebNeeds, maker: CaseMaker): readonly WebOperation[] {
  const { cases } = needs;
  return [
    defineWebOperation({
      method: 'GET',
      path: '/evidence',
      access: 'read',
      product,
      charge: 'page',
      summary: 'Lists evidence packs and what became of them, with the key that signs them',
      answer: CaseList,
      handle: async ({ caller }) => {
        const listed = await cases.listCases(caller.account.id, casesMax);
        const lines = listed.map((made) => {
          const { letter: _letter, ...line } = caseOnWire(made, maker.fingerprint);
          return line;
        });
        return { key: keyOf(maker), cases: lines };
      },
    }),
    defineWebOperation({
      method: 'GET',
      path: '/evidence/:id',
      access: 'read',
      product,
      charge: 'page',
      summary: 'A case with the letter to its recipient',
      params: CaseParams,
      answer: CaseView,
      handle: async ({ caller, params: { id } }) => {
        const made = (await cases.findCase({ accountId: caller.account.id, id })) ?? missingCase(id);
        return { key: keyOf(maker), case: caseOnWire(made, maker.fingerprint) };
      },
    }),
    defineWebOperation({
      method: 'GET',
      path: '/evidence/:id/pack',
      access: 'read',
      product,
      charge: 'page',
      summary: 'Downloads an evidence pack',
      params: CaseParams,
      respond: ({ caller, params: { id }, request, reply }) =>
        sendPack({ accountId: caller.account.id, id }, needs, request, reply),
    }),
  ];
}

function changeOperation({ cases }: EvidenceWebNeeds, maker: CaseMaker): WebOperation {
  return defineWebOperation({
    method: 'PATCH',
    path: '/evidence/:id',
    access: 'triage',
    product,
    charge: 'page',
    summary: 'Notes what became of an evidence pack',
    params: CaseParams,
    body: ChangeCaseBody,
    answer: CaseView,
    handle: async ({ caller, params: { id }, body }) => {
      const change = readCaseChange(body);
      const changed =
        (await cases.changeCase({ accountId: caller.account.id, id }, change)) ?? missingCase(id);
      return { key: keyOf(maker), case: caseOnWire(changed, maker.fingerprint) };
    },
  });
}

function deleteOperation({ cases }: EvidenceWebNeeds): WebOperation {
  return defineWebOperation({
    method: 'DELETE',
    path: '/evidence/:id',
    access: 'triage',
    product,
    charge: 'page',
    summary: 'Deletes an evidence pack and its case',
    params: CaseParams,
    answer: Type.Void(),
    handle: async ({ caller, params: { id } }) => {
      if (!(await cases.deleteCase({ accountId: caller.account.id, id }))) missingCase(id);
    },
  });
}
