import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Command } from 'commander';
import type { CliNeeds } from '../../src/cli/needs.ts';
import { buildProgram, commandGroups } from '../../src/cli/run.ts';

const unused = () => assert.fail('help needs nothing');
const needs: CliNeeds = {
  version: 'test',
  clock: { now: unused },
  environment: {},
  readConfig: unused,
  openStores: unused,
  verifyDatabases: unused,
  loadBackups: unused,
  loadEngines: unused,
  loadStoreCopier: unused,
  serveAssistant: unused,
  startWorld: unused,
  startService: unused,
  superviseService: unused,
};

function commandsOf(command: Command): Command[] {
  return [command, ...command.commands.flatMap(commandsOf)];
}

function nameOf(command: Command): string {
  return command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();
}

const commands = commandsOf(await buildProgram(needs));

test('every command has a description', () => {
  for (const command of commands) assert.ok(command.description().length > 5, nameOf(command));
});

test('the description of a command in the list of commands is in the table alone', async () => {
  for (const { name, load } of Object.values(commandGroups).flat()) {
    const program = new Command();
    (await load())(program, needs);
    assert.deepEqual(
      program.commands.map((command) => [command.name(), command.description()]),
      [[name, '']],
    );
  }
});

test('every option of every command has a description', () => {
  for (const command of commands) {
    for (const { flags, description } of command.options) {
      assert.ok(description.length > 5, `${nameOf(command)} ${flags}`);
    }
  }
});

/** They print what this program is, whatever its settings are. */
const withoutSettings = ['version', 'completion', 'man'];

test('every command that does something accepts --config, --data and --set', () => {
  const working = commands.filter(({ commands: below, parent }) => parent && below.length === 0);
  for (const command of working.filter((one) => !withoutSettings.includes(one.name()))) {
    const flags = command.options.map(({ long }) => long);
    for (const flag of ['--config', '--data', '--set']) {
      assert.ok(flags.includes(flag), `${nameOf(command)} has no ${flag}`);
    }
  }
});

test('every listing accepts --json', () => {
  for (const name of ['account list', 'account show', 'account audit', 'config', 'doctor']) {
    const command = commands.find((one) => nameOf(one) === `nameglass ${name}`);
    assert.ok(
      command?.options.some(({ long }) => long === '--json'),
      name,
    );
  }
});

test('the help of account create names every documented option', () => {
  const help = commands.find((one) => nameOf(one) === 'nameglass account create')?.helpInformation() ?? '';
  for (const flag of ['username', 'account', 'key', 'batch-key', 'permissions', 'pdns-quota', 'channels']) {
    assert.match(help, new RegExp(`--${flag} `));
  }
  for (const word of [
    'read',
    'triage',
    'escalate',
    'manage',
    'ingest',
    'admin',
    'unlimited',
    'daily:N',
    'block:N:EXPIRES',
  ]) {
    assert.ok(help.includes(word), word);
  }
});
