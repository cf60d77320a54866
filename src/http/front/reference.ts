/** The OpenAPI description, generated from the schemas of the routes, and its reference page. Nothing is loaded from other hosts. */
import swaggerUi, { type FastifySwaggerUiOptions } from '@fastify/swagger-ui';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { stringify } from 'yaml';
import { Problem } from '../../model/problem.ts';
import { describeApi } from '../description/describe-api.ts';
import type { DescribedRoute } from '../description/route-description.ts';
import { answerProblem } from '../dialect.ts';
import { problemOf } from '../problem-of.ts';
import { frontDialect } from './dialect.ts';

const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'";

export interface ReferenceNeeds {
  readonly version: string;
  /** Where clients reach this server, mount prefix included; known once it listens. */
  readonly serverUrl: () => string;
  readonly supportUrl: string;
  readonly mountPrefix: string;
}

/** Collects routes as they are added, so it must be called before them. */
export async function referenceRoutes(app: FastifyInstance, needs: ReferenceNeeds): Promise<void> {
  const description = collectDescription(app, needs);
  const config = { access: 'open', operation: 'openapi', scope: 'front' } as const;
  app.get('/openapi.json', { config, schema: { hide: true } }, (_request, reply) =>
    sendDescription(reply, description),
  );
  await app.register(async (pages) => {
    pages.addHook('onRoute', (route) => {
      route.config = { ...route.config, access: 'open', operation: 'docs', scope: 'front' };
    });
    pages.addHook('onSend', async (_request, reply) => {
      reply.header('content-security-policy', pagePolicy).header('referrer-policy', 'no-referrer');
    });
    pages.setErrorHandler(answerAssetError);
    await mountPage(pages, needs.mountPrefix, description);
  });
}

async function sendDescription(
  reply: FastifyReply,
  description: () => Promise<Buffer>,
): Promise<FastifyReply> {
  return reply.type('application/json; charset=utf-8').send(await description());
}

/** The bytes of the description, built when it is first requested. */
function collectDescription(app: FastifyInstance, needs: ReferenceNeeds): () => Promise<Buffer> {
  const routes: DescribedRoute[] = [];
  app.addHook('onRoute', ({ method, url, schema, config }) => {
    if (schema && !schema.hide && method !== 'HEAD') routes.push({ method, url, schema, config });
  });
  let bytes: Promise<Buffer> | undefined;
  const build = async () => {
    const { default: examples } = await import('../description/examples.json', { with: { type: 'json' } });
    const { version, supportUrl } = needs;
    const serverUrl = needs.serverUrl();
    return Buffer.from(
      JSON.stringify(await describeApi(routes, { version, supportUrl, serverUrl, examples })),
    );
  };
  return () => (bytes ??= build());
}

/** The plugin declares that it needs @fastify/swagger, of which it calls this decorator alone: hence it is called and not registered. */
async function mountPage(
  pages: FastifyInstance,
  mountPrefix: string,
  description: () => Promise<Buffer>,
): Promise<void> {
  let yaml = '';
  pages.addHook('preHandler', async (request, reply) => {
    const { url = '' } = request.routeOptions;
    if (url.endsWith('/json')) return sendDescription(reply, description);
    // Made once: it takes long.
    if (url.endsWith('/yaml')) yaml ||= stringify(JSON.parse((await description()).toString()));
    return undefined;
  });
  pages.decorate('swagger', () => yaml);
  const mount = swaggerUi as unknown as FastifyPluginAsync<FastifySwaggerUiOptions>;
  await mount(pages, {
    routePrefix: '/docs',
    indexPrefix: mountPrefix,
    theme: { title: 'Nameglass API' },
    uiConfig: {
      layout: 'BaseLayout', // without the bar for loading other descriptions
      deepLinking: true,
      docExpansion: 'list',
      defaultModelsExpandDepth: 0,
      tryItOutEnabled: true,
      validatorUrl: null,
    },
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
