/** The API key of a request: in `X-API-Key`, and for clients of the Common Output Format also in `Authorization`. */
import type { FastifyRequest } from 'fastify';
import { Problem } from '../../model/problem.ts';

function headerKey({ headers }: FastifyRequest): string | undefined {
  const key = headers['x-api-key'];
  return key === undefined ? undefined : String(key);
}

/** For all other clients, who may take the one for the other. */
export function requiredHeaderKey(request: FastifyRequest): string | undefined {
  const key = headerKey(request);
  if (key || request.headers.authorization === undefined) return key;
  const message = 'the header X-API-Key is missing; Authorization is not read here';
  throw new Problem('credentials-missing', message);
}

/** Of `Authorization`, the password of Basic credentials with any user name, or else the whole header. */
export function cofKey(request: FastifyRequest): string | undefined {
  const key = headerKey(request);
  const { authorization } = request.headers;
  if (key !== undefined || authorization === undefined) return key;
  const encoded = /^basic +(\S+)$/i.exec(authorization)?.[1];
  if (encoded === undefined) return authorization;
  const userAndPassword = Buffer.from(encoded, 'base64').toString('utf8');
  return userAndPassword.slice(userAndPassword.indexOf(':') + 1);
}
