/** How paths outside every API answer problems: with small HTML pages. */
import { escapeHtml } from '../../model/escape-html.ts';
import type { ProblemCode } from '../../model/problem.ts';
import type { Dialect } from '../dialect.ts';
import { htmlPage } from '../html-page.ts';

const statusOf: Partial<Record<ProblemCode, number>> = {
  internal: 500,
  unavailable: 503,
  'storage-full': 503,
  'try-again': 503,
  'malformed-request': 400,
  'request-too-large': 400,
};

export const frontDialect: Dialect = (problem, _request, reply) => {
  const page = htmlPage('Nameglass', `<h1>Nameglass</h1><p>${escapeHtml(problem.message)}</p>`);
  return reply
    .code(statusOf[problem.code] ?? 404)
    .type('text/html; charset=utf-8')
    .send(page);
};
