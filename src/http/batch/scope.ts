/** The batch API under `/batchd`: POST only, a JSON body whatever the content type says, the key in the body alone. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { fieldProblem, Problem } from '../../model/problem.ts';
import { channelsOf, getKeyHolder, type ProfileNeeds } from '../../product/batch/profile.ts';
import { inVendorWords } from '../compat/translate.ts';
import { speak } from '../dialect.ts';
import { takeRawBodies } from '../raw-body.ts';
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
    speak(scope, batchDialect);
    takeRawBodies(scope);
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

    refuseOtherMethods(scope, ['/v1/validate']);
  };
}

function readMembers(request: FastifyRequest): Record<string, unknown> {
  let members: unknown;
  try {
    members = JSON.parse(String(request.body ?? ''));
  } catch {
    throw fieldProblem('invalid-parameters', 'body', 'should be a JSON object');
  }
  if (typeof members !== 'object' || members === null || Array.isArray(members)) {
    throw fieldProblem('invalid-parameters', 'body', 'should be a JSON object');
  }
  return members as Record<string, unknown>;
}

function refuseOtherMethods(scope: FastifyInstance, urls: readonly string[]): void {
  for (const url of urls) {
    scope.route({
      method: ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
      url,
      config: { access: 'open', operation: 'method-not-offered', scope: 'batch' },
      schema: { hide: true },
      handler: async () => {
        throw new Problem('method-not-offered', 'Every operation of this API is POST.');
      },
    });
  }
}
