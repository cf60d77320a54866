import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import * as fc from 'fast-check';
import { Value } from 'typebox/value';
import { currentExample, withCurrentTables } from '../scripts/write-configuration.ts';
import { type Config, ConfigError, describeSettings, environmentName, readConfig } from '../src/config.ts';
import { settingLeaves } from '../src/model/settings/settings.ts';
import { anyCharacter } from './harness/arbitraries/any-character.ts';
import { nameglass } from './harness/server/command-line.ts';
import { temporaryDirectory } from './harness/temporary-directory.ts';

interface Sources {
  readonly yaml?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly flags?: Readonly<Record<string, string>>;
}

function yamlFile(t: TestContext, yaml: string): string {
  const file = join(temporaryDirectory(t), 'nameglass.yaml');
  writeFileSync(file, yaml);
  return file;
}

function read(t: TestContext, { yaml, environment = {}, flags = {} }: Sources): Config {
  return readConfig({
    file: yaml === undefined ? undefined : yamlFile(t, yaml),
    environment,
    flags: Object.fromEntries(Object.entries(flags).map(([key, text]) => [key, { flag: '--set', text }])),
  });
}

function originOf({ effective }: Config, key: string): string | undefined {
  return effective.find((setting) => setting.key === key)?.origin.replace(/^file .*/, 'file');
}

/** The one-line message of a configuration error. */
function refusal(t: TestContext, sources: Sources): string {
  let message = '';
  assert.throws(
    () => read(t, sources),
    (error: unknown) => {
      assert.ok(error instanceof ConfigError, `${(error as Error).name}: ${(error as Error).message}`);
      message = error.message;
      return true;
    },
  );
  assert.ok(!message.includes('\n'), `more than one line: ${message}`);
  return message;
}

test('a flag overrides the environment, which overrides the file, which overrides the default', (t) => {
  const yaml = 'http: { port: 1001 }';
  const environment = { NAMEGLASS_HTTP_PORT: '1002' };
  const flags = { 'http.port': '1003' };
  const steps: [Sources, number, string][] = [
    [{}, 8080, 'default'],
    [{ yaml }, 1001, 'file'],
    [{ yaml, environment }, 1002, 'environment NAMEGLASS_HTTP_PORT'],
    [{ yaml, environment, flags }, 1003, 'flag --set'],
    [{ yaml, flags }, 1003, 'flag --set'],
  ];
  for (const [sources, port, origin] of steps) {
    const config = read(t, sources);
    assert.equal(config.settings.http.port, port);
    assert.equal(originOf(config, 'http.port'), origin);
  }
});

test('a source changes only the keys that it names', (t) => {
  const plain = read(t, {}).settings;
  const { settings } = read(t, { yaml: 'http:\n  port: 9000\n' });
  assert.deepEqual({ ...settings, http: { ...settings.http, port: plain.http.port } }, plain);
});

test('without --config the variable NAMEGLASS_CONFIG names the file, unless it is empty', (t) => {
  const named = yamlFile(t, 'http: {port: 7001}');
  const portOf = (sources: Sources) => read(t, sources).settings.http.port;
  assert.equal(portOf({ environment: { NAMEGLASS_CONFIG: named } }), 7001);
  assert.equal(portOf({ yaml: 'http: {port: 7002}', environment: { NAMEGLASS_CONFIG: named } }), 7002);
  assert.equal(portOf({ environment: { NAMEGLASS_CONFIG: '' } }), portOf({}));
});

test('nested groups of a file reach their settings', (t) => {
  const yaml = `
log: { level: debug }
limits:
  detect:
    escalationsPerMinute: 7
batch:
  channels:
    "7": { description: Seven, mimetype: text/plain }
`;
  const { settings } = read(t, { yaml });
  assert.equal(settings.log.level, 'debug');
  assert.equal(settings.limits.detect.escalationsPerMinute, 7);
  assert.deepEqual(settings.batch.channels, { '7': { description: 'Seven', mimetype: 'text/plain' } });
});

test('an empty file and an empty group change nothing', (t) => {
  assert.deepEqual(read(t, { yaml: '' }).settings, read(t, {}).settings);
  assert.deepEqual(read(t, { yaml: '# nothing yet\nhttp:\n' }).settings, read(t, {}).settings);
});

