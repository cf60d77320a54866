/** `nameglass monitor precision`, `suggestions`, `accept`, `dismiss` and `take-back`: what is learned from decisions. */
import { type Command, Option } from 'commander';
import { type Column, member } from '../../listing/column.ts';
import type { CliNeeds } from '../../needs.ts';
import { counted } from '../../output.ts';
import { type Remote, type RemoteOptions, remoteAction, withRemote } from '../remote-command.ts';
import { showOne } from '../show-one.ts';
import { allMonitors } from './all-monitors.ts';
import type { BackTest } from './back-test-change.ts';

const attributes = {
  monitor: 'monitors',
  class: 'classes',
  registrar: 'registrars',
  'name-server': 'name_servers',
} as const;

interface DecidedValue {
  readonly value: string;
  readonly watched: number;
  readonly escalated: number;
  readonly ignored: number;
  readonly precision: number;
}

type Precision = Readonly<Record<(typeof attributes)[keyof typeof attributes], readonly DecidedValue[]>> &
  Omit<DecidedValue, 'value'>;

interface Change {
  readonly monitor_id: string;
  readonly change: 'exclude-name-servers' | 'exclude-text' | 'no-substring-variations';
  readonly value: string;
}

interface Suggestion extends Change {
  readonly id: string;
  readonly term: string;
  readonly declared_in: string | null;
  readonly watched: number;
  readonly ignored: number;
  /** Domains that would no longer have been found; filled in on request. */
  readonly disappearing?: number | undefined;
}

interface Answer extends Change {
  readonly id: string;
  readonly answer: 'accepted' | 'dismissed';
  readonly watched: number;
  readonly ignored: number;
  readonly created_by: string;
  readonly created_date: string;
  readonly undone_by: string | null;
}

const path = '/v1/intel-detect/suggestions/';

export function addLearning(monitor: Command, needs: CliNeeds): void {
  const precision = monitor
    .command('precision')
    .description('how often what was found was worth attention, by what was decided')
    .addOption(
      new Option('--by <attribute>', 'what the decisions are grouped by')
        .choices(Object.keys(attributes))
        .default('monitor'),
    );
  withRemote(precision).action(remoteAction(needs, showPrecision));
  const suggestions = monitor
    .command('suggestions')
    .description('changes that would have left out what was ignored; nothing changes by itself')
    .option('--back-test', 'with how many domains of the last 90 days each would have left out')
    .option('--answers', 'what was answered to earlier ones instead');
  withRemote(suggestions).action(remoteAction(needs, listSuggestions));
  const accept = monitor.command('accept').description('accept a suggestion: its monitor changes');
  const dismiss = monitor
    .command('dismiss')
    .description('dismiss a suggestion until twice as many domains were ignored');
  withRemote(accept.argument('<suggestion>', 'its id')).action(remoteAction(needs, answering('accepted')));
  withRemote(dismiss.argument('<suggestion>', 'its id')).action(remoteAction(needs, answering('dismissed')));
  const undo = monitor
    .command('take-back')
    .description('take back an answer to a suggestion, and what it changed')
    .argument('<answer>', 'its id, of nameglass monitor suggestions --answers');
  withRemote(undo).action(remoteAction(needs, takeBack));
}

const precisionColumns: readonly Column<DecidedValue>[] = [
  member('value', { keep: true }),
  { name: 'precision', value: ({ precision }) => `${(precision * 100).toFixed(precision < 0.1 ? 1 : 0)} %` },
  member('watched'),
  member('escalated'),
  member('ignored'),
];

async function showPrecision(remote: Remote): Promise<void> {
  const { by } = remote.options as RemoteOptions & { readonly by: keyof typeof attributes };
  const found = await remote.client.json<Precision>('/v1/intel-detect/precision/');
  const terms = new Map<string, string>();
  if (by === 'monitor') for await (const { id, term } of allMonitors(remote)) terms.set(id, term);
  const output = remote.listing(precisionColumns);
  for (const value of found[attributes[by]])
    await output.add({ ...value, value: terms.get(value.value) ?? value.value });
  await output.end();
  remote.note(
    `${counted(found.watched, 'domain')} watched, ${found.escalated} of them escalated; ${found.ignored} ignored.`,
  );
}

