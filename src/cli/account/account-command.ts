/** `nameglass account`: manages accounts, their users and their products. */
import type { Command } from 'commander';
import type { CliNeeds } from '../needs.ts';
import { addAudit } from './audit.ts';
import { addCreate } from './create.ts';
import { addList } from './list.ts';
import { addOwn } from './own.ts';
import { addActivation, addProvision } from './provision.ts';
import { addShow } from './show.ts';
import { addRemove, addUpdate } from './update.ts';

export function addAccount(program: Command, needs: CliNeeds): void {
  const account = program.command('account');
  for (const add of [
    addCreate,
    addUpdate,
    addRemove,
    addList,
    addShow,
    addProvision,
    addOwn,
    addActivation,
    addAudit,
  ]) {
    add(account, needs);
  }
}