test('a list in the environment is separated by commas or spaces', (t) => {
  const environment = { NAMEGLASS_HTTP_TRUST_PROXY: '192.0.2.1, 198.51.100.0/24  2001:db8::1' };
  const { settings } = read(t, { environment });
  assert.deepEqual(settings.http.trustProxy, ['192.0.2.1', '198.51.100.0/24', '2001:db8::1']);
});

test('a map in the environment is written as JSON or YAML', (t) => {
  const environment = {
    NAMEGLASS_BATCH_CHANNELS: '{"9": {"description": "Nine", "mimetype": "text/plain"}}',
  };
  assert.deepEqual(Object.keys(read(t, { environment }).settings.batch.channels), ['9']);
});

const refused: [name: string, sources: Sources, named: RegExp][] = [
  ['an unknown key in a file', { yaml: 'http: { prot: 1 }' }, /"http\.prot"/],
  ['an unknown key at the top of a file', { yaml: 'colour: red' }, /"colour"/],
  ['an unknown key by flag', { flags: { 'http.prot': '1' } }, /"http\.prot"/],
  ['an unknown variable', { environment: { NAMEGLASS_HTTP_PROT: '1' } }, /NAMEGLASS_HTTP_PROT/],
  ['text for a number in a file', { yaml: 'http: { port: "80" }' }, /"http\.port".*integer from 0 to 65535/],
  ['text for a number in the environment', { environment: { NAMEGLASS_HTTP_PORT: '80x' } }, /"http\.port"/],
  ['text for a number by flag', { flags: { 'http.port': '' } }, /"http\.port"/],
  ['a number out of its range', { flags: { 'http.port': '65536' } }, /"http\.port".*65535/],
  ['a number of 400 digits', { flags: { 'http.port': '9'.repeat(400) } }, /"http\.port"/],
  ['a word outside a choice', { flags: { role: 'boss' } }, /"role".*all, api, worker/],
  ['a boolean that is a word', { environment: { NAMEGLASS_DEMO: 'maybe' } }, /"demo"/],
  ['a boolean named as a member of objects', { environment: { NAMEGLASS_DEMO: 'constructor' } }, /"demo"/],
  ['a bad prefix in a list', { flags: { 'http.trustProxy': '192.0.2.0/99' } }, /"http\.trustProxy"/],
  ['a value where a group belongs', { yaml: 'http: 8080' }, /"http".*group/],
  ['a list as the whole file', { yaml: '- http' }, /group/],
  ['a channel number above 255', { flags: { 'batch.channels': '{"256": {}}' } }, /"batch\.channels"/],
  ['a map that is not valid YAML', { environment: { NAMEGLASS_BATCH_CHANNELS: '{' } }, /batch\.channels/],
  ['a map with an unknown alias', { flags: { 'batch.channels': '*x' } }, /batch\.channels/],
  ['a key named __proto__', { yaml: '__proto__: { demo: true }' }, /"__proto__"/],
  ['a key named __proto__ in a group', { yaml: 'http: { __proto__: { port: 1 } }' }, /"http\.__proto__"/],
  [
    'a channel named __proto__',
    { yaml: 'batch: { channels: { __proto__: { description: a, mimetype: b } } }' },
    /batch\.channels/,
  ],
  ['a tab as indentation', { yaml: 'http:\n\tport: 1\n' }, /Tabs.*line 2/],
  ['a key given twice', { yaml: 'http: { port: 1, port: 2 }' }, /unique/],
  ['two documents in one file', { yaml: 'demo: true\n---\ndemo: false\n' }, /documents/],
  ['a cyclic value', { yaml: 'http: &a { host: *a }' }, /http\.host/],
  ['a key with a line break', { yaml: '"a\\nb": 1' }, /unknown key/],
];

for (const [name, sources, named] of refused) {
  test(`${name} is rejected with one line that names it`, (t) => {
    assert.match(refusal(t, sources), named);
  });
}

test('a misspelled key is answered with a suggestion', (t) => {
  assert.match(refusal(t, { flags: { 'HTTP.Port': '1' } }), /did you mean http\.port\?/);
  assert.match(refusal(t, { yaml: 'port: 1' }), /did you mean http\.port\?/);
});

