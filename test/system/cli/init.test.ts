/** `nameglass init` by flags and on a terminal, and the server that starts from what it wrote. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { readConfig } from '../../../src/config.ts';
import { certificateOf } from '../../harness/network/certificates.ts';
import { openPublicSources } from '../../harness/network/public-sources.ts';
import { openSmtpReceiver } from '../../harness/network/smtp-receiver.ts';
import { nameglass, serve } from '../../harness/server/command-line.ts';
import { inTerminal, type Typed } from '../../harness/server/terminal.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

const settingsOf = (file: string) => readConfig({ file, environment: {}, flags: {} }).settings;

/** A directory with a zone file, and with a file that is none. */
function zoneDirectory(directory: string): string {
  const zones = join(directory, 'zones');
  mkdirSync(zones);
  writeFileSync(join(zones, 'org.zone'), '$ORIGIN org.\nexample 3600 IN NS ns1.example.net.\n');
  writeFileSync(join(zones, 'net.txt'), 'nothing of a zone\n');
  return zones;
}

test('init with flags writes a configuration, and the server that starts from it finds lookalikes', async (t) => {
  const directory = join(temporaryDirectory(t), 'new');
  const outside = temporaryDirectory(t);
  const sources = await openPublicSources(t);
  const mail = await openSmtpReceiver(t, { user: 'nameglass', password: 'hunter2' });
  const password = join(outside, 'password');
  writeFileSync(password, 'hunter2\n');
  const flags = {
    protect: 'acmebank, acme pay',
    own: 'AcmeBank.com,acmepay.com',
    'log-list': `${sources.url}/log_list.json`,
    allow: '127.0.0.0/8',
    zones: zoneDirectory(outside),
    names: `${sources.url}/names.txt ${sources.url}/missing.txt`,
    lists: `phishing=${sources.url}/bad.txt,spam=${sources.url}/page.html`,
    'mail-host': '127.0.0.1',
    'mail-port': String(mail.port),
    'mail-security': 'none',
    'mail-user': 'nameglass',
    'mail-password-file': password,
    'mail-from': 'n@example.org',
    'alerts-to': 'soc@example.org',
    port: '0',
    'public-url': 'https://names.example.org',
    username: 'alice',
  };
  const { code, out, err } = await nameglass([
    'init',
    directory,
    '--yes',
    ...Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value]),
    '--set',
    'sources.pollSeconds=1',
    'collect.collectors=[]',
  ]);
  assert.equal(code, 0, err);
  const file = join(directory, 'nameglass.yaml');
  const settings = settingsOf(file);

  await t.test('it says of each source whether it answers', () => {
    assert.match(out, /ok +log elm2099h1 +0 entries\n/);
    assert.match(out, /ok +log oak2099h1 +0 entries\n/);
    assert.match(out, /ok +zone org +delegates example\.org and more\n/);
    assert.match(out, /wrong +zone net +its beginning delegates no name directly under net\n/);
    assert.match(out, /ok +names \S+ +names first-of-all\.com and more\n/);
    assert.match(out, /wrong +names \S+missing +\S+ responded with status 404\n/);
    assert.match(out, /ok +list \S+bad +names bad-name\.top and more\n/);
    assert.match(out, /wrong +list \S+page\.html +its beginning holds no domain; is its format plain\?\n/);
    assert.match(out, /ok +mail 127\.0\.0\.1 +accepts the user name\n/);
  });

  await t.test(
    'the configuration holds what was chosen, and what cannot be followed as a comment with the reason',
    () => {
      const { certificateLogs, zoneFiles, nameLists } = settings.sources;
      assert.deepEqual(
        certificateLogs.map(({ name, kind }) => [name, kind]),
        [
          ['elm2099h1', 'rfc6962'],
          ['oak2099h1', 'static'],
        ],
      );
      assert.deepEqual([zoneFiles.map(({ zone }) => zone), nameLists.length], [['org'], 1]);
      assert.deepEqual(
        settings.risk.lists.map(({ label }) => label),
        ['phishing'],
      );
      assert.deepEqual(
        [
          settings.http.publicUrl,
          settings.http.trustProxy,
          settings.mail.password,
          settings.collect.newDomains,
        ],
        ['https://names.example.org', ['127.0.0.1', '::1'], 'hunter2', false],
      );
      const text = readFileSync(file, 'utf8');
      assert.match(
        text,
        /# Not followed: \S+ responded with status 404\n +#- \{name: \S+missing, location: /,
      );
    },
  );

  await t.test(
    'the file with the password is readable by its owner alone, and the password is never printed',
    () => {
      assert.equal(statSync(file).mode & 0o777, 0o600);
      assert.ok(!(out + err).includes('hunter2'));
      assert.deepEqual(readdirSync(directory).sort(), ['data', 'nameglass.yaml']);
    },
  );

  await t.test('it prints the keys once, what it takes and the next command', () => {
    assert.match(out, /API key +ngk_/);
    assert.match(out, /disk +about \d+\.\d GB a day in the first week/);
    assert.ok(out.includes(`serve --config ${file}\n`));
  });

  await t.test('a second init changes nothing', async () => {
    const before = readFileSync(file, 'utf8');
    const again = await nameglass(['init', directory, '--yes', '--logs', 'none']);
    assert.deepEqual([again.code, readFileSync(file, 'utf8')], [1, before]);
    assert.match(again.err, /exists already and is not changed/);
  });

  await t.test('a data directory that has accounts keeps them', async () => {
    const other = join(outside, 'other');
    const data = join(directory, 'data');
    const given = ['--yes', '--logs', 'none', '--protect', 'acmebank', '--data', data];
    const again = await nameglass(['init', other, ...given]);
    assert.equal(again.code, 0, again.err);
    assert.match(again.out, /first user +none/);
    assert.match(again.out, /No account was created, so no monitor either/);
    assert.equal(settingsOf(join(other, 'nameglass.yaml')).data, data);
  });

  await t.test('where the first user cannot be created, the command says what to do', async () => {
    const other = join(outside, 'third');
    const blocked = join(outside, 'blocked');
    writeFileSync(blocked, 'a file, not a directory');
    const given = ['--yes', '--logs', 'none', '--data', blocked, '--username', 'bob'];
    const { code: failed, err: said } = await nameglass(['init', other, ...given]);
    assert.equal(failed, 1);
    assert.match(
      said,
      /is written, but the first user could not be created: .*account create --username bob/,
    );
  });

  await t.test(
    'the server reads the logs and lists, and reports lookalikes to the first account',
    async () => {
      const key = /API key +(\S+)/.exec(out)?.[1] ?? '';
      const unlimited = 'limits.detect.previewRequestsPerMinute=100000';
      const served = await serve(t, ['--config', file, '--set', unlimited]);
      const get = async (path: string) =>
        (await fetch(`${served.url}${path}`, { headers: { 'x-api-key': key } })).json() as Promise<any>;
      const monitors = await get('/v1/intel-detect/monitors/');
      assert.deepEqual(monitors.monitors.map(({ term }: { term: string }) => term).sort(), [
        'acme pay',
        'acmebank',
      ]);
      // The logs are followed from now on: only what is logged after their first reading counts.
      while (!sources.elm.requestedPaths.some((path) => path.endsWith('get-sth'))) await pause(50);
      await pause(1500);
      const der = await certificateOf({ names: ['login.secure-acmebank.top', 'www.acmebank.com'] });
      sources.elm.entries.push({ kind: 'certificate', der });
      let found: string[] = [];
      for (let attempt = 0; attempt < 600 && found.length === 0; attempt += 1) {
        await pause(100);
        const { watchlist_domains: domains } = await get('/v1/intel-detect/domains/new/?preview=1');
        found = domains.map(({ domain }: { domain: string }) => domain);
      }
      assert.deepEqual(found, ['secure-acmebank.top']);
      const lists = await nameglass(['risk', 'lists', '--json', '--config', file]);
      assert.match(lists.out, /"phishing"/);
      assert.equal(await served.stop(), 0);
    },
  );
});

