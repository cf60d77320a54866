/** The raw answers behind the record of a domain, for its page. */
import { Type } from 'typebox';
import { getDomainName } from '../../../product/investigate/requested-domain.ts';
import {
  listRawAnswers,
  type RawAnswerNeeds,
  sendRawAnswer,
  sha256Pattern,
} from '../../evidence/raw-answers.ts';
import { defineWebOperation, type WebOperation } from '../web-operation.ts';
import { DomainAnswers } from './domain-wire.ts';
import { DomainParams } from './overview-operation.ts';

export type AnswerOperationNeeds = RawAnswerNeeds;

export function answerOperations(needs: AnswerOperationNeeds): readonly WebOperation[] {
  return [
    defineWebOperation({
      method: 'GET',
      path: '/domains/:name/answers',
      access: 'read',
      product: 'intel-enrich',
      charge: 'page',
      summary: 'What servers answered to collectors about a domain',
      params: DomainParams,
      answer: DomainAnswers,
      handle: async ({ params }) => ({
        answers: await listRawAnswers(getDomainName('name', params.name), needs),
      }),
    }),
    defineWebOperation({
      method: 'GET',
      path: '/domains/:name/answers/:sha256',
      access: 'read',
      product: 'intel-enrich',
      charge: 'page',
      summary: 'The bytes of one such answer',
      params: Type.Object({ ...DomainParams.properties, sha256: Type.String({ pattern: sha256Pattern }) }),
      respond: ({ params: { name, sha256 }, reply }) =>
        sendRawAnswer({ domain: getDomainName('name', name), sha256 }, needs, reply),
    }),
  ];
}
