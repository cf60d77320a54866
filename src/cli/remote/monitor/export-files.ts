/** `nameglass monitor export`: the monitors of the account as a YAML file that `monitor apply` takes. */
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { CliNeeds } from '../../needs.ts';
import { counted } from '../../output.ts';
import { collected } from '../given-names.ts';
import { type Remote, remoteAction, withRemote } from '../remote-command.ts';
import { usageFailure } from '../remote-failure.ts';
import { allMonitors } from './all-monitors.ts';
import { existingMonitor } from './monitor-wire.ts';

export function addExport(monitor: Command, needs: CliNeeds): void {
  const command = monitor
    .command('export')
    .description('write the monitors as a YAML file that monitor apply takes')
    .argument('[path]', 'a new file, or a directory for monitors.yaml; - or nothing: standard output', '-');
  withRemote(command).action(remoteAction(needs, exportFile));
}

async function exportFile(remote: Remote, path: string): Promise<void> {
  const { monitorFileText } = await import('../../../product/detect/monitor-files/monitor-file-text.ts');
  const monitors = (await collected(allMonitors(remote))).map(existingMonitor);
  const text = monitorFileText(monitors);
  if (path === '-') {
    process.stdout.write(text);
    return;
  }
  const file = fileFor(path);
  // Comments and tests of a file are not on the server: it is not overwritten.
  if (existsSync(file)) throw usageFailure(`${file} exists; give another name, and take over what you want`);
  writeFileSync(file, text);
  remote.note(`${counted(monitors.length, 'monitor')} in ${file}.`);
}

function fileFor(path: string): string {
  if (/\.ya?ml$/i.test(path)) return path;
  if (!statSync(path, { throwIfNoEntry: false })) mkdirSync(path, { recursive: true });
  return join(path, 'monitors.yaml');
}
