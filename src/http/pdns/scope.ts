/** The passive DNS API: its routes under `/pdns`, and those of version 1 that clients expect at the root. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { rateOf } from '../../product/pdns/quota.ts';
import { speak } from '../dialect.ts';
import { sendExact } from '../send-exact.ts';
import { acceptedType, csv, json, type MediaType, ndjson } from './accept.ts';
import { Asking, type AskingNeeds, type Door } from './asking.ts';
import { answerBulk } from './bulk.ts';
import { answerCof } from './cof.ts';
import { pdnsDialect } from './dialect.ts';
import { rateOnWire } from './rate-text.ts';
import {
  bulkSchema,
  cofSchema,
  flexSchema,
  lookupSchema,
  pingSchema,
  rateLimitSchema,
  summarizeSchema,
} from './route-schemas.ts';

/** Each scope speaks the dialect for everything below its prefix. */
export const pdnsPrefixes = ['/pdns', '/lookup', '/summarize'] as const;

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

interface PdnsRoute {
  readonly scope: (typeof pdnsPrefixes)[number];
  readonly url: string;
  readonly method?: 'POST';
  readonly operation: string;
  readonly access?: 'open';
  readonly schema: object;
}

/** These answers are one line, so they are NDJSON and JSON alike. */
const oneLine: readonly MediaType[] = [ndjson, json];

const second: Door = { apiVersion: 2, mountedSegments: 2, offered: [ndjson, csv] };
const first: Door = { apiVersion: 1, mountedSegments: 2, offered: [json, ndjson, csv] };
const atRoot: Door = { ...first, mountedSegments: 0 };

const regex = flexSchema('regex', 'Names or data that match a regular expression');
const glob = flexSchema('glob', 'Names or data that match a pattern of * ? and [ ]');

/** Questions in a path, each with the door it comes in by. */
const questionRoutes: readonly (PdnsRoute & { readonly door: Door })[] = [
  { scope: '/pdns', url: '/v2/lookup/*', operation: 'lookup', schema: lookupSchema('lookup'), door: second },
  {
    scope: '/pdns',
    url: '/v2/summarize/*',
    operation: 'summarize',
    schema: summarizeSchema('summarize'),
    door: second,
  },
  { scope: '/pdns', url: '/v2/regex/*', operation: 'regex', schema: regex, door: second },
  { scope: '/pdns', url: '/v2/glob/*', operation: 'glob', schema: glob, door: second },
  {
    scope: '/pdns',
    url: '/v1/lookup/*',
    operation: 'lookup_v1',
    schema: lookupSchema('lookupV1'),
    door: first,
  },
  {
    scope: '/pdns',
    url: '/v1/summarize/*',
    operation: 'summarize_v1',
    schema: summarizeSchema('summarizeV1'),
    door: first,
  },
  {
    scope: '/lookup',
    url: '/*',
    operation: 'lookup_v1',
    schema: lookupSchema('lookupV1AtRoot'),
    door: atRoot,
  },
  {
    scope: '/summarize',
    url: '/*',
    operation: 'summarize_v1',
    schema: summarizeSchema('summarizeV1AtRoot'),
    door: atRoot,
  },
];

function otherRoutes(asking: Asking): readonly (PdnsRoute & { readonly handler: Handler })[] {
  const rateLimit =
    (apiVersion: number): Handler =>
    async (request, reply) => {
      const caller = await asking.caller(request, apiVersion);
      const type = acceptedType(request.headers.accept, oneLine);
      const rate = await rateOf(caller, asking.needs);
      return sendExact(reply, type, `${reply.serialize({ rate: rateOnWire(rate) }) as string}\n`);
    };
  const rates = { operation: 'rate_limit', schema: rateLimitSchema('getRateLimit'), handler: rateLimit(2) };
  const firstRates = (id: string) => ({
    operation: 'rate_limit_v1',
    schema: rateLimitSchema(id),
    handler: rateLimit(1),
  });
  return [
    {
      scope: '/pdns',
      url: '/v2/bulk',
      method: 'POST',
      operation: 'bulk',
      schema: bulkSchema,
      handler: (request, reply) => answerBulk(asking, request, reply),
    },
    { scope: '/pdns', url: '/v2/rate_limit', ...rates },
    {
      scope: '/pdns',
      url: '/v2/ping',
      operation: 'ping',
      access: 'open',
      schema: pingSchema,
      handler: async (request, reply) =>
        sendExact(reply, acceptedType(request.headers.accept, oneLine), '{"ping":"ok"}\n'),
    },
    { scope: '/pdns', url: '/v1/lookup/rate_limit', ...firstRates('getRateLimitV1') },
    { scope: '/lookup', url: '/rate_limit', ...firstRates('getRateLimitV1AtRoot') },
    {
      scope: '/pdns',
      url: '/query/*',
      operation: 'query',
      schema: cofSchema,
      handler: (request, reply) => answerCof(asking, request, reply),
    },
  ];
}

export async function mountPdns(app: FastifyInstance, needs: AskingNeeds): Promise<void> {
  const asking = new Asking(needs);
  const questions = questionRoutes.map(({ door, ...route }) => ({
    ...route,
    handler: (request: FastifyRequest, reply: FastifyReply) => asking.answer(request, reply, door),
  }));
  const routes = [...questions, ...otherRoutes(asking)];
  app.addHook('onClose', async () => asking.close());
  for (const prefix of pdnsPrefixes) {
    await app.register(
      async (scope) => {
        speak(scope, pdnsDialect);
        scope.setValidatorCompiler(() => () => true);
        for (const route of routes) if (route.scope === prefix) mount(scope, route);
      },
      { prefix },
    );
  }
}

function mount(scope: FastifyInstance, route: PdnsRoute & { readonly handler: Handler }): void {
  const { url, method = 'GET', operation, access = 'key', schema, handler } = route;
  const config = { access, operation, scope: 'pdns' } as const;
  scope.route({ method, url, config, schema, handler });
  // What ends before it has begun is an incomplete path, not an unknown one.
  if (url.endsWith('/*')) {
    scope.route({ method, url: url.slice(0, -2), config, schema: { hide: true }, handler });
  }
}