test('a missing file is rejected with one line that names it', () => {
  assert.throws(() => readConfig({ file: 'no-such.yaml', environment: {}, flags: {} }), {
    message: /^file no-such\.yaml cannot be read: .*$/,
  });
});

test('anchors and aliases of YAML work in a file', (t) => {
  const { settings } = read(t, { yaml: 'http: { port: &n 50 }\nlimits: { feed: { queriesPerMinute: *n } }' });
  assert.equal(settings.limits.feed.queriesPerMinute, 50);
});

test('a file with exponentially expanding aliases (billion laughs) is rejected', (t) => {
  const levels = Array.from({ length: 9 }, (_, n) => `l${n + 1}: &l${n + 1} [${`*l${n},`.repeat(10)}]`);
  assert.match(refusal(t, { yaml: `l0: &l0 [x]\n${levels.join('\n')}` }), /cannot be read/);
});

test('a file of 1 MB is read', (t) => {
  const { settings } = read(t, { yaml: `${'# comment\n'.repeat(100_000)}data: ${'d'.repeat(100_000)}\n` });
  assert.equal(settings.data.length, 100_000);
});

test('a key __proto__ does not pollute the prototype of objects', (t) => {
  refusal(t, { yaml: '__proto__: { polluted: true }' });
  assert.equal(({} as { polluted?: boolean }).polluted, undefined);
});

test('the error for an invalid secret does not repeat the secret', (t) => {
  const secret = 'not-hexadecimal-5e0c';
  assert.ok(!refusal(t, { environment: { NAMEGLASS_SECRET: secret } }).includes(secret));
});

test('every setting has a description and a default that its own schema accepts', () => {
  for (const { key, schema } of settingLeaves) {
    assert.ok(schema.description?.length > 5, `${key} has no description`);
    assert.ok(Value.Check(schema, schema.default), `the default of ${key} is not valid`);
  }
});

test('docs/configuration.md lists every setting as the schema defines it', () => {
  const page = readFileSync(join(import.meta.dirname, '../docs/configuration.md'), 'utf8');
  assert.equal(page, withCurrentTables(page), 'run npm run docs:configuration');
  for (const { key, environment } of describeSettings())
    assert.ok(page.includes(`| \`${key}\` |`) && page.includes(environment));
});

const example = join(import.meta.dirname, '../nameglass.example.yaml');

test('nameglass.example.yaml has every setting as the schema defines it, and reads as the defaults', () => {
  assert.equal(readFileSync(example, 'utf8'), currentExample(), 'run npm run docs:configuration');
  const { settings, effective } = readConfig({ file: example, environment: {}, flags: {} });
  assert.deepEqual(settings, readConfig({ environment: {}, flags: {} }).settings);
  assert.ok(effective.every(({ origin }) => origin === 'default'));
});

test('nameglass.example.yaml with every setting uncommented reads as the defaults too', (t) => {
  const yaml = readFileSync(example, 'utf8').replaceAll(/^( *)#(?=[^ ]| {2})/gm, '$1');
  const { settings, effective } = read(t, { yaml });
  assert.deepEqual(settings, readConfig({ environment: {}, flags: {} }).settings);
  assert.ok(effective.every(({ origin }) => origin.startsWith('file ')));
});

test('the type of every setting is described in words', () => {
  const types = new Map(describeSettings().map(({ key, type }) => [key, type]));
  assert.equal(types.get('http.port'), 'integer from 0 to 65535');
  assert.equal(types.get('http.bodyBytesMax'), 'integer, 1024 or more');
  assert.equal(types.get('role'), 'one of all, api, worker');
  assert.equal(types.get('auth.signatureDigests'), 'list of sha1, md5');
  assert.equal(types.get('http.trustProxy'), 'list of strings');
  assert.equal(types.get('risk.lists'), 'list of maps');
  assert.equal(types.get('batch.channels'), 'map');
});

test('every setting has a distinct environment variable', () => {
  const names = settingLeaves.map(({ key }) => environmentName(key));
  assert.equal(new Set(names).size, names.length);
  for (const name of names) assert.match(name, /^NAMEGLASS_[A-Z0-9]+(_[A-Z0-9]+)*$/);
  assert.equal(environmentName('http.requestTimeoutSeconds'), 'NAMEGLASS_HTTP_REQUEST_TIMEOUT_SECONDS');
});

test('environment variables of other programs are ignored', (t) => {
  assert.deepEqual(
    read(t, { environment: { HTTP_PORT: 'x', NAMEGLAS_X: 'y' } }).settings,
    read(t, {}).settings,
  );
});

const hostileText = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.constantFrom(
    '{',
    '[',
    '*a',
    '&a [*a]',
    '!!set x',
    '%YAML',
    '\t-',
    '__proto__',
    'constructor',
    '1e999',
    '{? [a]: b}',
  ),
);

