/** Names as people have them: arguments, lines of standard input, defanged, or inside a URL. */
import { createInterface } from 'node:readline';
import { usageFailure } from './remote-failure.ts';

/**
 * The values of the arguments, and of standard input where an argument is `-` or there is none and something is piped in. Lines may hold
 * several, separated by spaces or commas; what follows `#` is a comment.
 */
export async function* givenValues(args: readonly string[], what: string): AsyncGenerator<string> {
  const { stdin } = process;
  let count = 0;
  for (const value of args.filter((arg) => arg !== '-')) {
    count += 1;
    yield value;
  }
  if (args.includes('-') || (args.length === 0 && !stdin.isTTY)) {
    for await (const line of createInterface({ input: stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
      for (const value of line.replace(/(?:^|\s)#.*$/, '').split(/[\s,]+/)) {
        if (value === '') continue;
        count += 1;
        yield value;
      }
    }
  }
  if (count === 0) throw usageFailure(`no ${what} given: as arguments, or one per line on standard input`);
}

/** Groups of at most `size`. */
export async function* inGroups<Value>(values: AsyncIterable<Value>, size: number): AsyncGenerator<Value[]> {
  let group: Value[] = [];
  for await (const value of values) {
    group.push(value);
    if (group.length < size) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

export async function collected<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const all: Value[] = [];
  for await (const value of values) all.push(value);
  return all;
}

/** `hxxps[:]//evil[.]example` as it is really written. */
export function refanged(text: string): string {
  return text
    .replaceAll(/\[\.\]|\(\.\)|\{\.\}|\[dot\]|\(dot\)/gi, '.')
    .replaceAll(/\[:\]|\[:\/\/\]/g, (found) => found.slice(1, -1))
    .replaceAll(/\[at\]|\[@\]/gi, '@')
    .replace(/^(?:hxxp|h__p|hXXp)(s?):/i, 'http$1:')
    .replace(/^fxp:/i, 'ftp:');
}

/** The host of a URL or e-mail address, or the name itself, without the final dot. */
export function hostIn(text: string): string {
  const plain = refanged(text.trim());
  const [, afterScheme] = /^[a-z][a-z0-9+.-]*:\/\/(.*)$/i.exec(plain) ?? [];
  const authority = (afterScheme ?? plain).split(/[/?#\\]/, 1)[0] ?? '';
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  const withoutPort = /^[^:]+:\d+$/.test(host) ? host.slice(0, host.indexOf(':')) : host;
  return withoutPort
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase();
}
