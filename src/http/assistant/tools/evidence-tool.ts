/** Makes an evidence pack, which a person downloads. */
import { Type } from 'typebox';
import { packDomainsMax, recipientKinds } from '../../../model/evidence/pack-limits.ts';
import { instantOfMs } from '../../../product/assistant/plain-values.ts';
import { letterFor } from '../../../product/evidence/letters.ts';
import { CaseMaker, type CaseMakerNeeds, getPackDomains } from '../../evidence/case-maker.ts';
import { type ChargeCallNeeds, chargeCall } from '../charge-call.ts';
import { defineTool, type Tool } from '../tool.ts';
import { choiceOf, Domain, input } from './inputs.ts';

export interface EvidenceToolNeeds extends CaseMakerNeeds, ChargeCallNeeds {
  readonly settings: CaseMakerNeeds['settings'] & ChargeCallNeeds['settings'];
}

export function evidenceTool(needs: EvidenceToolNeeds): Tool {
  const maker = new CaseMaker(needs);
  return defineTool({
    name: 'evidence_pack',
    title: 'Make an evidence pack',
    description:
      'Makes a signed ZIP file about domains for a registrar, hosting provider, lawyer or takedown service, and a letter to go with it. It is kept on the server for a person to download; nothing is sent to anybody.',
    input: input({
      domains: Type.Array(Domain, { minItems: 1, maxItems: packDomainsMax }),
      recipient: Type.Optional(choiceOf(recipientKinds, 'who it is for')),
      reason: Type.String({
        minLength: 5,
        maxLength: 1000,
        description: 'why; part of the report and of the audit log',
      }),
    }),
    products: ['intel-investigate'],
    permission: 'triage',
    writes: true,
    call: async ({ domains: written, recipient = 'other', reason: note }, context) => {
      const domains = getPackDomains('domains', written);
      await chargeCall(context, { product: 'intel-investigate', permission: 'triage' }, needs);
      const requested = { domains, recipient, recipientName: '', note };
      const made = await maker.make(requested, context.caller, context.nowMs);
      return {
        data: {
          id: made.id,
          created: instantOfMs(made.createdMs),
          domains: [...domains],
          sha256: made.hash,
          bytes: made.bytes,
          download: `${needs.serverUrl()}/v1/evidence/pack/?id=${made.id}`,
          letter: letterFor(made, maker.fingerprint).text,
        },
      };
    },
  });
}
