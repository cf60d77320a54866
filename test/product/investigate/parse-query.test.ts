import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { Problem } from '../../../src/model/problem.ts';
import type { Condition } from '../../../src/model/record/condition.ts';
import { parseQuery } from '../../../src/product/investigate/parse-query.ts';
import { anyCharacter } from '../../harness/arbitraries/any-character.ts';

const nowMs = Date.parse('2026-03-04T10:11:12Z');
const context = { accountId: 'a', userId: 'u', nowMs, domainsMax: 100 };
const read = (text: string): Condition => parseQuery(`# NameglassQL-1.0\n${text}`, context);
const registrar = (value: string): Condition => ({ kind: 'has', attributes: ['registrar'], value });
const score = (comparison: '>' | '>=' | '<' | '<=' | '=', value: number): Condition => ({
  kind: 'compare',
  column: 'risk_score',
  comparison,
  value,
});

function messageFor(text: string): string {
  try {
    read(text);
  } catch (error) {
    assert.ok(error instanceof Problem, String(error));
    assert.equal(error.code, 'invalid-parameters');
    return error.message;
  }
  return assert.fail(`${text} was accepted`);
}

test('AND binds tighter than OR, and brackets tighter than both', () => {
  const [a, b, c] = ['a', 'b', 'c'].map(registrar) as [Condition, Condition, Condition];
  assert.deepEqual(read('registrar = a OR registrar = b AND registrar = c'), {
    kind: 'or',
    of: [a, { kind: 'and', of: [b, c] }],
  });
  assert.deepEqual(read('(registrar = a OR registrar = b) AND registrar = c'), {
    kind: 'and',
    of: [{ kind: 'or', of: [a, b] }, c],
  });
  assert.deepEqual(read('NOT registrar = a AND NOT (registrar = b)'), {
    kind: 'and',
    of: [
      { kind: 'not', of: a },
      { kind: 'not', of: b },
    ],
  });
});

test('keywords, fields and operators are case-insensitive, and lines can end anywhere', () => {
  assert.deepEqual(read('Registrar\nequals "A B"\r\nand\nRISK_score Greater_Than 70'), {
    kind: 'and',
    of: [registrar('A B'), score('>', 70)],
  });
});

test('every operator has a word and a sign, and needs no spaces', () => {
  for (const [word, sign, comparison] of [
    ['EQUALS', '=', '='],
    ['GREATER_THAN', '>', '>'],
    ['GREATER_THAN_OR_EQUAL', '>=', '>='],
    ['LESS_THAN', '<', '<'],
    ['LESS_THAN_OR_EQUAL', '<=', '<='],
  ] as const) {
    assert.deepEqual(read(`RISK_SCORE ${word} 70`), score(comparison, 70));
    assert.deepEqual(read(`RISK_SCORE${sign}70`), score(comparison, 70));
  }
  const other: Condition = { kind: 'not', of: score('=', 70) };
  assert.deepEqual([read('RISK_SCORE NOT_EQUALS 70'), read('RISK_SCORE!=70')], [other, other]);
});

test('quoted values keep brackets, keywords, spaces and escaped quotes', () => {
  assert.deepEqual(read(String.raw`registrar = "a \"b\" (OR) \\ c"`), registrar('a "b" (OR) \\ c'));
  assert.deepEqual(read(String.raw`registrar = 'it\'s'`), registrar("it's"));
});

test('a line that begins with # is a comment, and within a value # is a plain character', () => {
  assert.deepEqual(read('# first\nregistrar = #1 # is\n'.replace(' # is', '')), registrar('#1'));
});

test('WITHIN means the last N of a unit: days for dates, milliseconds for times', () => {
  assert.deepEqual(read('FIRST_SEEN WITHIN "The last 3 hour"'), {
    kind: 'compare',
    column: 'first_seen',
    comparison: '>=',
    value: nowMs - 3 * 3_600_000,
  });
  assert.deepEqual(read('create_date within "the last 30 days"'), {
    kind: 'compare',
    column: 'create_date',
    comparison: '>=',
    value: 20_516 - 30,
  });
});

