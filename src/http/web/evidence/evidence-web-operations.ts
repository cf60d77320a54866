/** Evidence packs, made on the page of a domain. */
import { CaseMaker, type CaseMakerNeeds, getPackDomains } from '../../evidence/case-maker.ts';
import { type SendPackNeeds, sendPack } from '../../evidence/send-pack.ts';
import { type ChargeProductNeeds, chargeProduct } from '../charge-product.ts';
import { defineWebOperation, type WebOperation } from '../web-operation.ts';
import { MadePack, NewPack, PackParams } from './evidence-wire.ts';

export interface EvidenceWebNeeds extends CaseMakerNeeds, SendPackNeeds, ChargeProductNeeds {
  readonly cases: CaseMakerNeeds['cases'] & SendPackNeeds['cases'];
  readonly settings: CaseMakerNeeds['settings'] & ChargeProductNeeds['settings'];
}

const product = 'intel-investigate';

export function evidenceWebOperations(needs: EvidenceWebNeeds): readonly WebOperation[] {
  const maker = new CaseMaker(needs);
  return [
    defineWebOperation({
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
        const { id, hash, bytes } = await maker.make(
          { domains, recipient, recipientName, note },
          caller,
          nowMs,
        );
        return { id, sha256: hash, bytes };
      },
    }),
    defineWebOperation({
      method: 'GET',
      path: '/evidence/:id/pack',
      access: 'read',
      product,
      charge: 'page',
      summary: 'Downloads an evidence pack',
      params: PackParams,
      respond: ({ caller, params: { id }, request, reply }) =>
        sendPack({ accountId: caller.account.id, id }, needs, request, reply),
    }),
  ];
}
