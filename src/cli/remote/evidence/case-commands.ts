/** `nameglass evidence list`, `show`, `change`, `download` and `delete`: the cases of packs. */
import type { Command } from 'commander';
import type { EvidenceAnswer, EvidenceCase, EvidenceCaseAnswer } from '../../../client/answers.ts';
import { escapeForTerminal } from '../../../model/escape-for-terminal.ts';
import { type Column, member } from '../../listing/column.ts';
import type { CliNeeds } from '../../needs.ts';
import { print } from '../../output.ts';
import { type Remote, type RemoteOptions, remoteAction, withRemote, withServer } from '../remote-command.ts';
import { usageFailure } from '../remote-failure.ts';
import { showOne } from '../show-one.ts';
import { downloadPack } from './download-pack.ts';

const changeHelp = `
Only what is given changes. Dates are days or instants of ISO 8601; an empty text removes one.

Examples:
  nameglass evidence change 1f0c2d3e --sent 2026-11-17
  nameglass evidence change 1f0c2d3e --answered 2026-11-20 --outcome taken-down
`;

interface CaseOptions {
  readonly letter?: boolean;
  readonly out?: string;
  readonly recipient?: string;
  readonly recipientName?: string;
  readonly note?: string;
  readonly sent?: string;
  readonly answered?: string;
  readonly outcome?: string;
}

const path = '/v1/evidence/';

const columns: readonly Column<EvidenceCase>[] = [
  member('id', { keep: true }),
  member('created'),
  { name: 'domains', value: ({ domains }) => domains.join(' ') },
  member('recipient'),
  { name: 'sent', value: ({ sent }) => sent?.slice(0, 10) ?? '' },
  { name: 'answered', value: ({ answered }) => answered?.slice(0, 10) ?? '' },
  member('outcome'),
];

export function addCaseCommands(evidence: Command, needs: CliNeeds): void {
  withRemote(
    evidence.command('list').description('list the packs that were made, and what became of them'),
  ).action(remoteAction(needs, listCases));
  const show = evidence
    .command('show')
    .description('show a case')
    .argument('<id>', 'of the case, or how it begins')
    .option('--letter', 'print the letter to its recipient alone, to copy it');
  withRemote(show).action(remoteAction(needs, showCase));
  const change = evidence
    .command('change')
    .description('note what became of a case')
    .argument('<id>', 'of the case, or how it begins')
    .option('--recipient <kind>', 'registrar, hosting-provider, lawyer, takedown-service or other')
    .option('--recipient-name <name>', 'how the recipient is addressed')
    .option('--note <text>', 'note of the case; the report keeps its own')
    .option('--sent <date>', 'when a person sent it')
    .option('--answered <date>', 'when the recipient answered')
    .option('--outcome <word>', 'open, taken-down, suspended, refused, unanswered or closed')
    .addHelpText('after', changeHelp);
  withRemote(change).action(remoteAction(needs, changeCase));
  const download = evidence
    .command('download')
    .description('download the pack of a case')
    .argument('<id>', 'of the case, or how it begins')
    .option('--out <file>', 'file to write; it must not exist (default: evidence-ID.zip)');
  withServer(download).action(remoteAction(needs, downloadCase));
  const remove = evidence
    .command('delete')
    .description('delete a case and its pack')
    .argument('<id>', 'of the case, whole');
  withServer(remove).action(remoteAction(needs, deleteCase));
}

async function listCases({ client, listing }: Remote): Promise<void> {
  const { response } = await client.json<EvidenceAnswer>(path, { query: { limit: 500 } });
  const output = listing(columns);
  for (const made of response.cases) await output.add(made);
  await output.end();
}

async function showCase(remote: Remote, begin: string): Promise<void> {
  const made = await findCase(remote, begin);
  const { letter } = remote.options as RemoteOptions & CaseOptions;
  if (letter)
    for (const line of [made.letter.subject, '', ...made.letter.text.trimEnd().split('\n')])
      print(escapeForTerminal(line));
  else await showOne(made, { columns, sections: sectionsOf }, remote);
}

async function changeCase(remote: Remote, begin: string): Promise<void> {
  const { recipient, recipientName, note, sent, answered, outcome } = remote.options as RemoteOptions &
    CaseOptions;
  const given = { recipient, recipient_name: recipientName, note, sent, answered, outcome };
  const change = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  if (Object.keys(change).length === 0) throw usageFailure('say what changes, such as --outcome taken-down');
  const { id } = await findCase(remote, begin);
  const body = { id, ...change };
  const { response } = await remote.client.json<EvidenceCaseAnswer>(path, { method: 'PATCH', body });
  await showOne(response, { columns, sections: sectionsOf }, remote);
}

async function downloadCase(remote: Remote, begin: string): Promise<void> {
  const { out } = remote.options as RemoteOptions & CaseOptions;
  await downloadPack(await findCase(remote, begin), out, remote);
}

async function deleteCase({ client }: Remote, id: string): Promise<void> {
  await client.json(path, { method: 'DELETE', query: { id } });
  print('The case and its pack were deleted.');
}

/** By its id, or by the first characters that no other case has. */
async function findCase({ client }: Remote, begin: string): Promise<EvidenceCase> {
  if (!/^[0-9a-f-]{4,36}$/.test(begin))
    throw usageFailure('the id of a case has digits, a to f and hyphens; give at least four characters');
  const query = begin.length === 36 ? { id: begin } : { limit: 500 };
  const { response } = await client.json<EvidenceAnswer>(path, { query });
  const [found, other] = response.cases.filter(({ id }) => id.startsWith(begin));
  if (!found) throw usageFailure(`no case begins with ${begin}`);
  if (other) throw usageFailure(`several cases begin with ${begin}: give more of the id`);
  return found;
}

function sectionsOf(made: EvidenceCase) {
  const { id, created, created_by, domains, recipient, recipient_name, note, sent, answered, outcome, pack } =
    made;
  const details = {
    case: id,
    domains: domains.join(', '),
    outcome,
    recipient: recipient_name === '' ? recipient : `${recipient}, ${recipient_name}`,
    sent,
    answered,
    note,
    made: `${created} by ${created_by}`,
    pack: `${pack.bytes} bytes`,
    'SHA-256': pack.sha256,
  };
  return [{ details: Object.entries(details).map(([name, value]) => ({ name, value })) }];
}
