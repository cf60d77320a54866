/** The options for settings, which every command has. */
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import { fieldProblem } from '../model/problem.ts';
import type { CliNeeds } from './needs.ts';

export interface SettingsOptions {
  readonly config?: string;
  readonly data?: string;
  readonly set?: readonly string[];
  readonly host?: string;
  readonly port?: string;
  readonly role?: string;
  readonly demo?: boolean;
}

export function withSettings(command: Command): Command {
  return command
    .option('--config <file>', 'YAML file of settings')
    .option('--data <dir>', 'data directory (data)')
    .option('--set <key=value...>', 'any setting by its key, such as --set log.level=debug');
}

const ownFlags = { data: 'data', host: 'http.host', port: 'http.port', role: 'role', demo: 'demo' } as const;

export function configOf(
  options: SettingsOptions,
  needs: CliNeeds,
  world?: Readonly<Record<string, string>>,
): Config {
  const flags: Record<string, { flag: string; text: string }> = {};
  for (const assignment of options.set ?? []) {
    const equalsAt = assignment.indexOf('=');
    if (equalsAt < 1)
      throw fieldProblem('invalid-parameters', '--set', `expected KEY=VALUE, not ${assignment}`);
    flags[assignment.slice(0, equalsAt)] = { flag: '--set', text: assignment.slice(equalsAt + 1) };
  }
  for (const [name, key] of Object.entries(ownFlags)) {
    const value = options[name as keyof typeof ownFlags];
    if (value !== undefined) flags[key] = { flag: `--${name}`, text: String(value) };
  }
  return needs.readConfig({ file: options.config, flags, world });
}
