/** `nameglass import`: imports data from files into the stores. */
import type { Command } from 'commander';
import { giveWay } from '../../concurrency/give-way.ts';
import type { CliNeeds } from '../needs.ts';
import { addChannel } from './channel.ts';
import { addNames } from './names.ts';
import { addRecords } from './records.ts';
import { addRrsets } from './rrsets.ts';

export function addImport(program: Command, needs: CliNeeds): void {
  // Into the data of a server that answers meanwhile.
  const command = program.command('import').hook('preAction', () => giveWay());
  addRrsets(command, needs);
  addChannel(command, needs);
  addRecords(command, needs);
  addNames(command, needs);
}
