/** "Show me the bytes": what servers answered to our collectors about a domain, beyond the contract. */
import { Type } from 'typebox';
import { getScoredDomain } from '../../../product/risk/assess.ts';
import {
  AnswerOnWire,
  listRawAnswers,
  type RawAnswerNeeds,
  sendRawAnswer,
  sha256Pattern,
} from '../../evidence/raw-answers.ts';
import { families } from '../families.ts';
import { defineOperation, type Operation } from '../operation/define-operation.ts';

const Domain = Type.String({ description: 'a domain, or a host name below it, in Unicode or punycode' });
const shared = { family: families.evidence, product: 'intel-investigate', permission: 'read' } as const;

export function answerOperations(needs: RawAnswerNeeds): readonly Operation[] {
  const list = defineOperation({
    ...shared,
    id: 'getEvidenceAnswers',
    route: 'GET /evidence/answers/',
    summary: 'Lists what servers answered to collectors about a domain',
    description: 'Last seen first, at most 200, each with the probe that fetched it.',
    parameters: Type.Object({ domain: Domain }),
    response: Type.Object({
      response: Type.Object({ domain: Type.String(), answers: Type.Array(AnswerOnWire) }),
    }),
    charge: 'free',
    parse: ({ parameters }) => getScoredDomain('domain', parameters.domain),
    handle: async (_context, domain) => ({
      response: { domain, answers: await listRawAnswers(domain, needs) },
    }),
  });
  const one = defineOperation({
    ...shared,
    id: 'getEvidenceAnswer',
    route: 'GET /evidence/answer/',
    summary: 'The bytes of one such answer',
    parameters: Type.Object({
      domain: Domain,
      sha256: Type.String({ pattern: sha256Pattern, description: 'of the bytes, in hex' }),
    }),
    responses: {
      200: {
        description: 'The bytes as they are stored',
        content: { 'application/octet-stream': { schema: Type.String({ format: 'binary' }) } },
      },
    },
    charge: 'free',
    parse: ({ parameters: { domain, sha256 } }) => ({ domain: getScoredDomain('domain', domain), sha256 }),
    respond: (wanted, _request, reply) => sendRawAnswer(wanted, needs, reply),
  });
  return [list, one];
}
