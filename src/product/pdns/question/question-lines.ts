/** The same question for the command line: the address that curl requests, and the words of dnsdbq and dnsdbflex. */
import { isFlexible, parametersOf, pathOf, type QuestionOptions } from './question-query.ts';
import type { Question } from './read-question.ts';

/** Below the root of the server, such as `/pdns/v2/lookup/rrset/name/example.com?limit=100`. */
export function addressOf(question: Question, options: QuestionOptions): string {
  const path = pathOf(question, options.verb).map(encodeURIComponent).join('/');
  const parameters = [...parametersOf(question, options)]
    .filter(([name]) => name !== 'cursor')
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `/pdns/v2/${path}?${parameters.join('&')}`;
}

export function dnsdbqLine(question: Question, options: QuestionOptions): string {
  const { fromSeconds, toSeconds, raw = false, limit, verb } = options;
  const words = isFlexible(question)
    ? flexWords(question)
    : [
        'dnsdbq',
        ...lookupWords(question),
        ...(verb === 'summarize' ? ['-V', 'summarize'] : []),
        ...(raw ? ['-g'] : []),
      ];
  return [
    ...words,
    ...(fromSeconds === undefined ? [] : ['-A', String(fromSeconds)]),
    ...(toSeconds === undefined ? [] : ['-B', String(toSeconds)]),
    '-l',
    String(limit),
  ]
    .map(quoted)
    .join(' ');
}

function lookupWords({ path }: Question): readonly string[] {
  const [direction, kind, value = '', type] = path;
  if (kind === 'ip') return ['-i', value.replace(',', '/')];
  const name = type === undefined ? value : `${value}/${type}`;
  return [direction === 'rrset' ? '-r' : '-n', name];
}

function flexWords({ path }: Question): readonly string[] {
  const [kind, over = '', pattern = '', type] = path;
  return ['dnsdbflex', `--${kind}`, pattern, '-s', over, ...(type === undefined ? [] : ['-t', type])];
}

/** For a POSIX shell. */
function quoted(word: string): string {
  return /^[\w./:,@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
