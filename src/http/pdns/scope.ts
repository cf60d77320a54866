/** The passive DNS API under `/pdns`: the key in the header X-API-Key, and nowhere else. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { Problem } from '../../model/problem.ts';
import { getPdnsCaller, type QuotaNeeds, type Rate, rateOf } from '../../product/pdns/quota.ts';
import { speak } from '../dialect.ts';
import { sendExact } from '../send-exact.ts';
import { pdnsDialect } from './dialect.ts';

const apiVersion = 2;
const ndjson = 'application/x-ndjson';
const json = 'application/json';

const WholeOr = (word: string) => Type.Union([Type.Integer(), Type.Literal(word)]);

const RateAnswer = Type.Object({
  rate: Type.Object({
    reset: WholeOr('n/a'),
    expires: Type.Optional(Type.Integer()),
    limit: WholeOr('unlimited'),
    remaining: WholeOr('n/a'),
    results_max: Type.Integer(),
    offset_max: WholeOr('n/a'),
    burst_size: Type.Optional(Type.Integer()),
    burst_window: Type.Optional(Type.Integer()),
  }),
});

export function pdnsScope(needs: QuotaNeeds) {
  return async (scope: FastifyInstance) => {
    speak(scope, pdnsDialect);

    scope.route({
      method: 'GET',
      url: '/v2/rate_limit',
      config: { access: 'key', operation: 'rate_limit', scope: 'pdns' },
      schema: {
        operationId: 'getRateLimit',
        tags: ['Passive DNS'],
        summary: 'The state of the key’s quota; costs nothing',
        security: [{ header: [] }],
        produces: [ndjson, json],
        response: { 200: RateAnswer },
      },
      handler: async (request, reply) => {
        const key = request.headers['x-api-key'];
        const from = { address: request.ip, apiVersion };
        const caller = await getPdnsCaller(key === undefined ? undefined : String(key), from, needs);
        request.username = caller.user.username;
        const type = acceptedType(request);
        const text = reply.serialize({ rate: onWire(await rateOf(caller, needs)) }) as string;
        return sendExact(reply, type, `${text}\n`);
      },
    });

    scope.route({
      method: 'GET',
      url: '/v2/ping',
      config: { access: 'open', operation: 'ping', scope: 'pdns' },
      schema: {
        operationId: 'ping',
        tags: ['Passive DNS'],
        summary: 'Whether the API answers; any key or none',
        produces: [ndjson, json],
        response: { 200: Type.Object({ ping: Type.String() }) },
      },
      handler: async (request, reply) =>
        sendExact(reply, acceptedType(request), `${reply.serialize({ ping: 'ok' }) as string}\n`),
    });
  };
}

/** These answers are one line, so they are NDJSON and JSON alike. */
function acceptedType(request: FastifyRequest): string {
  const accepted = (request.headers.accept ?? '*/*')
    .split(',')
    .filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part))
    .map((part) => part.split(';')[0]?.trim().toLowerCase());
  if (accepted.includes(ndjson)) return ndjson;
  if (accepted.includes(json)) return json;
  if (accepted.includes('*/*') || accepted.includes('application/*')) return ndjson;
  throw new Problem('not-acceptable', `Accept must name ${ndjson}`);
}

function onWire(rate: Rate) {
  return {
    reset: rate.resetSeconds,
    ...(rate.expiresSeconds === undefined ? {} : { expires: rate.expiresSeconds }),
    limit: rate.limit,
    remaining: rate.remaining,
    results_max: rate.resultsMax,
    offset_max: rate.offsetMax,
    ...(rate.burst ? { burst_size: rate.burst.size, burst_window: rate.burst.windowSeconds } : {}),
  };
}
