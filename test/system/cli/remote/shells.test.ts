/** Completion scripts in real shells, and the manual in real formatters. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { needsPackage } from '../../../harness/debian-package.ts';
import { nameglass } from '../../../harness/server/command-line.ts';
import { programInTerminal } from '../../../harness/server/terminal.ts';

const directory = mkdtempSync(join(tmpdir(), 'nameglass-shells-'));
after(() => rmSync(directory, { recursive: true, force: true }));

async function scriptFor(shell: string): Promise<string> {
  const { code, out, err } = await nameglass(['completion', shell]);
  assert.deepEqual([code, err], [0, '']);
  const file = join(directory, `nameglass.${shell}`);
  writeFileSync(file, out);
  return file;
}

interface Question {
  readonly line: string;
  readonly has: readonly string[];
  readonly lacks?: readonly string[];
}

const questions: readonly Question[] = [
  { line: 'nameglass ', has: ['serve', 'account', 'investigate', 'pdns'], lacks: ['create'] },
  { line: 'nameglass inv', has: ['investigate'], lacks: ['import'] },
  { line: 'nameglass account ', has: ['create', 'list', 'show'], lacks: ['serve'] },
  { line: 'nameglass detect un', has: ['undo'] },
  { line: 'nameglass investigate --name', has: ['--nameserver-host', '--nameserver-ip'] },
  { line: 'nameglass detect list --state ', has: ['new', 'watched', 'ignored'], lacks: ['--state'] },
  { line: 'nameglass completion ', has: ['bash', 'zsh', 'fish'] },
  { line: 'nameglass --server http://x api -', has: ['--paginate', '--method'] },
];

function assertAnswers(ask: (line: string) => readonly string[]): void {
  for (const { line, has, lacks = [] } of questions) {
    const found = ask(line);
    for (const word of has) assert.ok(found.includes(word), `${line}: ${found.join(' ')}`);
    for (const word of lacks) assert.ok(!found.includes(word), `${line}: ${found.join(' ')}`);
  }
}

function run(program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): string {
  const { status, stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    env: { PATH: '/usr/bin:/bin', HOME: directory, TERM: 'xterm', ...env },
  });
  assert.equal(status, 0, stderr);
  assert.equal(stderr, '');
  return stdout;
}

test('bash completes commands, options and values', async () => {
  const file = await scriptFor('bash');
  assertAnswers((line) => {
    const program = `source ${file}
      read -ra COMP_WORDS <<< "$LINE"
      [[ "$LINE" == *' ' ]] && COMP_WORDS+=('')
      COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
      _nameglass
      printf '%s\\n' "\${COMPREPLY[@]}"`;
    return run('bash', ['--norc', '-c', program], { LINE: line }).split('\n');
  });
});

test('zsh completes commands, options and values', async (t) => {
  if (!needsPackage(t, 'zsh', 'zsh')) return;
  const file = await scriptFor('zsh');
  assertAnswers((line) => {
    // The functions of the completion system print what they are given.
    const program = `
      compdef() { : }
      _describe() { local last="\${@[-1]}"; for entry in "\${(@P)last}"; do print -r -- "\${entry%%:*}"; done }
      compadd() { shift; print -rl -- "$@" }
      _files() { print -r -- FILES }
      source ${file}
      words=(\${(z)LINE}); [[ "$LINE" == *' ' ]] && words+=('')
      CURRENT=$#words
      _nameglass`;
    const typed = line.slice(line.lastIndexOf(' ') + 1);
    return run('zsh', ['-f', '-c', program], { LINE: line })
      .split('\n')
      .filter((word) => word.startsWith(typed));
  });
});

test('zsh completes interactively what is typed before the tabulator key', async (t) => {
  if (!needsPackage(t, 'zsh', 'zsh')) return;
  const file = await scriptFor('zsh');
  const prepare = `autoload -Uz compinit && compinit -D -u && source ${file}; print be''gin`;
  const { code, screen } = await programInTerminal(
    ['zsh', '-f', '-i'],
    [
      ['shell> ', `${prepare}\r`],
      ['begin', 'nameglass inv\t'],
      ['estigate', '--nameserver-h\t'],
      ['ost', '\x15nameglass detect list --state w\t'],
      ['atched', '\x15nameglass account \t'],
      // The list of what is possible, with descriptions.
      ['create a user', '\x15exit\r'],
    ],
    { env: { PS1: 'shell> ' } },
  );
  assert.equal(code, 0, screen);
  assert.match(screen, /nameglass investigate[ \b]+--nameserver-host/);
});

test('fish completes commands, options and values', async (t) => {
  if (!needsPackage(t, 'fish', 'fish')) return;
  const file = await scriptFor('fish');
  assertAnswers((line) =>
    run('fish', ['--no-config', '-c', `source ${file}; complete -C "$LINE"`], { LINE: line })
      .split('\n')
      .map((entry) => entry.split('\t')[0] ?? ''),
  );
});

test('the manual is formatted by groff without a warning, and has every part', async (t) => {
  if (!needsPackage(t, 'groff-base', 'groff')) return;
  const { code, out, err } = await nameglass(['man']);
  assert.deepEqual([code, err], [0, '']);
  const file = join(directory, 'nameglass.1');
  writeFileSync(file, out);
  const text = run('groff', ['-man', '-Tutf8', '-ww', '-P-cbou', file]);
  for (const heading of [
    'NAME',
    'SYNOPSIS',
    'COMMANDS',
    'COMMON OPTIONS',
    'EXIT STATUS',
    'ENVIRONMENT',
    'FILES',
  ])
    assert.ok(text.includes(heading), heading);
  assert.match(text, /nameglass pdns \[values\.\.\.\]/);
});

test('the manual is valid for mandoc', async (t) => {
  if (!needsPackage(t, 'mandoc', 'mandoc')) return;
  const { out } = await nameglass(['man']);
  const file = join(directory, 'nameglass-mandoc.1');
  writeFileSync(file, out);
  const { stdout } = spawnSync('/usr/bin/mandoc', ['-T', 'lint', '-W', 'warning', file], {
    encoding: 'utf8',
  });
  // The page has no date of its own: it is the same for every build of a version.
  assert.deepEqual(
    stdout.split('\n').filter((line) => line !== '' && !/missing date/.test(line)),
    [],
  );
});
