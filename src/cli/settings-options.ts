/** The options for settings, which every command has. */
import type { Command } from 'commander';
import { type Config, startFrom } from '../config.ts';
import { fieldProblem } from '../model/problem.ts';
import type { CliNeeds } from './needs.ts';
import { findRunning } from './running/running-process.ts';

export interface SettingsOptions {
  readonly config?: string;
  readonly data?: string;
  readonly set?: readonly string[];
  readonly host?: string;
  readonly port?: string;
  readonly role?: string;
  readonly demo?: boolean;
  readonly verbose?: boolean;
}

export function withSettings(command: Command): Command {
  return command
    .option('--config <file>', 'YAML file of settings')
    .option('--data <dir>', 'data directory (data)')
    .option('--set <key=value...>', 'any setting by its key, such as --set log.level=debug')
    .option('--verbose', 'print on standard error whether settings of a running server are used');
}

const ownFlags = { data: 'data', host: 'http.host', port: 'http.port', role: 'role', demo: 'demo' } as const;

/** The settings of a command: its own, and for all others those of the server that runs on the same data directory. */
export function configOf(options: SettingsOptions, needs: CliNeeds): Config {
  const config = startConfigOf(options, needs);
  const running = findRunning(config.settings.data);
  if (options.verbose)
    process.stderr.write(
      running
        ? `using the settings of the server at ${running.url} (process ${running.pid}) where no other is given\n`
        : `no server runs on ${config.settings.data}\n`,
    );
  return running
    ? startFrom(config, running.settings, `the running server (process ${running.pid})`)
    : config;
}

/** The settings that a server starts with. */
export function startConfigOf(
  options: SettingsOptions,
  needs: Pick<CliNeeds, 'readConfig'>,
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
