import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import {
  type ConnectionOptions,
  connect,
  findTarget,
  isUnencrypted,
  serverAddress,
} from '../../../src/cli/remote/connection.ts';
import {
  isReadableByOthers,
  type Profiles,
  profilesPath,
  readProfiles,
  writeProfiles,
} from '../../../src/cli/remote/profiles.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

const profiles: Profiles = {
  current: 'work',
  profiles: {
    work: { server: 'https://work.example', username: 'ann', key: 'work-key' },
    home: { server: 'https://home.example', username: 'ann', key: 'home-key' },
  },
};

function needsOf(
  t: TestContext,
  more: Readonly<Record<string, string>> = {},
  stored: Profiles | undefined = profiles,
) {
  const environment = { XDG_CONFIG_HOME: temporaryDirectory(t), ...more };
  if (stored) writeProfiles(stored, environment);
  return { version: 'test', environment, findLocalServer: () => 'http://127.0.0.1:8080' };
}

const target = (t: TestContext, options: ConnectionOptions, environment: Record<string, string> = {}) => {
  const { server, key } = findTarget(options, needsOf(t, environment));
  return [server, key];
};

test('the profile of the last login counts where nothing else is named', (t) => {
  assert.deepEqual(target(t, {}), ['https://work.example', 'work-key']);
});

test('--profile wins over NAMEGLASS_PROFILE, and that over the current profile', (t) => {
  assert.deepEqual(target(t, {}, { NAMEGLASS_PROFILE: 'home' }), ['https://home.example', 'home-key']);
  assert.deepEqual(target(t, { profile: 'work' }, { NAMEGLASS_PROFILE: 'home' }), [
    'https://work.example',
    'work-key',
  ]);
});

test('--server wins over NAMEGLASS_SERVER, and finds the profile of that server', (t) => {
  const environment = { NAMEGLASS_SERVER: 'https://work.example' };
  assert.deepEqual(target(t, { server: 'https://home.example/' }, environment), [
    'https://home.example',
    'home-key',
  ]);
});

test('the key of a profile is never sent to another server', (t) => {
  assert.deepEqual(target(t, { server: 'https://other.example' }), ['https://other.example', undefined]);
  assert.deepEqual(target(t, { server: 'http://work.example' }), ['http://work.example', undefined]);
  assert.deepEqual(target(t, { server: 'https://other.example', profile: 'work' }), [
    'https://other.example',
    undefined,
  ]);
});

test('NAMEGLASS_API_KEY wins over the key of a profile', (t) => {
  assert.deepEqual(target(t, {}, { NAMEGLASS_API_KEY: 'given' }), ['https://work.example', 'given']);
});

test('without a profile the server on this machine is asked', (t) => {
  const needs = needsOf(t, {}, { profiles: {} });
  assert.equal(findTarget({}, needs).server, 'http://127.0.0.1:8080');
});

test('without any server the failure says how to name one, with exit code 2', (t) => {
  const needs = { ...needsOf(t, {}, { profiles: {} }), findLocalServer: () => undefined };
  assert.throws(() => findTarget({}, needs), { exitCode: 2, message: /nameglass login URL/ });
});

test('without a key the failure says how to store one, with exit code 3', (t) => {
  const needs = needsOf(t);
  assert.throws(() => connect({ server: 'https://other.example' }, {}, needs), {
    exitCode: 3,
    message: /nameglass login https:\/\/other\.example/,
  });
});

test('a profile that does not exist is named, with those that do', (t) => {
  assert.throws(() => target(t, { profile: 'wrok' }), { exitCode: 2, message: /wrok.*work, home/ });
});

test('the address of a server has one spelling', () => {
  assert.equal(serverAddress('names.example'), 'https://names.example');
  assert.equal(serverAddress('localhost:8080'), 'http://localhost:8080');
  assert.equal(serverAddress('HTTPS://Names.Example:443/prefix//'), 'https://names.example/prefix');
  for (const text of ['', 'ftp://names.example', 'https://user:key@names.example', 'https://'])
    assert.throws(() => serverAddress(text), { exitCode: 2 }, text);
});

test('only http to another machine is unencrypted', () => {
  assert.equal(isUnencrypted('http://names.example'), true);
  for (const server of [
    'https://names.example',
    'http://127.0.0.1:8080',
    'http://localhost:1',
    'http://[::1]:8080',
  ])
    assert.equal(isUnencrypted(server), false, server);
});

test('the file of profiles is readable by its owner alone, also where it was not before', (t) => {
  const { environment } = needsOf(t);
  const path = profilesPath(environment);
  chmodSync(path, 0o644);
  assert.equal(isReadableByOthers(environment), true);
  writeProfiles(profiles, environment);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.equal(isReadableByOthers(environment), false);
  assert.deepEqual(readProfiles(environment), profiles);
});

test('a damaged file of profiles is an error that does not quote it', (t) => {
  for (const text of [
    'profiles: {a: {key: secret-key',
    'profiles:\n  a:\n    key: secret-key\n',
    '- secret-key\n',
  ]) {
    const environment = { XDG_CONFIG_HOME: temporaryDirectory(t) };
    mkdirSync(join(environment.XDG_CONFIG_HOME, 'nameglass'));
    writeFileSync(profilesPath(environment), text);
    assert.throws(
      () => readProfiles(environment),
      (error: Error) => error.message.includes('profiles.yaml') && !error.message.includes('secret-key'),
    );
  }
});

test('profiles are in ~/.config where XDG_CONFIG_HOME is not an absolute path', () => {
  assert.equal(profilesPath({ HOME: '/home/ann' }), '/home/ann/.config/nameglass/profiles.yaml');
  assert.equal(
    profilesPath({ HOME: '/home/ann', XDG_CONFIG_HOME: 'x' }),
    '/home/ann/.config/nameglass/profiles.yaml',
  );
});
