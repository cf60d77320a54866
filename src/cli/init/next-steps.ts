/** What was made, what happens next, and the next command. */
import { escapeForTerminal } from '../../model/escape-for-terminal.ts';
import type { NewKeys } from '../../product/account/operate.ts';
import { commandName } from '../command-name.ts';
import { counted, print } from '../output.ts';
import { wrapText } from '../settings/wrap-text.ts';
import type { Answers } from './answers.ts';

export function printNext(answers: Answers, file: string, made: NewKeys | undefined): void {
  const config = `--config ${quoted(file)}`;
  print(`Wrote ${escapeForTerminal(file)}`);
  if (made) {
    print(`Created user ${made.caller.user.username} with all permissions. The keys are shown only once:`);
    print(`  API key    ${made.apiKey}`);
    print(`  batch key  ${made.batchKey}`);
    if (answers.terms.length > 0) print(`Created ${counted(answers.terms.length, 'monitor')}.`);
  } else if (answers.terms.length > 0)
    print('No account was created, so no monitor either: add monitors in the web UI or over the API.');
  print();
  print('What happens next');
  for (const sentence of nextSentences(answers))
    for (const line of wrapText(sentence, 76)) print(`  ${line}`);
  print();
  print(`Start it:   ${commandName} serve ${config}`);
  if (made) print(`Then:       ${commandName} signin ${made.caller.user.username} ${config}`);
}

function nextSentences({ logs, zoneFiles, nameLists, probesAll }: Answers): readonly string[] {
  const sources = [
    ...(logs.length > 0 ? ['new entries of certificate logs'] : []),
    ...(zoneFiles.length > 0 ? ['zone files'] : []),
    ...(nameLists.length > 0 ? ['lists of names'] : []),
  ];
  if (sources.length === 0)
    return [
      'Without sources the server knows only what you import: nameglass import names FILE. Add sources to the configuration (docs/sources.md).',
    ];
  return [
    `The server reads ${sources.join(' and ')}. Names that resemble a brand appear under Triage within seconds after they were read.`,
    probesAll
      ? 'Every new domain is probed and scored.'
      : 'Lookalikes are probed and scored; other new domains are remembered by name.',
    'Scores become full after a day. docs/sizing.md says what it takes, nameglass doctor what is wrong.',
  ];
}

function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
