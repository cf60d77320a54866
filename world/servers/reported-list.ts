/** What a community publishes: the domains that people have reported, one a line, the earliest report first. */
import { hash } from 'node:crypto';
import type { WorldView } from '../world-domain.ts';
import { inText, type Reply, type Visit } from './web/reply.ts';

export const reportsHost = 'lists.safenet.test';

const path = '/reported.txt';
const heading =
  '# Domains that were reported as phishing.\n# Please do not fetch this more than once a minute.\n';

/** How to read it, as a list of known bad domains. */
export const reportedList = {
  name: 'reported',
  location: `https://${reportsHost}${path}`,
  label: 'phishing',
  everyMinutes: 1,
} as const;

export function answerForReports(view: Pick<WorldView, 'domains'>, { url, request }: Visit): Reply {
  if (url.pathname !== path) return inText(404, 'not found');
  const text = heading + listReported(view).join('');
  const etag = `"${hash('sha256', text).slice(0, 16)}"`;
  const isKnown = request.headers['if-none-match'] === etag;
  return { ...inText(isKnown ? 304 : 200, isKnown ? '' : text), headers: { etag } };
}

function listReported(view: Pick<WorldView, 'domains'>): readonly string[] {
  return [...view.domains()]
    .flatMap(({ name, reportedMs }) => (reportedMs === undefined ? [] : [{ name, reportedMs }]))
    .sort((one, other) => one.reportedMs - other.reportedMs || (one.name < other.name ? -1 : 1))
    .map(({ name }) => `${name}\n`);
}
