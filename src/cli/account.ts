/** `nameglass account`: accounts, their users, and what they may use. */
import type { Command } from 'commander';
import { addAudit } from './account/audit.ts';
import { addCreate } from './account/create.ts';
import { addList } from './account/list.ts';
import { addActivation, addProvision } from './account/provision.ts';
import { addShow } from './account/show.ts';
import { addRemove, addUpdate } from './account/update.ts';
import type { CliNeeds } from './needs.ts';

export function addAccount(program: Command, needs: CliNeeds): void {
  const account = program.command('account').description('accounts, users and what they may use');
  for (const add of [
    addCreate,
    addUpdate,
    addRemove,
    addList,
    addShow,
    addProvision,
    addActivation,
    addAudit,
  ]) {
    add(account, needs);
  }
}
