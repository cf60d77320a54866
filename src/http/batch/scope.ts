/** The batch API under `/batchd`: POST only, a JSON body whatever the content type says, the key in the body alone. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { fieldProblem } from '../../model/problem.ts';
import { channelsOf, getKeyHolder, type ProfileNeeds } from '../../product/batch/profile.ts';
import { inVendorWords } from '../compat/translate.ts';
import { speak } from '../dialect.ts';
import { noBytes } from '../raw-body.ts';
import { batchDialect } from './dialect.ts';

const Outcome = { _status: Type.String({ description: 'OK or NOK' }), _message: Type.String() };

const ValidateAnswer = Type.Object({
  profile: Type.Object({
    username: Type.String(),
    batch: Type.Record(Type.String(), Type.Object({ description: Type.String() })),
  }),
  ...Outcome,
});

export function batchScope(needs: ProfileNeeds) {
  return async (scope: FastifyInstance) => {
    speak(scope, batchDialect, ['/batchd/v1/validate']);
    scope.setValidatorCompiler(() => () => true);

    scope.route({
      method: 'POST',
      url: '/v1/validate',
      config: { access: 'key', operation: 'validate', scope: 'batch' },
      schema: {
        operationId: 'validate',
        tags: ['Batch'],
        summary: 'Verifies a key and lists its channels',
        body: Type.Object({ apikey: Type.String({ format: 'uuid' }) }),
        response: { 200: ValidateAnswer },
      },
      handler: async (request, reply) => {
        const caller = await getKeyHolder(readMembers(request)['apikey'], needs);
        request.username = caller.user.username;
        const channels = channelsOf(caller, needs.settings).map(
          ({ number, description }) => [`ch${number}`, { description }] as const,
        );
        const profile = { username: caller.user.username, batch: Object.fromEntries(channels) };
        const answer = { profile, _status: 'OK', _message: '' };
        if (request.wording === 'neutral') return answer;
        return reply.type('application/json').send(JSON.stringify(inVendorWords(answer)));
      },
    });
  };
}

/** No body at all is an object without members, so that a key sent elsewhere is reported as missing. */
function readMembers(request: FastifyRequest): Record<string, unknown> {
  const body = Buffer.isBuffer(request.body) ? request.body : noBytes;
  if (body.length === 0) return {};
  const fault = fieldProblem('invalid-parameters', 'body', 'should be a JSON object');
  let members: unknown;
  try {
    members = JSON.parse(body.toString('utf8'));
  } catch {
    throw fault;
  }
  if (typeof members !== 'object' || members === null || Array.isArray(members)) throw fault;
  return members as Record<string, unknown>;
}
