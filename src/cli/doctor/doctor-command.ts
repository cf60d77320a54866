/** `nameglass doctor`: checks settings and data for common problems. */
import type { Command } from 'commander';
import { escapeForTerminal } from '../../model/escape-for-terminal.ts';
import { type Colour, coloured, wantsColour } from '../listing/colour.ts';
import type { CliNeeds } from '../needs.ts';
import { print, printJson } from '../output.ts';
import { configOf, type SettingsOptions, withSettings } from '../settings-options.ts';
import { databaseFindings } from './data-findings.ts';
import { type Finding, finding } from './finding.ts';
import { browserFinding, settingsFindings } from './settings-findings.ts';
import { storeFindings } from './store-findings.ts';
import { upgradeFindings } from './upgrade-findings.ts';

interface DoctorOptions extends SettingsOptions {
  readonly json?: boolean;
  readonly beforeUpgrade?: boolean;
}

export function addDoctor(program: Command, needs: CliNeeds): void {
  withSettings(program.command('doctor'))
    .option(
      '--before-upgrade',
      'name the migrations that the first start of this version makes, and the room they need; changes nothing',
    )
    .option('--json', 'print JSON')
    .action(async (options: DoctorOptions) => {
      const { settings } = configOf(options, needs);
      const findings = [
        nodeVersion(),
        ...(options.beforeUpgrade ? [] : [...settingsFindings(settings), browserFinding(settings)]),
        ...(settings.store.kind === 'distributed'
          ? await (await needs.loadEngines()).check(settings)
          : await databaseFindings(settings, needs)),
        ...(options.beforeUpgrade
          ? await upgradeFindings(settings, needs)
          : await storeFindings(settings, needs)),
      ];
      if (options.json) printJson(findings);
      else printFindings(findings, process.stdout.isTTY && wantsColour({}, needs.environment));
      if (findings.some(({ state }) => state === 'fail')) process.exitCode = 1;
    });
}

function nodeVersion(): Finding {
  const major = Number(process.versions.node.split('.')[0]);
  return finding(
    'Node.js 24 or later',
    major >= 24,
    'fail',
    `this is ${process.version}; start through npm or npx`,
  );
}

const colours: Readonly<Record<Finding['state'], Colour>> = { ok: 'green', warn: 'yellow', fail: 'red' };

/** Advice is long and comes last, so that the lines of a narrow terminal still begin with the check. */
function printFindings(findings: readonly Finding[], hasColour: boolean): void {
  const width = Math.max('CHECK'.length, ...findings.map(({ check }) => check.length));
  print(`${'CHECK'.padEnd(width)}  STATE`);
  for (const { check, state, advice } of findings) {
    const shown = hasColour ? coloured(state.padEnd(5), colours[state]) : state.padEnd(5);
    print(`${escapeForTerminal(check).padEnd(width)}  ${shown}  ${escapeForTerminal(advice)}`.trimEnd());
  }
}
