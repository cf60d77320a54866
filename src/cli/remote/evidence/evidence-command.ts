/** `nameglass evidence`: makes evidence packs on a server, lists their cases, and verifies a pack without any server. */
import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { escapeForTerminal } from '../../../model/escape-for-terminal.ts';
import { type Column, member } from '../../listing/column.ts';
import type { CliNeeds } from '../../needs.ts';
import { print } from '../../output.ts';
import { withSettings } from '../../settings-options.ts';
import { givenValues, hostIn } from '../given-names.ts';
import { type Remote, type RemoteOptions, remoteAction, withRemote, withServer } from '../remote-command.ts';
import { usageFailure } from '../remote-failure.ts';
import { type VerifyOptions, verifyFile } from './verify-file.ts';

const help = `
The pack is a ZIP file: screenshots, raw answers of servers, a report (PDF), and a signed manifest with the checksum of every file.
Nothing is sent to anybody; "evidence list --format json" has a letter to copy for each recipient.

Examples:
  nameglass evidence acme-login.example
  nameglass evidence acme-login.example acme-pay.example --recipient registrar --recipient-name "Registrar Ltd"
  nameglass evidence verify evidence-1f0c2d3e.zip --key sender.pem
`;

const verifyHelp = `
Without --key the signature is checked with the key in the pack, which may have been replaced together with the rest: compare the
fingerprint that is printed with that of the sender. The exit code is 1 if anything is changed, missing or added.

Examples:
  nameglass evidence verify evidence-1f0c2d3e.zip
  nameglass evidence verify evidence-1f0c2d3e.zip --key sender.pem
`;

interface CaseAnswer {
  readonly id: string;
  readonly created: string;
  readonly domains: readonly string[];
  readonly recipient: string;
  readonly outcome: string;
  readonly pack: { readonly sha256: string; readonly bytes: number; readonly path: string };
}

interface MakeOptions {
  readonly out?: string;
  readonly recipient?: string;
  readonly recipientName?: string;
  readonly note?: string;
}

const columns: readonly Column<CaseAnswer>[] = [
  member('id', { keep: true }),
  member('created'),
  { name: 'domains', value: ({ domains }) => domains.join(' ') },
  member('recipient'),
  member('outcome'),
];

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
  withRemote(evidence.command('list').description('list the packs that were made')).action(
    remoteAction(needs, listCases),
  );
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
  const { response } = await remote.client.json<{ response: CaseAnswer }>('/v1/evidence/', { body });
  const { id, pack } = response;
  const query = { id };
  const download = await remote.client.request('/v1/evidence/pack/', { query });
  const bytes = Buffer.from(await download.arrayBuffer());
  const file = out ?? `evidence-${id.slice(0, 8)}.zip`;
  try {
    await writeFile(file, bytes, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw usageFailure(`${file} exists already and is not changed; the pack ${id} is on the server`);
  }
  print(escapeForTerminal(`${file}  ${bytes.length} bytes  SHA-256 ${pack.sha256}`));
}

async function listCases({ client, listing }: Remote): Promise<void> {
  const { response } = await client.json<{ response: { cases: readonly CaseAnswer[] } }>('/v1/evidence/');
  const output = listing(columns);
  for (const made of response.cases) await output.add(made);
  await output.end();
}