test('CONTAINS is for names, registrants and free text', () => {
  assert.deepEqual(read('DOMAIN CONTAINS "login"'), {
    kind: 'contains',
    attributes: ['domain'],
    text: 'login',
  });
  assert.deepEqual(read('whois contains "acme inc"'), { kind: 'whois', over: 'latest', text: 'acme inc' });
  assert.match(
    messageFor('registrar CONTAINS x'),
    /line 2, column 1: registrar supports only EQUALS and NOT_EQUALS/,
  );
});

test('registrant EQUALS matches the whole value, though the parameter matches a part', () => {
  assert.deepEqual(read('registrant = "Acme"'), {
    kind: 'has',
    attributes: ['registrant_name'],
    value: 'Acme',
  });
});

test('components of parsed records are fields, with a colon or a dot', () => {
  const expected: Condition = {
    kind: 'has',
    attributes: ['parsed_whois.registrant_contact.name'],
    value: 'x',
  };
  assert.deepEqual(read('parsed_whois:registrant_contact.name = x'), expected);
  assert.deepEqual(read('parsed_whois.registrant_contact.name = x'), expected);
});

test('a time equals a day when it is within it', () => {
  const condition = read('FIRST_SEEN = 2026-03-04');
  assert.equal(condition.kind, 'and');
});

test('errors have a line and a column', () => {
  for (const [text, message] of [
    ['', /line 2, column 1: expected a field, not the end of the query/],
    ['registrar', /column 10: expected an operator, not the end/],
    ['registrar = ', /expected a value, not the end/],
    ['registrar = AND', /column 13: expected a value, not AND/],
    ['AND registrar = a', /column 1: expected a field, not AND/],
    ['registrar = a registrar = b', /column 15: expected AND, OR or the end, not registrar/],
    ['(registrar = a', /expected \) for the bracket of line 2, column 1, not the end/],
    ['registrar = a)', /column 14: expected AND, OR or the end, not \)/],
    ['registrar = "a', /column 13: this quote is never closed/],
    ['registrar ! a', /column 11: unexpected character !/],
    ['nothing = a', /column 1: unknown field nothing/],
    ['__proto__ = a', /unknown field __proto__/],
    ['registrar = a\nAND\n  ip = 999', /line 4, column 3: must be an IPv4 address/],
    ['RISK_SCORE WITHIN "the last 3 days"', /risk_score does not support WITHIN/],
    ['FIRST_SEEN WITHIN "always"', /such as "the last 30 days"/],
    ['RISK_SCORE CONTAINS 7', /risk_score does not support CONTAINS/],
    ['registrar constructor a', /expected an operator/],
  ] as const)
    assert.match(messageFor(text), message, text);
});

test('columns are correct after a value of several lines', () => {
  assert.match(messageFor('registrar = "a\nb" x'), /line 3, column 4: expected AND/);
});

test('fifty nested brackets are accepted and fifty-one are not', () => {
  const nested = (depth: number) => `${'('.repeat(depth)}registrar = a${')'.repeat(depth)}`;
  assert.deepEqual(read(nested(50)), registrar('a'));
  assert.match(messageFor(nested(51)), /at most 50 deep/);
  assert.match(messageFor(`${'NOT '.repeat(20_000)}registrar = a`.slice(0, 60_000)), /at most 50 deep/);
});

test('five hundred conditions are accepted and one more is not', () => {
  const many = (count: number) => Array.from({ length: count }, (_, n) => `registrar = r${n}`).join(' OR ');
  const condition = read(many(500));
  assert.equal(condition.kind === 'or' && condition.of.length, 500);
  assert.match(messageFor(many(501)), /at most 500 conditions/);
});

test('a query of more than 64 kB is refused', () => {
  assert.match(messageFor(`registrar = "${'a'.repeat(65_536)}"`), /must not be longer than 65536 bytes/);
});

test('any text is accepted or refused with a problem', () => {
  const word = fc.constantFrom(
    'registrar',
    '=',
    'a',
    '(',
    ')',
    'AND',
    'OR',
    'NOT',
    '"',
    '\\',
    '\n',
    '#',
    '!=',
  );
  const texts = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.array(word).map((words) => words.join(' ')),
  );
  fc.assert(
    fc.property(texts, (text) => {
      try {
        read(text);
      } catch (error) {
        assert.ok(error instanceof Problem, String(error));
      }
    }),
  );
});
