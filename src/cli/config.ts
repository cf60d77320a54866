/** `nameglass config`: prints the effective settings and the origin of each value. */
import type { Command } from 'commander';
import { type EffectiveSetting, environmentName } from '../config.ts';
import type { CliNeeds } from './needs.ts';
import { printJson, printTable } from './output.ts';
import { configOf, withSettings } from './settings-options.ts';

const shownCharacters = 48;

export function addConfig(program: Command, needs: CliNeeds): void {
  withSettings(
    program.command('config').description('show every setting with its value and where the value comes from'),
  )
    .option('--describe', 'also show the description and the environment variable of each setting')
    .option('--json', 'print JSON')
    .action((options) => {
      const { effective } = configOf(options, needs);
      if (options.json) {
        printJson(
          effective.map((setting) => ({
            ...setting,
            value: shown(setting),
            environment: environmentName(setting.key),
          })),
        );
        return;
      }
      const more = (setting: EffectiveSetting) => [environmentName(setting.key), setting.description];
      printTable(
        ['KEY', 'VALUE', 'FROM', ...(options.describe ? ['ENVIRONMENT', 'DESCRIPTION'] : [])],
        effective.map((setting) => [
          setting.key,
          truncated(shown(setting)),
          setting.origin,
          ...(options.describe ? more(setting) : []),
        ]),
      );
    });
}

function shown({ secret, value }: EffectiveSetting): unknown {
  return secret && value !== '' ? '(hidden)' : value;
}

function truncated(value: unknown): string {
  if (value === '') return '""';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.length <= shownCharacters ? text : `${text.slice(0, shownCharacters)}… (--json shows all)`;
}
