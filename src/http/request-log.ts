/** Logs one line per request, with all credentials redacted. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Metrics } from './metrics.ts';
import { readPairs } from './query-string.ts';

const redacted = 'redacted';

/** Names of parameters that are credentials or grant access. Deliberately broad. */
const secretName =
  /(?:^|[^a-z]|api)key(?:[^a-z]|$)|token|secret|signature|passw|passphrase|^pass$|^pwd$|credential|authorization|^(?:t|code)$/i;

/** A URL without its credentials. Names are compared after decoding: `api%5Fkey` is a key too. */
export function redactUrl(url: string): string {
  if (!url.startsWith('/')) return redacted; // an absolute URI may contain a user and a password
  const queryAt = url.search(/[?#;]/);
  if (queryAt < 0) return maskKeys(url);
  const query = readPairs(url.slice(queryAt + 1).replaceAll(/[?#;]/g, '&'));
  const shown = query.map(([name, value]) => [name, secretName.test(decoded(name)) ? redacted : value]);
  return maskKeys(`${url.slice(0, queryAt)}?${new URLSearchParams(shown as [string, string][]).toString()}`);
}

/** Our own keys have a recognizable prefix and are masked anywhere in the URL. */
function maskKeys(text: string): string {
  return text.replaceAll(/ngk_[0-9a-z]+/gi, `ngk_${redacted}`);
}

/** Decodes a name that was encoded twice. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

export type LogRequest = (request: FastifyRequest, reply: FastifyReply) => void;

/** Without `line`, requests are counted but not logged. */
export function requestLog(line: ((fields: object) => void) | undefined, metrics: Metrics): LogRequest {
  return (request, reply) => {
    const { scope, operation: routed } = request.routeOptions.config;
    const operation = request.operationName ?? routed;
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
