/** `nameglass import`: data from files into the stores. */
import type { Command } from 'commander';
import { addChannel } from './import/channel.ts';
import { addNames } from './import/names.ts';
import { addRecords } from './import/records.ts';
import { addRrsets } from './import/rrsets.ts';
import type { CliNeeds } from './needs.ts';

export function addImport(program: Command, needs: CliNeeds): void {
  const command = program.command('import').description('data from files into the stores');
  addRrsets(command, needs);
  addChannel(command, needs);
  addRecords(command, needs);
  addNames(command, needs);
}
