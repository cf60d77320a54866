/** Classifies a WHOIS answer: a record, no match, or a rate limit. */
import { meaningOf } from './key-meaning.ts';

export type WhoisAnswerKind = 'record' | 'no-match' | 'refused' | 'empty';

const headLengthMax = 16_384;
const lineLengthMax = 200;
const linesMax = 60;

const noMatchPhrases = phrases(`
  no match, not found, no data found, no entries found, nothing found, no object found,
  no such domain, no matching, no records, no record found, no information available,
  not registered, not been registered, does not exist, is available, is free, returned 0 objects,
  no domain, not exist, no existe, not in use, no found, is not in our, do not have an entry,
  no whois information, object_not_found, domain unknown, no se encuentra,
  is not available for registration, not available for registration, unallocated, no results,
  reserved name, is reserved, invalid query, invalid domain, out of this registry,
  available for purchase
`);

const noMatchStatuses = new Set([
  'free',
  'available',
  'avail',
  'invalid',
  'not registered',
  'no object found',
  'not found',
  '220 available',
]);

const refusedPhrases = phrases(`
  limit exceeded, exceeded the, quota exceeded, exceeded your, rate limit, too many, limit reached,
  temporarily unavailable, temporarily unable, currently unavailable, access denied, blacklisted,
  try again, has been blocked, been banned, excessive querying, server is busy, server busy,
  please wait, query rate, requests exceeded, queries per, been restricted, connection refused,
  denied
`);

export function classifyWhois(text: string): WhoisAnswerKind {
  const lines = text
    .slice(0, headLengthMax)
    .split('\n')
    .map((line) => line.slice(0, lineLengthMax).trim().toLowerCase())
    .filter((line) => line !== '');
  if (lines.length === 0) return 'empty';
  // Terms of use mention limits and missing data, so the keys of a record are decisive.
  const known = countFacts(lines);
  if (known >= 3) return 'record';
  const [first, second] = [lines.filter((line) => !/^[%#;]/.test(line)), lines].map((some) =>
    some.slice(0, linesMax),
  );
  if ([...(first ?? []), ...(second ?? [])].some(saysNoMatch)) return 'no-match';
  if (known === 0 && (second ?? []).some((line) => refusedPhrases.some((phrase) => line.includes(phrase))))
    return 'refused';
  return first?.length === 0 ? 'empty' : 'record';
}

function saysNoMatch(line: string): boolean {
  const [, key = '', value = ''] = /^([a-z _]{2,30}):\s{0,60}(.+)$/.exec(line) ?? [];
  if (/(?:status|availability)$/.test(key)) return noMatchStatuses.has(value.replace(/\.$/, ''));
  return noMatchPhrases.some((phrase) => line.includes(phrase));
}

/** Counts entries that only a registered domain has. */
function countFacts(lines: readonly string[]): number {
  let count = 0;
  for (const line of lines) {
    const colon = line.slice(0, 100).search(/[:\]]/);
    if (colon < 1 || /^[%#;>*]/.test(line) || line.length === colon + 1) continue;
    const meaning = meaningOf(line.slice(0, colon));
    if (meaning !== undefined && !['domain', 'whois-server', 'status', 'state'].includes(meaning.is))
      count += 1;
  }
  return count;
}

function phrases(text: string): readonly string[] {
  return text.split(',').map((phrase) => phrase.trim());
}