test('init on a terminal asks with defaults, repeats what it does not understand, and shows a summary', async (t) => {
  const directory = temporaryDirectory(t);
  const sources = await openPublicSources(t);
  const typed: Typed = [
    ['Brand names, separated by commas [none]: ', 'ab\r'],
    ['must have 3 to 128 characters', ''],
    ['Brand names, separated by commas [none]: ', 'acmebank\r'],
    ['never reported [none]: ', 'acmebank.com\r'],
    ['2 certificate logs accept certificates, of Elm, Oak and Sons.', ''],
    ['none or operators [all]: ', 'willow\r'],
    ['no operator is called willow', ''],
    ['none or operators [all]: ', 'oak\r'],
    ['Directory of zone files [none]: ', '\r'],
    ['as paths or URLs [none]: ', '\r'],
    ['or majestic, crux [none]: ', '\r'],
    ['lookalikes only [lookalikes]: ', '\r'],
    ['SMTP server [none]: ', '127.0.0.1\r'],
    ['tls or none [starttls]: ', 'none\r'],
    ['Port [25]: ', '1\r'],
    ['User name [none]: ', 'nameglass\r'],
    ['Password (not shown): ', 'hunter2\r'],
    ['Sender [', 'n@example.org\r'],
    ['found, to [none]: ', '\r'],
    [`Data directory [${join(directory, 'data')}]: `, '\r'],
    ['Address to listen on [127.0.0.1]: ', '\r'],
    ['Port [8080]: ', '9000\r'],
    ['in front [none]: ', '\r'],
    ['all permissions [', 'alice\r'],
    ['Write it? [yes]: ', '\r'],
  ];
  const flags = ['--log-list', `${sources.url}/log_list.json`, '--allow', '127.0.0.1'];
  const { code, screen } = await inTerminal(['init', directory, ...flags], typed);
  assert.equal(code, 0, screen);
  assert.ok(!screen.includes('hunter2'), screen);
  assert.match(screen, /no answer +mail 127\.0\.0\.1/);
  assert.match(screen, /certificate logs +1 log of Oak and Sons\n/);
  const settings = settingsOf(join(directory, 'nameglass.yaml'));
  assert.deepEqual(
    settings.sources.certificateLogs.map(({ name }) => name),
    ['oak2099h1'],
  );
  assert.deepEqual([settings.http.port, settings.mail.password], [9000, 'hunter2']);
  const users = await nameglass(['account', 'list', '--json', '--config', join(directory, 'nameglass.yaml')]);
  assert.match(users.out, /"alice"/);
});

