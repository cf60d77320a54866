/** A dossier of one domain, beyond the contract: what all products know about it, in one answer of bounded size. */
import { Type } from 'typebox';
import { Dossier, dossierSections } from '../../../product/assistant/dossier/dossier.ts';
import { makeDossier } from '../../../product/assistant/dossier/make-dossier.ts';
import { type DossierNeeds, gatherDossier, getDossierDomain } from '../../assistant/gather-dossier.ts';
import { families } from '../families.ts';
import { defineOperation, type Operation } from '../operation/define-operation.ts';

const Section = Type.Unsafe<(typeof dossierSections)[number]>({ type: 'string', enum: [...dossierSections] });

export function dossierOperation(needs: DossierNeeds): Operation {
  return defineOperation({
    id: 'getDomainDossier',
    family: families.investigate,
    route: 'GET /domain-dossier/',
    product: 'intel-investigate',
    permission: 'read',
    summary: 'What is known about a domain, on one page',
    parameters: Type.Object({
      domain: Type.String({
        description: 'a domain, or a name, URL or e-mail address below it; may be defanged',
      }),
      section: Type.Optional(
        Type.Array(Section, { description: 'only these sections, one parameter for each; by default all' }),
      ),
    }),
    response: Type.Object({ response: Dossier }),
    parse: ({ parameters: { domain, section = [] } }) => ({
      domain: getDossierDomain('domain', domain),
      sections:
        section.length === 0 ? dossierSections : dossierSections.filter((one) => section.includes(one)),
    }),
    handle: async ({ caller, nowMs }, query) => {
      // It reads little of everything, so nothing is gained by stopping it.
      const { signal } = new AbortController();
      const facts = await gatherDossier(query, caller, needs, { nowMs, signal });
      return { response: makeDossier(facts, query.sections) };
    },
  });
}
