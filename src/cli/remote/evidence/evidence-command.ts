/** `nameglass evidence`: makes evidence packs on a server, lists their cases, and verifies a pack without any server. */
import type { Command } from 'commander';
import type { EvidenceCaseAnswer } from '../../../client/answers.ts';
import type { CliNeeds } from '../../needs.ts';
import { withSettings } from '../../settings-options.ts';
import { givenValues, hostIn } from '../given-names.ts';
import { type Remote, type RemoteOptions, remoteAction, withServer } from '../remote-command.ts';
import { addAnswers } from './answer-command.ts';
import { addCaseCommands } from './case-commands.ts';
import { downloadPack } from './download-pack.ts';
import { type VerifyOptions, verifyFile } from './verify-file.ts';

const help = `
The pack is a ZIP file: screenshots, raw answers of servers, a report (PDF), and a signed manifest with the checksum of every file.
Nothing is sent to anybody; "evidence show ID --letter" prints a letter to copy.

Examples:
  nameglass evidence acme-login.example
  nameglass evidence acme-login.example acme-pay.example --recipient registrar --recipient-name "Registrar Ltd"
  nameglass evidence change 1f0c2d3e --sent 2026-11-17 --outcome taken-down
  nameglass evidence verify evidence-1f0c2d3e.zip --key sender.pem
`;

const verifyHelp = `
Without --key the signature is checked with the key in the pack, which may have been replaced together with the rest: compare the
fingerprint that is printed with that of the sender. The exit code is 1 if anything is changed, missing or added.

Examples:
  nameglass evidence verify evidence-1f0c2d3e.zip
  nameglass evidence verify evidence-1f0c2d3e.zip --key sender.pem
`;

interface MakeOptions {
  readonly out?: string;
  readonly recipient?: string;
  readonly recipientName?: string;
  readonly note?: string;
}

export function addEvidence(program: Command, needs: CliNeeds): void {
  const evidence = program.command('evidence').addHelpText('after', help);
  const make = evidence
    .command('make', { isDefault: true })
    .description('make a pack of domains, and download it')
    .argument('[domains...]', 'domains; - or nothing reads standard input')
    .option('--out <file>', 'file to write; it must not exist (default: evidence-ID.zip)')
    .option('--recipient <kind>', 'registrar, hosting-provider, lawyer, takedown-service or other')
    .option('--recipient-name <name>', 'how the recipient is addressed')
    .option('--note <text>', 'note for the report');
  withServer(make).action(remoteAction(needs, makePack));
  addCaseCommands(evidence, needs);
  addAnswers(evidence, needs);
  withSettings(
    evidence
      .command('verify')
      .description('check a pack, offline: its signature, and every file')
      .argument('<file>', 'the pack')
      .option('--key <file>', 'public key of the sender, in PEM')
      .option('--json', 'print JSON'),
  )
    .addHelpText('after', verifyHelp)
    .action((file: string, options: VerifyOptions) => verifyFile(file, options));
}

async function makePack(remote: Remote, names: readonly string[]): Promise<void> {
  const { out, recipient, recipientName, note } = remote.options as RemoteOptions & MakeOptions;
  const domain: string[] = [];
  for await (const name of givenValues(names, 'domains')) domain.push(hostIn(name));
  const body = {
    domain,
    ...(recipient === undefined ? {} : { recipient }),
    ...(recipientName === undefined ? {} : { recipient_name: recipientName }),
    ...(note === undefined ? {} : { note }),
  };
  const { response } = await remote.client.json<EvidenceCaseAnswer>('/v1/evidence/', { body });
  await downloadPack(response, out, remote);
}
