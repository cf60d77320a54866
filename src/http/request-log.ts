/** One line for each request, and the rule that no credential is ever in it. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Metrics } from './metrics.ts';

const redacted = 'redacted';

/** Names of parameters that are credentials, or grant something to whoever has them. Better one too many. */
const secretName =
  /(?:^|[^a-z]|api)key(?:[^a-z]|$)|token|secret|signature|passw|passphrase|^pass$|^pwd$|credential|authorization/i;

/** A URL as it may be logged. Names are compared after decoding: `api%5Fkey` is a key too. */
export function redactUrl(url: string): string {
  if (!url.startsWith('/')) return redacted; // an absolute URI may hold a user and a password
  const queryAt = url.search(/[?#;]/);
  if (queryAt < 0) return maskKeys(url);
  const query = new URLSearchParams(url.slice(queryAt + 1).replaceAll(/[?#;]/g, '&'));
  const shown = [...query].map(([name, value]) => [name, secretName.test(decoded(name)) ? redacted : value]);
  return maskKeys(`${url.slice(0, queryAt)}?${new URLSearchParams(shown as [string, string][]).toString()}`);
}

/** Keys of our own making are known wherever they stand. */
function maskKeys(text: string): string {
  return text.replaceAll(/ngk_[0-9a-z]+/gi, `ngk_${redacted}`);
}

/** A name that was encoded twice. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

export type LogRequest = (request: FastifyRequest, reply: FastifyReply) => void;

/** Without `line`, requests are only counted. */
export function requestLog(line: ((fields: object) => void) | undefined, metrics: Metrics): LogRequest {
  return (request, reply) => {
    const { operation, scope } = request.routeOptions.config;
    const { statusCode: status, elapsedTime } = reply;
    metrics.countRequest(scope ?? 'none', operation ?? 'none', status, elapsedTime);
    line?.({
      reqId: request.id,
      method: request.method,
      url: redactUrl(request.originalUrl),
      operation,
      status,
      problem: request.problem,
      user: request.username,
      address: request.ip,
      ms: Math.round(elapsedTime * 100) / 100,
      msg: 'request',
    });
  };
}
