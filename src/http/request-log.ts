/** One line for each request, and the rule that no credential is ever in it. */
import type { FastifyInstance } from 'fastify';
import type { Metrics } from './metrics.ts';

const redacted = 'redacted';

/** Parameters that are credentials, or grant something to whoever has them. */
const secretParameters = new Set([
  'api_key',
  'apikey',
  'api-key',
  'key',
  'signature',
  'token',
  'x-amz-signature',
]);

/** A URL as it may be logged. Names are compared after decoding: `api%5Fkey` is a key too. */
export function redactUrl(url: string): string {
  const queryAt = url.indexOf('?');
  if (queryAt < 0) return url;
  const query = new URLSearchParams(url.slice(queryAt + 1));
  const shown = [...query].map(([name, value]) => [name, isSecret(name) ? redacted : value]);
  return `${url.slice(0, queryAt)}?${new URLSearchParams(shown as [string, string][]).toString()}`;
}

function isSecret(name: string): boolean {
  return secretParameters.has(name.toLowerCase().replace(/\[\d*\]$/, ''));
}

export function logRequests(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { operation, scope } = request.routeOptions.config;
    metrics.countRequest(scope ?? 'none', operation ?? 'none', reply.statusCode, reply.elapsedTime);
    request.log.info(
      {
        reqId: request.id,
        method: request.method,
        url: redactUrl(request.originalUrl),
        operation,
        status: reply.statusCode,
        problem: request.problem,
        user: request.username,
        address: request.ip,
        ms: Math.round(reply.elapsedTime * 100) / 100,
      },
      'request',
    );
    done();
  });
}