test('any text in the environment is accepted or rejected with a ConfigError', () => {
  const names = settingLeaves.map(({ key }) => environmentName(key));
  const name = fc.oneof(
    fc.constantFrom('NAMEGLASS_BATCH_CHANNELS'),
    fc.constantFrom(...names),
    fc.string().map((tail) => `NAMEGLASS_${tail}`),
  );
  fc.assert(
    fc.property(fc.dictionary(name, hostileText, { maxKeys: 3 }), (environment) =>
      refusesCleanly({ environment, flags: {} }),
    ),
  );
});

test('any text in a flag is accepted or rejected with a ConfigError', () => {
  const key = fc.oneof(
    fc.constantFrom('batch.channels', ...settingLeaves.map((leaf) => leaf.key)),
    fc.string(),
  );
  const flag = fc.record({ flag: fc.constant('--set'), text: hostileText });
  fc.assert(
    fc.property(fc.dictionary(key, flag, { maxKeys: 3 }), (flags) =>
      refusesCleanly({ environment: {}, flags }),
    ),
  );
});

function refusesCleanly(sources: Parameters<typeof readConfig>[0]): void {
  try {
    readConfig(sources);
  } catch (error) {
    assert.ok(error instanceof ConfigError, `${String(error)} is no ConfigError`);
  }
}

test('config hides secrets, in its table and in JSON', async (t) => {
  const secret = '5e'.repeat(32);
  const env = { NAMEGLASS_SECRET: secret };
  const file = yamlFile(t, 'log: { level: warn }');
  const [table, json] = await Promise.all([
    nameglass(['config', '--config', file], { env }),
    nameglass(['config', '--config', file, '--json'], { env }),
  ]);
  for (const { code, out, err } of [table, json]) {
    assert.equal(code, 0, err);
    assert.ok(!out.includes(secret));
    assert.match(out, /\(hidden\)/);
  }
  const settings = JSON.parse(json.out) as { key: string; value: unknown; origin: string }[];
  assert.equal(settings.length, settingLeaves.length);
  assert.equal(settings.find(({ key }) => key === 'log.level')?.origin, `file ${file}`);
  assert.equal(settings.find(({ key }) => key === 'secret')?.origin, 'environment NAMEGLASS_SECRET');
});

test('an error in a file gives exit code 1, an error in a flag gives 2, each with one line and no stack trace', async (t) => {
  const [inFile, byFlag, inMap] = await Promise.all([
    nameglass(['config', '--config', yamlFile(t, 'colour: red')]),
    nameglass(['config', '--set', 'colour=red']),
    nameglass(['config', '--set', 'batch.channels={']),
  ]);
  assert.equal(inFile.code, 1);
  assert.match(inFile.err, /^nameglass: .*"colour".*\n$/);
  assert.equal(byFlag.code, 2);
  assert.match(byFlag.err, /^nameglass: .*"colour".*\n$/);
  assert.equal(inMap.code, 2, inMap.err);
  assert.match(inMap.err, /^nameglass: .*"batch\.channels".*\n$/);
});

test('the variables of commands that ask a server are no settings, and no error', () => {
  const environment = {
    NAMEGLASS_SERVER: 'https://names.example',
    NAMEGLASS_PROFILE: 'work',
    NAMEGLASS_USERNAME: 'ann',
    NAMEGLASS_API_KEY: 'a-key',
  };
  const { effective } = readConfig({ environment, flags: {} });
  assert.ok(effective.every(({ origin }) => origin === 'default'));
});
