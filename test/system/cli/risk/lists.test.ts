import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openAccountStore } from '../../../../src/store/embedded/account-store.ts';
import { openRiskStore } from '../../../../src/store/embedded/risk-store.ts';
import { keyVault, openServerSecret } from '../../../../src/store/key-vault.ts';
import { nameglass } from '../../../harness/server/command-line.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';

test('risk lists prints configured and stored lists with label, number of domains and time of the last read', async (t) => {
  const data = temporaryDirectory(t);
  await openAccountStore(data, keyVault(openServerSecret(data, ''))).close();
  const risks = openRiskStore(data);
  const reading = { list: 'reports', label: 'phishing', weight: 1, id: 1, untilMs: undefined } as const;
  const domains = Array.from({ length: 1200 }, (_, index) => ({ domain: `n${index}.example` }));
  await risks.addListed(reading, domains);
  await risks.completeSnapshot(reading, undefined, Date.parse('2026-03-04T10:11:12.345Z'));
  await risks.close();
  const config = join(data, 'nameglass.yaml');
  writeFileSync(
    config,
    'risk:\n  lists:\n    - name: own\n      location: /nowhere/own.txt\n      label: good\n',
  );
  const shown = (...more: readonly string[]) =>
    nameglass(['risk', 'lists', '--config', config, '--data', data, ...more]);
  const [table, json] = await Promise.all([shown(), shown('--json')]);
  assert.deepEqual(table.out.trimEnd().split('\n'), [
    'name     label     domains  last read',
    'own      good      0        never',
    'reports  phishing  1,200    2026-03-04T10:11:12Z',
    '',
    '2,101 well-known domains of the package score 0 too, unless a list names them as bad.',
  ]);
  assert.deepEqual(JSON.parse(json.out), [
    { name: 'own', label: 'good', domains: 0, last_read: null },
    { name: 'reports', label: 'phishing', domains: 1200, last_read: '2026-03-04T10:11:12Z' },
  ]);
});