test('Ctrl-C at the first question and at the last leaves nothing', async (t) => {
  const given = ['--logs', 'none', '--own', 'none', '--zones', 'none', '--names', 'none', '--lists', 'none'];
  const more = [
    '--probe',
    'all',
    '--host',
    '::1',
    '--port',
    '1',
    '--public-url',
    'none',
    '--username',
    'bob',
  ];
  const first: Typed = [['separated by commas', '\x03']];
  const last: Typed = [
    ['separated by commas [none]: ', 'acmebank\r'],
    ['SMTP server [none]: ', '\r'],
    ['Data directory [', '\r'],
    ['Write it? [yes]: ', '\x03'],
  ];
  for (const typed of [first, last]) {
    const directory = join(temporaryDirectory(t), 'new');
    const { code, screen } = await inTerminal(['init', directory, ...given, ...more], typed);
    assert.equal(code, 130, screen);
    assert.match(screen, /Nothing was written\.\n$/);
    assert.ok(!existsSync(directory));
  }
});

test('without a network init says so, keeps what it was given, and works', async (t) => {
  const directory = temporaryDirectory(t);
  const noResolver = ['--set', 'collect.resolvers=127.0.0.1:1'];
  const names = ['--names', 'https://lists.example/names.txt'];
  const { code, out } = await nameglass([
    'init',
    directory,
    '--yes',
    '--protect',
    'acmebank',
    ...names,
    ...noResolver,
  ]);
  assert.equal(code, 0);
  assert.match(out, /The list of certificate logs cannot be read: .*\n.*--log-list FILE/);
  assert.match(out, /Nothing on the Internet answered/);
  assert.deepEqual(
    settingsOf(join(directory, 'nameglass.yaml')).sources.nameLists.map(({ location }) => location),
    ['https://lists.example/names.txt'],
  );
});

test('without a terminal init needs --yes', async (t) => {
  const directory = join(temporaryDirectory(t), 'new');
  const { code, err } = await nameglass(['init', directory, '--protect', 'acmebank']);
  assert.deepEqual([code, err], [2, 'nameglass: there is no terminal to ask on; give --yes and flags\n']);
  assert.ok(!existsSync(directory));
});
