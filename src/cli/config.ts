/** `nameglass config`: what is in force, and where each value came from. */
import type { Command } from 'commander';
import { environmentName, type SettingInForce } from '../config.ts';
import type { CliNeeds } from './needs.ts';
import { printJson, printTable } from './output.ts';
import { configOf, withSettings } from './settings-options.ts';

const shownCharacters = 48;

export function addConfig(program: Command, needs: CliNeeds): void {
  withSettings(program.command('config').description('show every setting in force and where it came from'))
    .option('--describe', 'also what each setting is for, and its environment variable')
    .option('--json', 'print JSON')
    .action((options) => {
      const { inForce } = configOf(options, needs);
      if (options.json) {
        printJson(
          inForce.map((setting) => ({
            ...setting,
            value: shown(setting),
            environment: environmentName(setting.key),
          })),
        );
        return;
      }
      const more = (setting: SettingInForce) => [environmentName(setting.key), setting.description];
      printTable(
        ['KEY', 'VALUE', 'FROM', ...(options.describe ? ['ENVIRONMENT', 'WHAT FOR'] : [])],
        inForce.map((setting) => [
          setting.key,
          inShort(shown(setting)),
          setting.origin,
          ...(options.describe ? more(setting) : []),
        ]),
      );
    });
}

function shown({ secret, value }: SettingInForce): unknown {
  return secret && value !== '' ? '(hidden)' : value;
}

function inShort(value: unknown): string {
  if (value === '') return '""';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.length <= shownCharacters ? text : `${text.slice(0, shownCharacters)}… (--json shows all)`;
}
