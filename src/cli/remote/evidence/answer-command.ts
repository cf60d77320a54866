/** `nameglass evidence answers`: what servers answered to collectors about a domain, and the bytes of one answer. */
import type { Command } from 'commander';
import type { EvidenceAnswersAnswer, RawAnswer } from '../../../client/answers.ts';
import { type Column, member } from '../../listing/column.ts';
import type { CliNeeds } from '../../needs.ts';
import { hostIn } from '../given-names.ts';
import { type Remote, type RemoteOptions, remoteAction, withRemote } from '../remote-command.ts';
import { usageFailure } from '../remote-failure.ts';
import { writeNewFile } from './download-pack.ts';

const help = `
Without --out the bytes go to standard output as they are, unless that is a terminal, which hostile text could control.

Examples:
  nameglass evidence answers acme-login.example
  nameglass evidence answers acme-login.example --sha256 5f0c… --out answer.bin
`;

interface AnswerOptions {
  readonly sha256?: string;
  readonly out?: string;
}

const columns: readonly Column<RawAnswer>[] = [
  { name: 'last_seen', value: ({ last_seen: seen }) => seen.slice(0, 19).replace('T', ' ') },
  member('collector'),
  member('kind'),
  member('asked', { keep: true }),
  member('request'),
  member('bytes'),
  member('sha256', { keep: true }),
];

export function addAnswers(evidence: Command, needs: CliNeeds): void {
  const answers = evidence
    .command('answers')
    .description('list what servers answered about a domain, or get the bytes of one answer')
    .argument('<domain>', 'a domain, or a host name below it')
    .option('--sha256 <hash>', 'the bytes of this answer instead of the list')
    .option('--out <file>', 'file for the bytes; it must not exist (default: standard output)')
    .addHelpText('after', help);
  withRemote(answers).action(remoteAction(needs, listAnswers));
}

async function listAnswers({ client, listing, note, options }: Remote, written: string): Promise<void> {
  const { sha256, out } = options as RemoteOptions & AnswerOptions;
  const domain = hostIn(written);
  if (sha256 !== undefined) {
    if (out === undefined && process.stdout.isTTY)
      throw usageFailure(
        'a terminal may be controlled by what a server answered: give --out FILE, or a pipe',
      );
    const query = { domain, sha256 };
    const bytes = Buffer.from(await (await client.request('/v1/evidence/answer/', { query })).arrayBuffer());
    if (out === undefined) process.stdout.write(bytes);
    else await writeNewFile(out, bytes, 'the answer is on the server');
    return;
  }
  const { response } = await client.json<EvidenceAnswersAnswer>('/v1/evidence/answers/', {
    query: { domain },
  });
  const output = listing(columns);
  for (const answer of response.answers) await output.add(answer);
  await output.end();
  if (response.answers.length === 0) note(`No answer about ${response.domain} is kept.`);
}
