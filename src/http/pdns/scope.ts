/** The passive DNS API: its routes under `/pdns`, and those of version 1 that clients expect at the root. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { rateOf } from '../../product/pdns/quota.ts';
import { setDialect } from '../dialect.ts';
import type { FastRoute } from '../fast-path/fast-route.ts';
import { sendExact } from '../send-exact.ts';
import { answerBulk } from './bulk.ts';
import { answerCof } from './cof.ts';
import { pdnsDialect } from './dialect.ts';
import { acceptedType, csv, json, type MediaType, ndjson } from './media-type.ts';
import { type Endpoint, QueryHandler, type QueryHandlerNeeds } from './query-handler.ts';
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

/** Each scope sets the dialect for everything below its prefix. */
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

/** These responses are one line, so they are valid as NDJSON and as JSON. */
const oneLine: readonly MediaType[] = [ndjson, json];

const second: Endpoint = { apiVersion: 2, mountedSegments: 2, offered: [ndjson, csv] };
const first: Endpoint = { apiVersion: 1, mountedSegments: 2, offered: [json, ndjson, csv] };
const atRoot: Endpoint = { ...first, mountedSegments: 0 };

const regex = flexSchema('regex', 'Names or rdata that match a regular expression');
const glob = flexSchema('glob', 'Names or rdata that match a glob of * ? and [ ]');

/** Queries in a path, each with its endpoint. */
const queryRoutes: readonly (PdnsRoute & { readonly endpoint: Endpoint })[] = [
  {
    scope: '/pdns',
    url: '/v2/lookup/*',
    operation: 'lookup',
    schema: lookupSchema({ suffix: '' }),
    endpoint: second,
  },
  {
    scope: '/pdns',
    url: '/v2/summarize/*',
    operation: 'summarize',
    schema: summarizeSchema({ suffix: '' }),
    endpoint: second,
  },
  { scope: '/pdns', url: '/v2/regex/*', operation: 'regex', schema: regex, endpoint: second },
  { scope: '/pdns', url: '/v2/glob/*', operation: 'glob', schema: glob, endpoint: second },
  {
    scope: '/pdns',
    url: '/v1/lookup/*',
    operation: 'lookup_v1',
    schema: lookupSchema({ suffix: 'V1' }),
    endpoint: first,
  },
  {
    scope: '/pdns',
    url: '/v1/summarize/*',
    operation: 'summarize_v1',
    schema: summarizeSchema({ suffix: 'V1' }),
    endpoint: first,
  },
  {
    scope: '/lookup',
    url: '/*',
    operation: 'lookup_v1',
    schema: lookupSchema({ suffix: 'V1AtRoot' }),
    endpoint: atRoot,
  },
  {
    scope: '/summarize',
    url: '/*',
    operation: 'summarize_v1',
    schema: summarizeSchema({ suffix: 'V1AtRoot' }),
    endpoint: atRoot,
  },
];

function otherRoutes(queries: QueryHandler): readonly (PdnsRoute & { readonly handler: Handler })[] {
  const rateLimit =
    (apiVersion: number): Handler =>
    async (request, reply) => {
      const caller = await queries.authenticate(request, apiVersion);
      queries.noteUse(caller, 'free', request);
      const type = acceptedType(request.headers.accept, oneLine);
      const rate = await rateOf(caller, queries.needs);
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
      handler: (request, reply) => answerBulk(queries, request, reply),
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
      handler: (request, reply) => answerCof(queries, request, reply),
    },
  ];
}

/** Returns the routes of lookups on the fast path. */
export async function mountPdns(
  app: FastifyInstance,
  needs: QueryHandlerNeeds,
): Promise<readonly FastRoute[]> {
  const queries = new QueryHandler(needs);
  const pathRoutes = queryRoutes.map(({ endpoint, ...route }) => ({
    ...route,
    handler: (request: FastifyRequest, reply: FastifyReply) => queries.answer(request, reply, endpoint),
  }));
  const routes = [...pathRoutes, ...otherRoutes(queries)];
  app.addHook('onClose', async () => queries.close());
  for (const prefix of pdnsPrefixes) {
    await app.register(
      async (scope) => {
        setDialect(scope, pdnsDialect);
        scope.setValidatorCompiler(() => () => true);
        for (const route of routes) if (route.scope === prefix) mount(scope, route);
      },
      { prefix },
    );
  }
  return fastLookups(queries);
}

/** Those of version 2: below that of version 1 there is another route. */
function fastLookups(queries: QueryHandler): readonly FastRoute[] {
  return queryRoutes
    .filter(({ operation }) => operation === 'lookup')
    .map(({ scope, url, operation, endpoint }) => ({
      operation,
      scope: 'pdns',
      path: scope + url,
      answer: (request) => queries.answerEarly(request, endpoint),
    }));
}

function mount(scope: FastifyInstance, route: PdnsRoute & { readonly handler: Handler }): void {
  const { url, method = 'GET', operation, access = 'key', schema, handler } = route;
  const config = { access, operation, scope: 'pdns' } as const;
  const hidden = { config, schema: { hide: true }, handler };
  scope.route({ method, url, config, schema, handler, exposeHeadRoute: method === 'GET' });
  // Without its wildcard part the path is incomplete, not unknown.
  if (url.endsWith('/*')) {
    scope.route({ method, url: url.slice(0, -2), ...hidden, exposeHeadRoute: method === 'GET' });
  }
  // go-dnsdb asks for it by POST.
  if (operation === 'rate_limit_v1') scope.route({ method: 'POST', url, ...hidden });
}
