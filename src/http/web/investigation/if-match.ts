/** The version that a change is based on. */
import type { FastifyRequest } from 'fastify';
import { fieldProblem } from '../../../model/problem.ts';

/** Undefined for `*` and without the header: then any version will do. */
export function readIfMatch({ headers }: FastifyRequest): number | undefined {
  const text = headers['if-match'];
  if (text === undefined || text === '*') return undefined;
  const [, version] = /^"?(\d{1,15})"?$/.exec(text) ?? [];
  if (version === undefined)
    throw fieldProblem(
      'invalid-parameters',
      'If-Match',
      'must be the version of the investigation, such as "12"',
    );
  return Number(version);
}

/** For changes that could overwrite what somebody else has written. */
export function requireIfMatch(request: FastifyRequest): number | undefined {
  if (request.headers['if-match'] === undefined)
    throw fieldProblem(
      'invalid-parameters',
      'If-Match',
      'is required: the version of the investigation that you have, such as "12"',
    );
  return readIfMatch(request);
}
