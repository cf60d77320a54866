/** `nameglass detect requests` and `passive`: what was asked of a domain, and which domains are left in peace. */
import type { Command } from 'commander';
import { collect } from '../../argument-readers.ts';
import { type Column, member } from '../../listing/column.ts';
import type { CliNeeds } from '../../needs.ts';
import { hostIn } from '../given-names.ts';
import { type Remote, type RemoteOptions, remoteAction, withRemote } from '../remote-command.ts';
import { minute } from './watchlist-domain.ts';

interface Request {
  readonly date: string;
  readonly collector: string;
  readonly protocol: string;
  readonly host: string;
  readonly address: string | null;
  readonly port: number;
  readonly source: string | null;
  readonly outcome: string;
}

interface PassiveDomain {
  readonly domain: string;
  readonly set_by: string;
  readonly set_date: string;
}

const requestColumns: readonly Column<Request>[] = [
  { name: 'date', value: ({ date }) => date.slice(0, 19).replace('T', ' ') },
  member('collector'),
  member('protocol'),
  member('host', { keep: true }),
  { name: 'address', value: ({ address, port }) => (address === null ? '' : `${address} ${port}`) },
  { name: 'source', title: 'FROM', value: ({ source }) => source ?? '' },
  member('outcome'),
];

const passiveColumns: readonly Column<PassiveDomain>[] = [
  member('domain', { keep: true }),
  member('set_by', { title: 'BY' }),
  { name: 'set_date', title: 'SET', value: ({ set_date: date }) => minute(date) },
];

export function addOpsec(detect: Command, needs: CliNeeds): void {
  const requests = detect
    .command('requests')
    .description('list what was asked of a domain, of whom, from where and when')
    .argument('<domain>', 'a domain, or a host name below it');
  withRemote(requests).action(remoteAction(needs, listRequests));
  const passive = detect
    .command('passive')
    .description('list or change the domains of whose servers nothing is asked')
    .option('--add <domains...>', 'from now on nothing is asked of their servers', collect(hostIn))
    .option('--remove <domains...>', 'they are collected as others are', collect(hostIn));
  withRemote(passive).action(remoteAction(needs, changePassive));
}

async function listRequests({ client, listing, note }: Remote, domain: string): Promise<void> {
  const answer = await client.json<{
    domain: string;
    passive_only: boolean;
    requests: readonly Request[];
  }>('/v1/intel-detect/requests/', { query: { domain: hostIn(domain) } });
  const output = listing(requestColumns);
  for (const request of answer.requests) await output.add(request);
  await output.end();
  if (answer.requests.length === 0) note(`Nothing was asked of ${answer.domain}.`);
  if (answer.passive_only) note(`${answer.domain} is passive only: nothing is asked of its servers.`);
}

async function changePassive({ client, listing, options }: Remote): Promise<void> {
  const { add, remove } = options as RemoteOptions & { add?: string[]; remove?: string[] };
  const body = { ...(add ? { add } : {}), ...(remove ? { remove } : {}) };
  const { passive_domains: domains } = await client.json<{ passive_domains: readonly PassiveDomain[] }>(
    '/v1/intel-detect/passive-domains/',
    add || remove ? { body } : {},
  );
  const output = listing(passiveColumns);
  for (const domain of domains) await output.add(domain);
  await output.end();
}
