/** Monitors as code: files, their mistakes, their tests, and what they would change. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { checkExpectations } from '../../../src/product/detect/monitor-files/check-expectations.ts';
import { faultText } from '../../../src/product/detect/monitor-files/declared-monitor.ts';
import { monitorFileText } from '../../../src/product/detect/monitor-files/monitor-file-text.ts';
import {
  type ExistingMonitor,
  findRepeatedTerms,
  planChanges,
} from '../../../src/product/detect/monitor-files/plan-changes.ts';
import { readMonitorFile } from '../../../src/product/detect/monitor-files/read-monitor-file.ts';

function declared(text: string) {
  const { monitors, faults } = readMonitorFile('a.yaml', text);
  assert.deepEqual(faults, []);
  return monitors;
}

const faultsOf = (text: string) => readMonitorFile('a.yaml', text).faults.map(faultText);

function existing(term: string, more: Partial<ExistingMonitor> = {}): ExistingMonitor {
  const settings = { matchSubstringVariations: false, textExclusions: [], nameserverExclusions: [] };
  return { id: `id-${term}`, term, state: 'active', declaredIn: undefined, ...settings, ...more };
}

test('a file declares monitors with their defaults', () => {
  const [plain, full] = declared(
    'monitors:\n  - term: acme\n  - term: " orbit pay "\n    state: inactive\n' +
      '    match_substring_variations: true\n    text_exclusions: [fan]\n    nameserver_exclusions: ["*.own.net"]\n',
  );
  assert.deepEqual(plain, {
    term: 'acme',
    state: 'active',
    matchSubstringVariations: false,
    textExclusions: [],
    nameserverExclusions: [],
    expectations: [],
    file: 'a.yaml',
    line: 2,
  });
  assert.deepEqual(
    [
      full?.term,
      full?.state,
      full?.matchSubstringVariations,
      full?.textExclusions,
      full?.nameserverExclusions,
    ],
    ['orbit pay', 'inactive', true, ['fan'], ['*.own.net']],
  );
});

test('passive_only is read, compared and written', () => {
  const [quiet] = declared('monitors:\n  - term: acme\n    passive_only: true\n');
  assert.equal(quiet?.passiveOnly, true);
  const [change] = planChanges(quiet ? [quiet] : [], [existing('acme')]);
  assert.deepEqual(change?.action === 'change' && change.differences, [
    { setting: 'passive_only', added: ['true'], removed: ['false'] },
  ]);
  const text = monitorFileText([existing('acme', { passiveOnly: true })]);
  assert.equal(declared(text)[0]?.passiveOnly, true);
  assert.match(
    faultsOf('monitors:\n  - term: acme\n    passive_only: 1\n').join(),
    /passive_only must be true/,
  );
});

test('an empty file declares nothing', () => {
  for (const text of ['', '# nothing yet\n', 'monitors: []\n']) assert.deepEqual(declared(text), []);
});

for (const [what, text, fault] of [
  ['that is not YAML', 'monitors: [', /^a\.yaml:1:\d+: /],
  ['with a member twice', 'monitors:\n  - term: acme\n    term: acme\n', /^a\.yaml:3:\d+: .*unique/],
  [
    'with another member at the top',
    'monitor: []',
    /^a\.yaml:1:\d+: there is no monitor here; there are monitors$/,
  ],
  ['that is a list', '- term: acme', /^a\.yaml:1:1: must have members: monitors$/],
  ['without a list of monitors', 'monitors: acme', /^a\.yaml:1:11: must be a list$/],
  [
    'with a misspelt member',
    'monitors:\n  - term: acme\n    exclusion: x\n',
    /^a\.yaml:3:\d+: there is no exclusion here/,
  ],
  ['without a term', 'monitors:\n  - state: active\n', /^a\.yaml:2:5: a monitor needs a term$/],
  ['with a short term', 'monitors:\n  - term: ab\n', /^a\.yaml:2:11: term must have 3 to 128 characters/],
  [
    'with a term that is a number',
    'monitors:\n  - term: 1234\n',
    /^a\.yaml:2:11: term must be a text; put it in quotation marks$/,
  ],
  [
    'with a hidden character',
    'monitors:\n  - term: "ac\\u202eme"\n',
    /^a\.yaml:2:11: term must not contain control/,
  ],
  [
    'with an unknown state',
    'monitors:\n  - term: acme\n    state: paused\n',
    /^a\.yaml:3:12: state must be active or inactive$/,
  ],
  [
    'with a text for a flag',
    'monitors:\n  - term: acme\n    match_substring_variations: "yes"\n',
    /: match_substring_variations must be true or false$/,
  ],
  [
    'with one exclusion that is no list',
    'monitors:\n  - term: acme\n    text_exclusions: fan\n',
    /: text_exclusions must be a list$/,
  ],
  [
    'with a blank exclusion',
    'monitors:\n  - term: acme\n    text_exclusions: [" "]\n',
    /: text_exclusions must not be blank$/,
  ],
  [
    'with a test of a label',
    'monitors:\n  - term: acme\n    must_match: [acme]\n',
    /^a\.yaml:3:18: must_match must be a whole name, such as example\.com$/,
  ],
  [
    'of aliases of aliases',
    'a: &a [x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\n',
    /has more than 100 aliases/,
  ],
] as const)
  test(`a file ${what} has a fault with its line`, () => {
    const faults = faultsOf(text);
    assert.ok(
      faults.some((one) => fault.test(one)),
      faults.join('\n'),
    );
  });

test('whatever a file contains, it is read or has faults', () => {
  const line = fc.constantFrom(
    'monitors:',
    '  - term: acme',
    '    must_match: [a.b]',
    '  -',
    '&a',
    '*a',
    '? x',
    '!!set',
    '{',
    '"',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(line, fc.string()), { maxLength: 8 }), (lines) => {
      const { monitors, faults } = readMonitorFile('a.yaml', lines.join('\n'));
      assert.ok(Array.isArray(monitors) && faults.every(({ line: at }) => at >= 1));
    }),
  );
});

test('tests of a file hold by term, variations and exclusions', () => {
  const monitors = declared(
    'monitors:\n  - term: acme\n    text_exclusions: [fan]\n    nameserver_exclusions: ["*.own.net"]\n' +
      '    must_match: [acme-login.com, acme.org, other.com]\n' +
      '    must_not_match:\n      - acme-fans.com\n      - { domain: acme.com, name_servers: [ns1.own.net] }\n      - acme-shop.com\n',
  );
  const checked = checkExpectations(monitors);
  assert.deepEqual(
    checked.map(({ domain, isMet }) => `${domain} ${isMet}`),
    [
      'acme-login.com true',
      'acme.org true',
      'other.com false',
      'acme-fans.com true',
      'acme.com true',
      'acme-shop.com false',
    ],
  );
  assert.equal(checked[2]?.explanation, 'It resembles the term in no way that monitors know.');
  assert.equal(checked[4]?.explanation, 'It is excluded by the name servers *.own.net.');
});

test('a plan creates, changes, keeps, and lists what no file declares', () => {
  const files = declared(
    'monitors:\n  - term: new one\n  - term: Acme\n    text_exclusions: [b, a]\n  - term: orbit\n    text_exclusions: [x, z]\n',
  );
  const plan = planChanges(files, [
    existing('acme', { textExclusions: ['a', 'b'] }),
    existing('orbit', { textExclusions: ['x', 'y'], state: 'inactive' }),
    existing('old'),
  ]);
  assert.deepEqual(
    plan.map(({ action }) => action),
    ['create', 'keep', 'change', 'undeclared'],
  );
  assert.deepEqual(plan[2]?.action === 'change' && plan[2].differences, [
    { setting: 'state', added: ['active'], removed: ['inactive'] },
    { setting: 'text_exclusions', added: ['z'], removed: ['y'] },
  ]);
});

test('of two monitors of a term, a file declares the more similar one', () => {
  const [file] = [declared('monitors:\n  - term: acme\n    match_substring_variations: true\n')];
  const [plain, varied] = [
    existing('acme'),
    existing('acme', { id: 'other', matchSubstringVariations: true }),
  ];
  const plan = planChanges(file, [plain, varied]);
  assert.deepEqual(plan, [
    { action: 'keep', declared: file[0], existing: varied },
    { action: 'undeclared', existing: plain },
  ]);
});

test('a term that is declared twice is a fault', () => {
  const [fault] = findRepeatedTerms(declared('monitors:\n  - term: acme\n  - term: ACME\n'));
  assert.equal(fault && faultText(fault), 'a.yaml:3:1: ACME is declared in a.yaml:2 too');
});

test('what is exported is declared again without a change', () => {
  const text = fc.constantFrom(
    'a: b',
    '- x',
    '#fan',
    'yes',
    '1e3',
    'null',
    "it's",
    '"q"',
    '*.own.net',
    '{x}',
    'ünï',
  );
  const settings = fc.record({
    state: fc.constantFrom('active' as const, 'inactive' as const),
    matchSubstringVariations: fc.boolean(),
    textExclusions: fc.uniqueArray(text),
    nameserverExclusions: fc.uniqueArray(text),
  });
  const term = fc.constantFrom('acme', 'true', '12345', '0x10', 'a # b', 'orbit: pay', '~ tilde', '@home');
  fc.assert(
    fc.property(fc.uniqueArray(term), settings, (terms, more) => {
      const monitors = terms.map((one) => existing(one, more));
      const plan = planChanges(declared(monitorFileText(monitors)), monitors);
      assert.deepEqual(new Set(plan.map(({ action }) => action)), new Set(terms.length > 0 ? ['keep'] : []));
    }),
  );
});
