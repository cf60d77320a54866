/** `nameglass blocklist`: the domains escalated as blocked, in a format of other software. */
import type { Command } from 'commander';
import { type Column, member } from '../listing/column.ts';
import type { Section } from '../listing/details.ts';
import { openSink } from '../listing/sink.ts';
import type { CliNeeds } from '../needs.ts';
import { type Remote, type RemoteOptions, remoteAction, withRemote } from './remote-command.ts';
import { usageFailure } from './remote-failure.ts';
import { showAll } from './show-one.ts';

interface Options extends RemoteOptions {
  readonly format: string;
  readonly links?: boolean;
}

interface Blocklist {
  readonly format: string;
  readonly description: string;
  readonly url: string;
}

const linkColumns: readonly Column<Blocklist>[] = [member('format'), member('description'), member('url')];

const linkSections = ({ format, description, url }: Blocklist): readonly Section[] => [
  {
    title: format,
    details: [
      { name: 'for', value: description },
      { name: 'link', value: url },
    ],
  },
];

const help = `
Examples:
  nameglass blocklist > blocked.txt
  nameglass blocklist --format rpz -o /etc/bind/blocked.rpz
  nameglass blocklist --links
`;

export function addBlocklist(program: Command, needs: CliNeeds): void {
  const command = program
    .command('blocklist')
    .option('--format <name>', 'plain, rpz, hosts …; --links lists all of them', 'plain')
    .option('--links', 'list the formats, with links that need no key: keep them as secret as a key');
  withRemote(command).addHelpText('after', help).action(remoteAction(needs, blocklist));
}

async function blocklist(remote: Remote): Promise<void> {
  const { client, target, options } = remote;
  const { format, links = false, output: file } = options as Options;
  const { blocklists } = await client.json<{ blocklists: readonly Blocklist[] }>(
    '/v1/intel-detect/blocklists/',
  );
  if (links) {
    const rows = (async function* () {
      yield* blocklists;
    })();
    await showAll(rows, { columns: linkColumns, sections: linkSections }, remote);
    return;
  }
  const found = blocklists.find((each) => each.format === format);
  if (!found)
    throw usageFailure(
      `--format: there is no ${format}; there are ${blocklists.map((each) => each.format).join(', ')}`,
    );
  // The link has the public address of the server, which need not be the one that we reach it at.
  const { pathname, search } = new URL(found.url);
  const response = await client.request(new URL(pathname + search, target.server).href);
  const sink = await openSink(file);
  for await (const chunk of response.body ?? []) await sink.write(chunk);
  await sink.end();
}
