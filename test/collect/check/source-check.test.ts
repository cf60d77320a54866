import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import {
  checkCertificateLog,
  checkNameList,
  checkReputationList,
  checkZoneFile,
} from '../../../src/collect/check/check-source.ts';
import { createCollectDialer } from '../../../src/collect/collect-dialer.ts';
import { readConfig } from '../../../src/config.ts';
import { TestLog } from '../../harness/network/certificate-log.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

const { settings } = readConfig({
  environment: {},
  flags: { 'collect.allow': { flag: '--set', text: '127.0.0.1' } },
});
const needs = { dialer: createCollectDialer(settings.collect), timeoutMs: 5000, settings };

test('a certificate log answers, is unreachable, or is something else', async (t) => {
  const log = await new TestLog().serve(t);
  const stateOf = async (more: object = {}) => {
    const entry = { name: 'elm', url: log.url, kind: 'rfc6962', publicKey: log.publicKey, ...more } as const;
    return (await checkCertificateLog(entry, needs)).state;
  };
  assert.equal(await stateOf(), 'answers');
  assert.equal(await stateOf({ kind: 'static' }), 'answers');
  const other = new TestLog();
  assert.equal(await stateOf({ publicKey: other.publicKey }), 'wrong');
  assert.equal(await stateOf({ url: `${log.url}/elsewhere` }), 'wrong');
  assert.equal(await stateOf({ url: 'http://10.0.0.1/' }), 'wrong');
  assert.equal(await stateOf({ url: 'http://127.0.0.1:1/' }), 'unreachable');
  log.misbehave = (_, response) => {
    response.writeHead(503).end();
    return true;
  };
  assert.equal(await stateOf(), 'unreachable');
});

test('a compressed list is recognised by its beginning alone', async (t) => {
  const file = join(temporaryDirectory(t), 'names.gz');
  const lines = Array.from({ length: 200_000 }, (_, at) => `${at + 1},name-${at * 7919}-${at}.com`);
  writeFileSync(file, gzipSync(lines.join('\n')));
  const entry = { name: 'names', location: file };
  assert.deepEqual(await checkNameList(entry, needs), {
    state: 'answers',
    detail: 'names name-0-0.com and more',
  });
  assert.equal((await checkReputationList({ ...entry, label: 'popular' }, needs)).state, 'answers');
  assert.equal(
    (await checkReputationList({ ...entry, label: 'spam', format: 'misp' }, needs)).state,
    'wrong',
  );
});

test('a file without names, and one that is missing, are wrong', async (t) => {
  const file = join(temporaryDirectory(t), 'notes.txt');
  writeFileSync(file, 'nothing of interest\n');
  for (const location of [file, `${file}.missing`]) {
    assert.equal((await checkNameList({ name: 'x', location }, needs)).state, 'wrong');
    assert.equal((await checkReputationList({ name: 'x', location, label: 'spam' }, needs)).state, 'wrong');
    assert.equal((await checkZoneFile({ name: 'x', zone: 'org', location }, needs)).state, 'wrong');
  }
});
