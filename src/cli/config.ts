/** `nameglass config`: prints the effective settings and the origin of each value. */
import type { Command } from 'commander';
import { environmentName } from '../config.ts';
import { escapeForTerminal } from '../model/escape-for-terminal.ts';
import type { CliNeeds } from './needs.ts';
import { print, printJson, printTable } from './output.ts';
import { sampleYaml } from './settings/sample-yaml.ts';
import { settingsText, shownValue } from './settings/settings-text.ts';
import { configOf, startConfigOf, withSettings } from './settings-options.ts';

const shownCharacters = 48;
const [narrowest, widest] = [40, 100];

const help = `
With --config it shows what a server would start with. Without, and beside a running server on the same data directory, it shows the
settings of that server.
`;

export function addConfig(program: Command, needs: CliNeeds): void {
  withSettings(program.command('config'))
    .option('--describe', 'also show the description and the environment variable of each setting')
    .option(
      '--yaml',
      'print a commented YAML file to start from; settings that have their default are comments',
    )
    .option('--json', 'print JSON')
    .addHelpText('after', help)
    .action((options) => {
      const { effective } = (options.config === undefined ? configOf : startConfigOf)(options, needs);
      if (options.json)
        printJson(
          effective.map((setting) => ({
            ...setting,
            value: shownValue(setting),
            environment: environmentName(setting.key),
          })),
        );
      else if (options.yaml) print(sampleYaml(effective).trimEnd());
      else if (options.describe) print(printable(settingsText(effective, columns())));
      else
        printTable(
          ['KEY', 'VALUE', 'FROM'],
          effective.map((setting) => [setting.key, truncated(shownValue(setting)), setting.origin]),
        );
    });
}

/** Of the terminal, within reason; 80 in a pipe. */
function columns(): number {
  return Math.min(Math.max(process.stdout.columns ?? 80, narrowest), widest);
}

function printable(text: string): string {
  return text.split('\n').map(escapeForTerminal).join('\n');
}

function truncated(value: unknown): string {
  if (value === '') return '""';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.length <= shownCharacters ? text : `${text.slice(0, shownCharacters)}… (--json shows all)`;
}
