/** `nameglass match`: finds lookalikes in a list of names, without a server or data. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import { decompress } from '../collect/input/decompress.ts';
import { escapeForTerminal } from '../model/escape-for-terminal.ts';
import { type LookalikeMatch, type MatchClass, matchClasses } from '../model/lookalike/match.ts';
import { Problem } from '../model/problem.ts';
import { collect } from './argument-readers.ts';
import { openInput } from './import/input-file.ts';
import { progressLine } from './progress-line.ts';
import { withSettings } from './settings-options.ts';

interface Options {
  readonly term?: readonly string[];
  readonly terms?: string;
  readonly substringVariations?: boolean;
  readonly summary?: boolean;
}

const help = `
Examples:
  nameglass match --term paypal --term acmebank new-domains.txt.gz
  zcat names.gz | nameglass match --terms brands.txt --substring-variations - | jq -r .domain

An input line is one name, a domain or a host, in punycode or Unicode. An output line is one match: the name, the term, the class of
the match, the edit distance, the matched text, and the steps from the term to it. docs/lookalikes.md describes the classes, and
which of them apply to short terms.
`;

const termCharactersMin = 3;
const lf = 10;
/** A longer line does not hold a name. */
const lineBytesMax = 65_536;

export function addMatch(program: Command): void {
  const command = program.command('match');
  // It reads no settings, but accepts the options of every command.
  withSettings(command)
    .argument('<file>', 'a file, plain or compressed with gzip or zstd; - reads standard input')
    .option('--term <term>', 'a term to search for; may be repeated', collect(readTerm))
    .option('--terms <file>', 'a file with one term per line')
    .option('--substring-variations', 'also find variations inside longer labels, not only of whole labels')
    .option('--summary', 'print the number of names and of matches by class to standard error')
    .addHelpText('after', help)
    .action((file: string, options: Options) => matchFile(file, options));
}

async function matchFile(file: string, options: Options): Promise<void> {
  const terms = [...(options.term ?? []), ...(options.terms === undefined ? [] : termsOf(options.terms))];
  if (terms.length === 0) throw new Problem('invalid-parameters', 'no terms given; use --term or --terms');
  // Loaded on demand, so that other commands start faster.
  const { Matcher } = await import('../model/lookalike/matcher.ts');
  const { explain } = await import('../product/detect/explanation.ts');
  const substringVariations = options.substringVariations ?? false;
  const matcher = new Matcher(terms.map((text) => ({ text, substringVariations })));
  const progress = progressLine();
  const found = new Map<MatchClass, number>();
  let [names, matches] = [0, 0];
  let text = '';
  const onHit = (domain: string, hits: readonly LookalikeMatch[]) => {
    for (const hit of hits) {
      text += `${JSON.stringify({ ...onLine(domain, terms[hit.term] as string, hit), explanation: explain(hit), steps: hit.steps })}\n`;
      found.set(hit.class, (found.get(hit.class) ?? 0) + 1);
      matches += 1;
    }
  };
  for await (const lines of wholeLines(decompress(openInput(file).bytes()))) {
    matcher.scanLines(lines, onHit);
    for (let at = lines.indexOf(lf); at >= 0; at = lines.indexOf(lf, at + 1)) names += 1;
    progress.show(`${names.toLocaleString('en')} names, ${matches.toLocaleString('en')} matches`);
    if (text === '') continue;
    await write(text);
    text = '';
  }
  progress.clear();
  if (options.summary) process.stderr.write(summary(names, matches, found));
}

function onLine(domain: string, term: string, match: LookalikeMatch) {
  const { class: kind, distance, text, name } = match;
  return {
    domain: domain.toLowerCase(),
    ...(name === domain.toLowerCase() ? {} : { unicode: name }),
    term,
    class: kind,
    distance,
    text,
  };
}

/** Escapes control characters on a terminal. */
async function write(text: string): Promise<void> {
  const { stdout } = process;
  const shown = stdout.isTTY ? text.split('\n').map(escapeForTerminal).join('\n') : text;
  if (!stdout.write(shown)) await once(stdout, 'drain');
}

/** Regroups chunks so that each ends at a line end; the last line may lack its newline. */
async function* wholeLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest: Uint8Array = new Uint8Array(0);
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(lf) + 1;
    if (end > 0) yield Buffer.concat([rest, chunk.subarray(0, end)]);
    const open = end > 0 ? chunk.subarray(end) : Buffer.concat([rest, chunk]);
    rest = open.length > lineBytesMax ? open.subarray(0, lineBytesMax) : Uint8Array.from(open);
  }
  if (rest.length > 0) yield Buffer.concat([rest, Buffer.from('\n')]);
}

function summary(names: number, matches: number, found: ReadonlyMap<MatchClass, number>): string {
  const classes = matchClasses
    .filter((kind) => found.has(kind))
    .map((kind) => `  ${kind.padEnd(20)} ${(found.get(kind) ?? 0).toLocaleString('en')}\n`);
  return `${names.toLocaleString('en')} names, ${matches.toLocaleString('en')} matches\n${classes.join('')}`;
}

/** Skips terms that are too short, with a warning. */
function termsOf(file: string): readonly string[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  const terms = lines.map((line) => line.trim()).filter((line) => line !== '');
  const usable = terms.filter(isLongEnough);
  const short = terms.length - usable.length;
  if (short > 0)
    process.stderr.write(
      `${short} of the ${terms.length} terms in ${escapeForTerminal(file)} have fewer than ${termCharactersMin} characters and are skipped\n`,
    );
  return usable;
}

function isLongEnough(term: string): boolean {
  return Array.from(term).length >= termCharactersMin;
}

function readTerm(text: string): string {
  const term = text.trim();
  if (!isLongEnough(term))
    throw new InvalidArgumentError(`A term has at least ${termCharactersMin} characters.`);
  return term;
}
