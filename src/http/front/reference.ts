/** The OpenAPI description, generated from the schemas of the routes, and its reference page. Nothing is loaded from other hosts. */
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../model/problem.ts';
import { answerProblem } from '../dialect.ts';
import { problemOf } from '../problem-of.ts';
import { frontDialect } from './dialect.ts';

const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'";

interface ReferenceNeeds {
  readonly version: string;
  readonly serverUrl: string;
}

/** Collects routes as they are added, so it must be registered before them. */
export async function describeRoutes(
  app: FastifyInstance,
  { version, serverUrl }: ReferenceNeeds,
): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Nameglass',
        version,
        description: 'Domain intelligence: platform, batch channel download and passive DNS.',
      },
      servers: [{ url: serverUrl }],
      tags: [
        { name: 'Account', description: 'Provisioned products, usage and API keys' },
        { name: 'Detect', description: 'Monitors, discovered domains, triage, escalations' },
        { name: 'Enrich', description: 'Records of domains' },
        { name: 'Investigate', description: 'Pivot searches' },
        { name: 'Feeds', description: 'Streams of domain and address data' },
        { name: 'Batch', description: 'Channel download' },
        { name: 'Passive DNS', description: 'Lookups, summaries, quotas' },
      ],
      components: {
        securitySchemes: {
          header: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
          basic: { type: 'http', scheme: 'basic', description: 'API username and key' },
          openKey: {
            type: 'apiKey',
            in: 'query',
            name: 'api_key',
            description: 'together with api_username',
          },
          signature: {
            type: 'apiKey',
            in: 'query',
            name: 'signature',
            description: 'HMAC over username, timestamp and path; together with api_username and timestamp',
          },
        },
      },
    },
  });
}

export async function referenceRoutes(app: FastifyInstance, mountPrefix: string): Promise<void> {
  const config = { access: 'open', operation: 'openapi', scope: 'front' } as const;
  let description: string | undefined;
  app.get('/openapi.json', { config, schema: { hide: true } }, async (_request, reply) => {
    description ??= JSON.stringify(app.swagger());
    return reply.type('application/json; charset=utf-8').send(description);
  });
  await app.register(async (pages) => {
    pages.addHook('onRoute', (route) => {
      route.config = { ...route.config, access: 'open', operation: 'docs', scope: 'front' };
    });
    pages.addHook('onSend', async (_request, reply) => {
      reply.header('content-security-policy', pagePolicy).header('referrer-policy', 'no-referrer');
    });
    pages.setErrorHandler(answerAssetError);
    await pages.register(swaggerUi, {
      routePrefix: '/docs',
      indexPrefix: mountPrefix,
      theme: { title: 'Nameglass API' },
      uiConfig: {
        layout: 'BaseLayout', // without the bar for loading other descriptions
        deepLinking: true,
        docExpansion: 'list',
        tryItOutEnabled: true,
        validatorUrl: null,
      },
    });
  });
}

/** A condition or a range that a file does not meet has no body. Any other rejection by the file server is a path without a file. */
function answerAssetError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { statusCode = 500 } = error as { statusCode?: number };
  if (statusCode === 412 || statusCode === 416) return reply.code(statusCode).send();
  const isProblem = error instanceof Problem || statusCode < 400 || statusCode >= 500;
  const problem = isProblem
    ? problemOf(error)
    : new Problem('no-such-path', 'There is nothing at this path.');
  return answerProblem(problem, frontDialect, request, reply);
}
