/** `nameglass whoami`: the user behind the key, and what the key may do. */
import type { Command } from 'commander';
import { member } from '../listing/column.ts';
import type { CliNeeds } from '../needs.ts';
import { type Remote, remoteAction, withRemote } from './remote-command.ts';
import { showOne } from './show-one.ts';

interface User {
  readonly username: string;
  readonly account: string;
  readonly permissions: readonly string[];
  readonly api_owner: boolean;
  readonly expires: string | null;
  readonly key_allow: readonly string[] | null;
  readonly key_products: readonly string[] | null;
  readonly pdns: boolean;
  readonly channels: readonly number[];
}

type Row = User & { readonly server: string; readonly profile: string | null };

const columns = ['username', 'account', 'permissions', 'expires', 'server', 'profile'].map((name) =>
  member<Row>(name),
);

export function addWhoami(program: Command, needs: CliNeeds): void {
  withRemote(program.command('whoami')).action(remoteAction(needs, whoami));
}

async function whoami(remote: Remote): Promise<void> {
  const { client, target } = remote;
  const { response } = await client.json<{ response: { user: User } }>('/v1/account/user/');
  const row: Row = { server: target.server, profile: target.profileName ?? null, ...response.user };
  await showOne(row, { columns, sections: (user) => [{ details: detailsOf(user) }] }, remote);
}

function detailsOf(user: Row) {
  return [
    { name: 'user', value: `${user.username}${user.api_owner ? ' (API owner)' : ''}` },
    { name: 'account', value: user.account },
    { name: 'permissions', value: user.permissions },
    { name: 'passive DNS', value: user.pdns ? 'yes' : 'no' },
    { name: 'key expires', value: user.expires ?? 'never' },
    { name: 'key works from', value: user.key_allow ?? 'any address' },
    { name: 'key is for', value: user.key_products ?? 'all products of the account' },
    { name: 'server', value: user.server },
    { name: 'profile', value: user.profile ?? 'none (environment)' },
  ];
}
