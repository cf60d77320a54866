/** Completion scripts and the manual are generated from the commands, so they have all of them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Command, Option } from 'commander';
import { bashCompletion } from '../../../src/cli/completion/bash-completion.ts';
import { everyNode, treeOf } from '../../../src/cli/completion/command-tree.ts';
import { fishCompletion } from '../../../src/cli/completion/fish-completion.ts';
import { manPage } from '../../../src/cli/completion/man-page.ts';
import { zshCompletion } from '../../../src/cli/completion/zsh-completion.ts';
import { buildProgram } from '../../../src/cli/run.ts';

const tree = treeOf(await buildProgram({ version: 'test' } as never));
const nodes = [...everyNode(tree)];
const scripts = { bash: bashCompletion(tree), zsh: zshCompletion(tree), fish: fishCompletion(tree) };

test('the tree has every command with its options, choices and files', () => {
  const program = new Command('tool');
  program
    .command('sub')
    .argument('<file>', 'a file')
    .option('-q, --quiet', 'no notes')
    .addOption(new Option('--role <role>', 'a role').choices(['all', 'api']))
    .option('--config <file>', 'settings')
    .option('--name <text>', 'a name', 'x');
  const [sub] = treeOf(program).commands;
  assert.deepEqual(sub?.arguments, [{ text: '<file>', description: 'a file', values: 'file' }]);
  assert.deepEqual(
    sub?.options.map(({ spellings, values, defaultText }) => [spellings.at(-1), values, defaultText]),
    [
      ['--quiet', undefined, undefined],
      ['--role', ['all', 'api'], undefined],
      ['--config', 'file', undefined],
      ['--name', 'any', 'x'],
      ['--help', undefined, undefined],
    ],
  );
});

test('every completion script has every command and every option', () => {
  for (const [shell, script] of Object.entries(scripts)) {
    for (const { path, options } of nodes) {
      assert.ok(script.includes(`/${path.replaceAll(' ', '/')}`) || path === '', `${shell} ${path}`);
      for (const spelling of options.flatMap(({ spellings }) => spellings)) {
        const bare = spelling.replace(/^-+/, '');
        assert.ok(script.includes(shell === 'fish' ? ` ${bare} ` : spelling), `${shell} ${path} ${spelling}`);
      }
    }
  }
});

test('a completion script starts no program', () => {
  for (const script of Object.values(scripts)) {
    const code = script.split('\n').filter((line) => !line.startsWith('#'));
    assert.ok(!code.some((line) => /\$\((?!\(|compgen|commandline)|`/.test(line.replaceAll(/'[^']*'/g, ''))));
  }
});

test('the manual has a section for every command that does something', () => {
  const page = manPage(tree, '1.0');
  for (const { path, commands } of nodes)
    if (commands.length === 0 && path !== '')
      assert.ok(page.includes(`.SS "nameglass ${path.replaceAll('-', '\\-')}`), path);
});

test('text that means something to roff is escaped', () => {
  const program = new Command('tool').description('A tool.');
  program.command('sub').description('.hidden \\fB "text"').option('--x <y>', "'quoted' ~ ^");
  const page = manPage(treeOf(program), '1.0');
  assert.ok(page.includes('\n\\&.hidden \\efB "text".\n'));
  assert.ok(page.includes('\n\\(aqquoted\\(aq \\(ti \\(ha.\n'));
});
