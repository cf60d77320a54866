/** The flags of `nameglass init` without a terminal; `test/system/cli/init.test.ts` has the questions. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Answers } from '../../../src/cli/init/answers.ts';
import type { InitFlags } from '../../../src/cli/init/flags.ts';
import { gatherAnswers } from '../../../src/cli/init/gather-answers.ts';
import { readConfig } from '../../../src/config.ts';
import { Problem } from '../../../src/model/problem.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

const { settings } = readConfig({ environment: {}, flags: {} });
const log = (operator: string, name: string) => ({
  operator,
  log: { name, url: `https://${name}.example/`, kind: 'static', publicKey: 'x' } as const,
});
const listed = [log('Elm', 'elm1'), log('Elm', 'elm2'), log('Oak and Sons', 'oak1')];

function gather(t: TestContext, flags: Partial<InitFlags>): Promise<Answers> {
  return gatherAnswers({
    flags: { check: true, ...flags },
    questions: undefined,
    settings,
    directory: temporaryDirectory(t),
    heading: () => undefined,
    listLogs: () => Promise.resolve(listed),
  });
}

test('without flags the defaults are taken', async (t) => {
  const answers = await gather(t, {});
  assert.deepEqual(answers.logs, listed);
  const { terms, mail, host, port, publicUrl, probesAll } = answers;
  assert.deepEqual(
    [terms, mail, host, port, publicUrl, probesAll],
    [[], undefined, '127.0.0.1', 8080, '', false],
  );
  assert.match(answers.username, /^[a-z]/);
});

test('operators of logs are named by the beginning of their names, in any letter case', async (t) => {
  const namesOf = async (logs: string) => (await gather(t, { logs })).logs.map((one) => one.log.name);
  assert.deepEqual(await namesOf('elm'), ['elm1', 'elm2']);
  assert.deepEqual(await namesOf('OAK AND'), ['oak1']);
  assert.deepEqual(await namesOf('oak, elm'), ['elm1', 'elm2', 'oak1']);
  assert.deepEqual(await namesOf('none'), []);
});

test('zone files are found by their names', async (t) => {
  const zones = join(temporaryDirectory(t), 'zones');
  mkdirSync(zones);
  for (const name of ['org.zone.gz', 'nu.txt', 'zone.se', 'co.uk.zone', 'dev', '.hidden'])
    writeFileSync(join(zones, name), '');
  const { zoneFiles } = await gather(t, { zones });
  assert.deepEqual(zoneFiles.map(({ zone }) => zone).sort(), ['co.uk', 'dev', 'nu', 'org', 'se']);
  assert.equal(zoneFiles.find(({ zone }) => zone === 'org')?.location, join(zones, 'org.zone.gz'));
});

test('reputation lists have a label, a format and a column, or are public ones', async (t) => {
  const { reputationLists } = await gather(t, {
    lists:
      'phishing=https://lists.example/a.txt malware:hosts=https://b.example/hosts spam:csv:3=https://c.example/t.csv crux',
  });
  assert.deepEqual(
    reputationLists.map(({ name, label, format, column }) => [name, label, format, column]),
    [
      ['lists.example-a', 'phishing', undefined, undefined],
      ['b.example-hosts', 'malware', 'hosts', undefined],
      ['c.example-t', 'spam', 'csv', 3],
      ['crux', 'popular', 'csv', 1],
    ],
  );
});

test('lists of the same name get different ones', async (t) => {
  const { nameLists } = await gather(t, { names: 'https://a.example/x.txt?v=1 https://a.example/x.txt?v=2' });
  assert.deepEqual(
    nameLists.map(({ name }) => name),
    ['a.example-x', 'a.example-x-2'],
  );
});

test('the port of mail goes with its encryption', async (t) => {
  const portOf = async (mailSecurity: string) =>
    (await gather(t, { mailHost: 'mail.example', mailSecurity })).mail?.server.port;
  assert.deepEqual([await portOf('starttls'), await portOf('tls'), await portOf('none')], [587, 465, 25]);
});

test('where the list of logs cannot be read, everything else goes on', async (t) => {
  const answers = await gatherAnswers({
    flags: { check: true, protect: 'acmebank' },
    questions: undefined,
    settings,
    directory: temporaryDirectory(t),
    heading: () => undefined,
    listLogs: () => Promise.reject(new Problem('unavailable', 'no network')),
  });
  assert.deepEqual([answers.logs, answers.terms], [[], ['acmebank']]);
});

const wrong: readonly (readonly [flags: Partial<InitFlags>, message: RegExp])[] = [
  [{ protect: 'ab' }, /^--protect: ab: must have 3 to 128 characters/],
  [{ port: '70000' }, /^--port: a port is a number from 0 to 65535/],
  [{ publicUrl: 'names.example' }, /^--public-url: scheme and host/],
  [{ publicUrl: 'https://names.example/path' }, /^--public-url: scheme and host/],
  [{ own: 'co.uk' }, /^--own: .*co\.uk/],
  [{ logs: 'willow' }, /^--logs: no operator is called willow; there are Elm, Oak and Sons/],
  [{ lists: 'nice=/etc/hosts' }, /^--lists: nice=\/etc\/hosts is neither LABEL=LOCATION/],
  [{ names: '/nowhere/names.txt' }, /^--names: there is no file \/nowhere\/names\.txt/],
  [{ zones: '/nowhere' }, /^--zones: \/nowhere is not a directory/],
  [{ username: 'a b' }, /^--username: a username must have/],
  [{ probe: 'some' }, /^--probe: all or lookalikes/],
  [{ mailHost: 'm.example', mailSecurity: 'ssl' }, /^--mail-security: starttls, tls or none/],
  [{ mailHost: 'm.example', mailFrom: 'nobody' }, /^--mail-from: an e-mail address/],
];

for (const [flags, message] of wrong) {
  test(`a wrong flag is named: ${JSON.stringify(flags)}`, async (t) => {
    await assert.rejects(gather(t, flags), (error: unknown) => {
      assert.ok(error instanceof Problem && error.code === 'invalid-parameters');
      assert.match(error.message, message);
      return true;
    });
  });
}