const suggestionColumns: readonly Column<Suggestion>[] = [
  member('term', { keep: true }),
  { name: 'suggestion', keep: true, value: changeText },
  { name: 'ignored', value: ({ ignored, watched }) => `${ignored} of ${ignored + watched}` },
  { name: 'disappearing', title: 'WOULD GO', value: ({ disappearing }) => disappearing },
  member('declared_in'),
  member('id', { keep: true }),
];

const answerColumns: readonly Column<Answer>[] = [
  { name: 'date', value: ({ created_date: date }) => date.slice(0, 10) },
  member('answer'),
  { name: 'suggestion', keep: true, value: changeText },
  member('created_by', { title: 'BY' }),
  member('undone_by', { title: 'TAKEN BACK BY' }),
  member('id', { keep: true }),
];

function changeText({ change, value }: Change): string {
  if (change === 'exclude-name-servers') return `exclude domains on ${value}`;
  if (change === 'exclude-text') return `exclude names with ${value}`;
  return 'no variations inside longer names';
}

async function listSuggestions(remote: Remote): Promise<void> {
  const { answers: wantsAnswers = false, backTest = false } = remote.options as RemoteOptions & {
    readonly answers?: boolean;
    readonly backTest?: boolean;
  };
  const found = await remote.client.json<{
    readonly suggestions: readonly Suggestion[];
    readonly answers: readonly Answer[];
  }>(path);
  if (wantsAnswers) {
    const output = remote.listing(answerColumns);
    for (const answer of found.answers) await output.add(answer);
    return output.end();
  }
  const output = remote.listing(suggestionColumns);
  for (const suggestion of found.suggestions)
    await output.add(
      backTest ? { ...suggestion, disappearing: await countDisappearing(remote, suggestion) } : suggestion,
    );
  await output.end();
  if (found.suggestions.length === 0)
    remote.note('There are none: they need at least 15 ignored domains that have something in common.');
  else remote.note('nameglass monitor accept ID makes the change; nameglass monitor take-back undoes it.');
}

async function countDisappearing(remote: Remote, suggestion: Suggestion): Promise<number | undefined> {
  for await (const monitor of allMonitors(remote)) {
    if (monitor.id !== suggestion.monitor_id) continue;
    const { text_exclusions: texts, nameserver_exclusions: servers } = monitor;
    const body = {
      monitor_id: monitor.id,
      ...(suggestion.change === 'exclude-text' && { text_exclusions: [...texts, suggestion.value] }),
      ...(suggestion.change === 'exclude-name-servers' && {
        nameserver_exclusions: [...servers, suggestion.value],
      }),
      ...(suggestion.change === 'no-substring-variations' && { match_substring_variations: false }),
      limit: 1,
    };
    const test = await remote.client.json<BackTest>('/v1/intel-detect/monitors/back-test/', { body });
    return test.disappearing.total_count;
  }
  return undefined;
}

function answering(answer: Answer['answer']) {
  return async (remote: Remote, id: string): Promise<void> => {
    const made = await remote.client.json<Answer>(path, { body: { suggestion_id: id, answer } });
    await showAnswer(remote, made);
    remote.note(`nameglass monitor take-back ${made.id} undoes it.`);
  };
}

async function takeBack(remote: Remote, id: string): Promise<void> {
  const answer = await remote.client.json<Answer>(`${path}undo/`, { body: { answer_id: id } });
  await showAnswer(remote, answer);
  remote.note('Taken back.');
}

function showAnswer(remote: Remote, answer: Answer): Promise<void> {
  const sections = (row: Answer) => [
    {
      details: [
        { name: 'suggestion', value: changeText(row) },
        { name: 'answer', value: row.answer },
        { name: 'ignored', value: `${row.ignored} of ${row.ignored + row.watched}` },
        { name: 'id', value: row.id },
      ],
    },
  ];
  return showOne(answer, { columns: answerColumns, sections }, remote);
}
