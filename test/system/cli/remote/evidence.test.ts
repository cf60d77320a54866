/** `nameglass evidence`: a pack is made, its case read and changed, and the bytes of an answer written. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { verifyPack } from '../../../../src/model/evidence/verify-pack.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';
import { remoteFixture } from './remote-fixture.ts';

test('a case is found by the start of its id, changed, downloaded and deleted', async (t) => {
  const fixture = await remoteFixture(t);
  const directory = temporaryDirectory(t);
  const out = join(directory, 'pack.zip');
  const made = await fixture.pipe(['evidence', 'acme-login.example', '--recipient', 'lawyer', '--out', out]);
  assert.equal(made.code, 0, made.err);
  assert.equal((await verifyPack(readFileSync(out))).isIntact, true);
  const { id } = JSON.parse((await fixture.pipe(['evidence', 'list'])).out);
  const begin = id.slice(0, 8);
  const change = ['evidence', 'change', begin, '--sent', '2026-03-02', '--outcome', 'taken-down'];
  const changed = JSON.parse((await fixture.pipe(change)).out);
  assert.deepEqual([changed.sent, changed.outcome], ['2026-03-02T00:00:00.000Z', 'taken-down']);
  const letter = await fixture.pipe(['evidence', 'show', begin, '--letter']);
  assert.match(letter.out, /^Evidence [0-9a-f]{8}: acme-login\.example\n\nTo whom it may concern,/);
  const refused = await fixture.pipe(['evidence', 'download', begin, '--out', out]);
  assert.equal(refused.code, 2);
  assert.match(refused.err, /exists already and is not changed/);
  assert.equal((await fixture.pipe(['evidence', 'change', begin])).code, 2);
  assert.match((await fixture.pipe(['evidence', 'show', '00000000'])).err, /no case begins with 00000000/);
  assert.equal((await fixture.pipe(['evidence', 'delete', id])).code, 0);
  assert.equal((await fixture.pipe(['evidence', 'list'])).out, '');
});
