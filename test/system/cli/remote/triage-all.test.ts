/** `nameglass triage`: a decision about everything that matches, also what is not on the screen. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { screenTerminal } from '../../../harness/server/screen-terminal.ts';
import { remoteFixture } from './remote-fixture.ts';

test('all that match are decided about after a confirmation', async (t) => {
  const fixture = await remoteFixture(t);
  await fixture.monitor('acme');
  for (let number = 0; number < 130; number += 1) await fixture.discover(`acme-${number}.example`);
  const terminal = screenTerminal(t, ['triage'], fixture.env);
  await terminal.until('the list', (s) => s.includes('130 domains'));
  terminal.press('*i');
  await terminal.until('question', (s) => s.includes('type 130'));
  terminal.press('130\r');
  await terminal.until('done', (s) => s.includes('Ignored 130 domains') && s.includes('0 domains'));
  terminal.press('q');
  assert.equal(await terminal.ended(), 0);
  assert.equal((await fixture.list('ignored')).total_count, 130);
});
