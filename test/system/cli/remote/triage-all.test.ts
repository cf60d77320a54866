/** `nameglass triage`: a decision about everything that matches, also what is not on the screen, and what the command line filters by. */
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

test('what the command line filters by holds for clusters and facets too', async (t) => {
  const fixture = await remoteFixture(t);
  await fixture.monitor('acme');
  for (const [name, risk_score] of [
    ['acme-a.example', 90],
    ['acme-b.example', 20],
  ] as const)
    await fixture.discover(name, {
      record: { name_server: [{ host: 'ns1.crew.example' }], domain_risk: { risk_score, components: [] } },
    });
  const terminal = screenTerminal(t, ['triage', '--risk', '70-99'], fixture.env);
  await terminal.until('the list', (s) => s.includes('1 domain') && s.includes('acme-a.example'));
  terminal.press('c');
  await terminal.until('no cluster', (s) => s.includes('No other domain shares anything specific'));
  terminal.press('C');
  await terminal.until('no clusters', (s) => s.includes('No domains of this list share anything'));
  terminal.press('f');
  const attributes = await terminal.until('the facets', (s) => s.includes('Name server'));
  assert.doesNotMatch(attributes, /^ *Risk/m);
  terminal.press('jjjjjj\r');
  await terminal.until('its values', (s) => /ns1\.crew\.example +1 /.test(s));
  terminal.press('q\u001b\u001b');
  await terminal.until('the list again', (s) => s.includes('acme-a.example'));
  terminal.press('q');
  assert.equal(await terminal.ended(), 0);
});
