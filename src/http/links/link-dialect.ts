/** How links answer problems: in XML, with the error codes of object stores. */
import { escapeHtml } from '../../model/escape-html.ts';
import type { ProblemCode } from '../../model/problem.ts';
import type { Dialect } from '../dialect.ts';
import { sendExact } from '../send-exact.ts';

interface ErrorKind {
  readonly status: number;
  readonly code: string;
}

const noSuchKey: ErrorKind = { status: 404, code: 'NoSuchKey' };

const kindOf: Partial<Record<ProblemCode, ErrorKind>> = {
  'credentials-invalid': { status: 403, code: 'SignatureDoesNotMatch' },
  'credentials-expired': { status: 403, code: 'AccessDenied' },
  'not-found': noSuchKey,
  'no-such-path': noSuchKey,
  internal: { status: 500, code: 'InternalError' },
  unavailable: { status: 503, code: 'ServiceUnavailable' },
  'storage-full': { status: 503, code: 'ServiceUnavailable' },
  'try-again': { status: 503, code: 'SlowDown' },
};

export const linkDialect: Dialect = (problem, request, reply) => {
  const { status, code } = kindOf[problem.code] ?? { status: 400, code: 'InvalidRequest' };
  const members = `<Code>${code}</Code><Message>${escapeHtml(problem.message)}</Message><RequestId>${request.id}</RequestId>`;
  const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<Error>${members}</Error>\n`;
  return sendExact(reply.code(status), 'application/xml', xml);
};
