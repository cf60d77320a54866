/** Logs one line per request, with all credentials redacted. */
import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify';
import type { Metrics } from './metrics.ts';
import { readPairs } from './query-string.ts';

const redacted = 'redacted';

/** Names of parameters that are credentials or grant access. Deliberately broad. */
const secretName =
  /(?:^|[^a-z]|api)key(?:[^a-z]|$)|token|secret|signature|passw|passphrase|^pass$|^pwd$|credential|authorization|^(?:t|code)$/i;

/** Reads the same after decoding and encoding again. */
const isPlain = /^\/[^?#;=%]*(?:\?[\w.*-]+=[\w.*-]*(?:&[\w.*-]+=[\w.*-]*)*)?$/;
const ownKey = /ngk_[0-9a-z]+/gi;

/** A URL without its credentials. Names are compared after decoding: `api%5Fkey` is a key too. */
export function redactUrl(url: string): string {
  if (!url.startsWith('/')) return redacted; // an absolute URI may contain a user and a password
  if (isPlain.test(url) && url.search(ownKey) < 0 && !hasSecretName(url)) return url;
  const queryAt = url.search(/[?#;]/);
  if (queryAt < 0) return maskKeys(maskParametersInPath(url));
  const query = readPairs(url.slice(queryAt + 1).replaceAll(/[?#;]/g, '&'));
  const shown = query.map(([name, value]) => [name, secretName.test(decoded(name)) ? redacted : value]);
  const path = maskParametersInPath(url.slice(0, queryAt));
  return maskKeys(`${path}?${new URLSearchParams(shown as [string, string][]).toString()}`);
}

/** Where ? or # arrives escaped, as after some proxies, what was meant as a query is part of the path. */
function maskParametersInPath(path: string): string {
  if (!/=|%3d/i.test(path)) return path;
  return path
    .split(/(\/|&|%26)/i)
    .map((part) => {
      const [name = '', value] = part.split(/=|%3d/i, 2);
      const isSecret = value !== undefined && secretName.test(decoded(name).replace(/^.*[?#;]/s, ''));
      return isSecret ? `${name}=${redacted}` : part;
    })
    .join('');
}

/** Of a URL whose query is plain. Most requests are logged as they are, and decoding them cost more than the rest of their line. */
function hasSecretName(url: string): boolean {
  const queryAt = url.indexOf('?');
  if (queryAt < 0) return false;
  const pairs = url.slice(queryAt + 1).split('&');
  return pairs.some((pair) => secretName.test(pair.slice(0, pair.indexOf('='))));
}

/** Our own keys have a recognizable prefix and are masked anywhere in the URL. */
function maskKeys(text: string): string {
  return text.replaceAll(ownKey, `ngk_${redacted}`);
}

/** Decodes a name that was encoded twice. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** What is logged of a request. */
export interface LoggedRequest
  extends Pick<
    FastifyRequest,
    'id' | 'method' | 'originalUrl' | 'ip' | 'problem' | 'username' | 'operationName'
  > {
  readonly routeOptions: { readonly config: Pick<FastifyContextConfig, 'scope' | 'operation'> };
}

export type LogRequest = (
  request: LoggedRequest,
  reply: Pick<FastifyReply, 'statusCode' | 'elapsedTime'>,
) => void;

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
