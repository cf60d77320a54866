/** Random patterns compared with JavaScript regular expressions, written in their notation. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { compileFlexPattern, type Prefilter } from '../../../src/model/flex/flex-pattern.ts';
import { propertyRuns } from '../../harness/property-runs.ts';

/** A pattern in our notation, and the same for `new RegExp(…, 'i')`. */
interface Twin {
  readonly ours: string;
  readonly theirs: string;
}

function satisfies(prefilter: Prefilter, text: string): boolean {
  switch (prefilter.kind) {
    case 'anything':
      return true;
    case 'literal':
      return text.includes(prefilter.text);
    case 'and':
      return prefilter.of.every((part) => satisfies(part, text));
    default:
      return prefilter.of.some((part) => satisfies(part, text));
  }
}

function literalsOf(prefilter: Prefilter): readonly string[] {
  if (prefilter.kind === 'literal') return [prefilter.text];
  return 'of' in prefilter ? prefilter.of.flatMap(literalsOf) : [];
}

const twin = (ours: string, theirs = ours): Twin => ({ ours, theirs });
const joined = (twins: readonly Twin[], between = ''): Twin => ({
  ours: twins.map((each) => each.ours).join(between),
  theirs: twins.map((each) => each.theirs).join(between),
});
const grouped = ({ ours, theirs }: Twin): Twin => twin(`(${ours})`, `(?:${theirs})`);

const literal = fc.constantFrom(
  twin('a'),
  twin('B'),
  twin('c'),
  twin('1'),
  twin('-'),
  twin('\\.'),
  twin('\\\\'),
  twin(']', '\\]'),
  twin('}', '\\}'),
);
const word = fc.constantFrom(twin('abc'), twin('Bank'), twin('login'), twin('x1-'));
const member = fc.constantFrom(
  twin('a'),
  twin('B'),
  twin('.'),
  twin('\\', '\\\\'),
  twin('a-c'),
  twin('A-b'),
  twin('0-9'),
  twin('[:digit:]', '0-9'),
  twin('[:upper:]', 'A-Z'),
  twin('[:punct:]', '!-\\/:-@\\[-`{-~'),
);
const members = fc.array(member, { minLength: 1, maxLength: 3 }).map((all) => joined(all));
const charClass = (negation: string) =>
  fc
    .record({
      isNegated: fc.boolean(),
      first: fc.constantFrom(twin(''), twin(']', '\\]')),
      members,
      last: fc.constantFrom(twin(''), twin('-', '\\-')),
    })
    .map((parts) => {
      const { ours, theirs } = joined([parts.first, parts.members, parts.last]);
      return parts.isNegated
        ? twin(`[${negation}${ours}]`, `[^${theirs}]`)
        : twin(`[${ours}]`, `[${theirs}]`);
    });

const repetition = fc.constantFrom('', '', '*', '+', '?', '{2}', '{0,2}', '{1,3}', '{2,}', '{0}');
const { regex } = fc.letrec<{ regex: Twin; sequence: Twin; atom: Twin }>((tie) => ({
  atom: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    { weight: 4, arbitrary: literal },
    { weight: 3, arbitrary: word },
    { weight: 1, arbitrary: fc.constant(twin('.', '[^]')) },
    { weight: 1, arbitrary: fc.constantFrom(twin('^'), twin('$')).map(grouped) },
    { weight: 2, arbitrary: charClass('^') },
    { weight: 2, arbitrary: tie('regex').map(grouped) },
  ),
  sequence: fc
    .array(fc.tuple(tie('atom'), repetition), { minLength: 1, maxLength: 4 })
    .map((parts) =>
      joined(parts.map(([atom, times]) => joined([times === '' ? atom : grouped(atom), twin(times)]))),
    ),
  regex: fc
    .record({
      start: fc.constantFrom('', '', '', '^', '^.*'),
      choices: fc.array(tie('sequence'), { minLength: 1, maxLength: 3 }),
      end: fc.constantFrom('', '', '', '$', '.*$'),
    })
    .map(({ start, choices, end }) => joined([twin(start), joined(choices, '|'), twin(end)]))
    .map(({ ours, theirs }) => twin(ours, theirs.replaceAll('^.*', '^[^]*').replaceAll('.*$', '[^]*$'))),
}));

const globChar = fc.constantFrom(
  twin('?', '[^]'),
  twin('.', '\\.'),
  twin('l'),
  twin('g1'),
  twin('$', '\\$'),
  twin('(', '\\('),
  twin('\\*'),
  twin('\\?'),
  twin('\\a', 'a'),
);
const glob = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constant(twin('*', '[^]*')) },
      { weight: 3, arbitrary: fc.constantFrom(twin('abc'), twin('BANK'), twin('x1-')) },
      { weight: 2, arbitrary: globChar },
      { weight: 1, arbitrary: charClass('!') },
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((parts) => joined(parts))
  .map(({ ours, theirs }) => twin(ours, `^${theirs}$`));

const pieces = [...'abcABC1-.\\]} *($l'.split(''), '\u00e9', 'abc', 'bank', 'LOGIN', 'x1-'];
/** Short, since a RegExp takes exponential time with some patterns. */
const text = fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((some) => some.join('').slice(0, 11));

for (const [kind, arbitrary] of [
  ['regex', regex],
  ['glob', glob],
] as const) {
  test(`a ${kind} matches what the equivalent RegExp matches, and every match passes the prefilter`, () => {
    let [matched, filtered] = [0, 0];
    const check = ({ ours, theirs }: Twin, texts: readonly string[]) => {
      const { matches, prefilter } = compileFlexPattern(kind, ours);
      const expected = new RegExp(theirs, 'i');
      for (const each of texts) {
        assert.equal(matches(each), expected.test(each), `${ours} on ${JSON.stringify(each)}`);
        if (!matches(each)) continue;
        matched += 1;
        assert.ok(
          satisfies(prefilter, each.toLowerCase()),
          `${ours} on ${each} requires ${JSON.stringify(prefilter)}`,
        );
        if (prefilter.kind !== 'anything') filtered += 1;
      }
      for (const required of literalsOf(prefilter)) {
        assert.ok(required.length >= 3 && required === required.toLowerCase(), required);
      }
    };
    fc.assert(fc.property(arbitrary, fc.array(text, { minLength: 5, maxLength: 5 }), check), {
      numRuns: propertyRuns(750),
    });
    assert.ok(matched > 100, `only ${matched} matches: the texts are useless`);
    assert.ok(filtered > 2, `only ${filtered} matches had a prefilter`);
  });
}

test('any text is a valid pattern or a Problem, and no prefilter has more than 256 literals', () => {
  const soup = fc.string({
    unit: fc.constantFrom(...'aB1.*+?|()[]{}^$\\-,!:=~'.split(''), '[:digit:]', '{2,3}', '(ab|cd)'),
    maxLength: 40,
  });
  let accepted = 0;
  fc.assert(
    fc.property(soup, fc.constantFrom('regex', 'glob'), text, (pattern, kind, candidate) => {
      try {
        const { matches, prefilter } = compileFlexPattern(kind, pattern);
        accepted += 1;
        assert.ok(literalsOf(prefilter).length <= 256);
        if (matches(candidate)) assert.ok(satisfies(prefilter, candidate.toLowerCase()));
      } catch (error) {
        assert.equal((error as Error).name, 'Problem', String(error));
      }
    }),
    { numRuns: propertyRuns(1000) },
  );
  assert.ok(accepted > 100, `only ${accepted} patterns were accepted`);
});
