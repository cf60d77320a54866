/**
 * Nodes of the version before run on while tables are migrated, so a migration must not remove or rename what they use, or demand what they do not write. The
 * release that stops to use something leaves it; a later one removes it, in a migration whose first line says so.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  migrationsOf,
  removalMark,
  schemaParts,
} from '../../../../src/store/distributed/postgres/migrations.ts';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

/** What statements of later migrations may not do to tables of earlier ones, by a pattern of their text. */
const breaking: Readonly<Record<string, RegExp>> = {
  'drops something': /\bdrop\s+(?!not\s+null\b|default\b)/,
  'renames something': /\brename\b/,
  'demands a value that nodes of the version before do not write': /\bset\s+not\s+null\b/,
  'adds a column without a default that nodes of the version before do not write':
    /\badd\s+(?:column\s+)?(?:if\s+not\s+exists\s+)?(?!constraint\b)\w+\s(?![^,;]*\bdefault\b)[^,;]*\bnot\s+null\b/,
  'changes the type of a column': /\balter\s+(?:column\s+)?\w+\s+(?:set\s+data\s+)?type\b/,
  'restricts values that nodes of the version before may write': /\badd\s+(?:constraint\b|check\b|unique\b)/,
  'empties a table': /\btruncate\b/,
};

/** Why a migration may not be in this release; empty where it may. */
function faultsOf(number: number, text: string, release = version): readonly string[] {
  const mark = removalMark.exec(text)?.[0];
  const unusedSince = mark && /\d+\.\d+\.\d+/.exec(mark)?.[0];
  if (unusedSince !== undefined)
    return isBefore(unusedSince, release) ? [] : [`${unusedSince} is no release before ${release}`];
  // Tables that the first migration makes have no users yet, and neither have those that any migration makes.
  const made = [...text.matchAll(/create (?:unlogged )?table (\w+)/gi)].map(([, table]) => table);
  return statementsOf(text)
    .filter((statement) => number > 1 && !made.some((table) => statement.startsWith(`alter table ${table} `)))
    .flatMap((statement) =>
      Object.entries(breaking)
        .filter(([, pattern]) => pattern.test(statement))
        .map(([what]) => `${what}: ${statement}`),
    );
}

/** Without comments and bodies of functions, in lower case. */
function statementsOf(text: string): readonly string[] {
  return text
    .replaceAll(/--.*$/gm, '')
    .replaceAll(/\$\$[\s\S]*?\$\$/g, '')
    .toLowerCase()
    .split(';')
    .map((statement) => statement.replaceAll(/\s+/g, ' ').trim())
    .filter(Boolean);
}

function isBefore(one: string, other: string): boolean {
  return one.localeCompare(other, 'en', { numeric: true }) < 0;
}

test('no migration breaks nodes of the version before', () => {
  const faults = migrationsOf(schemaParts).flatMap(({ part, number, path }) =>
    faultsOf(number, readFileSync(path, 'utf8')).map((fault) => `${part} ${number} ${fault}`),
  );
  assert.deepEqual(faults, [], 'see docs/decisions/0086-leases-and-fencing.md');
});

test('what breaks nodes of the version before is recognized', () => {
  for (const text of [
    'drop table job;',
    'alter table job drop column due_ms;',
    'alter table job rename column due_ms to due;',
    'alter table job\n  alter column due_ms set not null;',
    'alter table job add column priority int not null;',
    'alter table job add column "order" int, add priority int not null;',
    'alter table job alter column due_ms type int;',
    'alter table job add constraint late check (due_ms > 0);',
    'truncate job;',
    '-- Harmless.\nDROP INDEX job_next;',
  ])
    assert.equal(faultsOf(2, text).length, 1, text);
});

test('what adds is allowed, and so is everything that concerns new tables', () => {
  for (const text of [
    'alter table job add column priority int not null default 0;',
    'alter table job add column priority int;',
    'alter table job alter column due_ms drop not null;',
    'create table pause (name text not null); alter table pause add constraint one unique (name);',
    'create function f() returns int language sql as $$ select 1; drop table x; $$;',
    'create index concurrently job_later on job (due_ms);',
  ])
    assert.deepEqual(faultsOf(2, text), [], text);
  assert.deepEqual(faultsOf(1, 'drop table job;'), []);
});

test('a second step is allowed once what it removes has been unused for a release', () => {
  const text = '-- Second step of jobs 0001: unused since 1.9.0.\nalter table job drop column due_ms;';
  assert.deepEqual(faultsOf(2, text, '1.10.0'), []);
  assert.equal(faultsOf(2, text, '1.9.0').length, 1);
  assert.equal(faultsOf(2, text.replace('unused since 1.9.0', 'unused'), '1.10.0').length, 1);
});
