import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { encodeModel } from '../../../../src/model/risk/name/name-model-file.ts';
import { openDomainStore } from '../../../../src/store/embedded/domain-store.ts';
import { openRiskStore } from '../../../../src/store/embedded/risk-store.ts';
import { nameglass } from '../../../harness/server/command-line.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';
import { TestClock } from '../../../harness/test-clock.ts';
import { storyRecords } from '../../../model/risk/story-records.ts';
import { smallModel } from '../../../tools/risk-model/labelled-names.ts';

const records = await storyRecords(3, 300);

test('a record model is trained on a file of records and evaluated on it', async (t) => {
  const directory = temporaryDirectory(t);
  const [names, out, lines] = ['names.bin', 'out.bin', 'records.ndjson'].map((file) =>
    join(directory, file),
  ) as [string, string, string];
  writeFileSync(names, encodeModel(smallModel()));
  const text = records.map(({ record, nowMs, labels }) =>
    JSON.stringify({ ...record, labels: labels === 'good' ? ['good'] : labels, observed: new Date(nowMs) }),
  );
  writeFileSync(lines, [...text, '{"domain":"a.example","labels":["odd"]}', 'no JSON', ''].join('\n'));

  const trained = await nameglass(['risk', 'train', '--model', names, '--records', lines, '--out', out]);
  assert.equal(trained.code, 0, trained.err);
  assert.match(trained.out, /and on \d+ phishing, 0 malware, 0 spam, \d+ good records/);
  assert.match(trained.err, /labels: expected \["good"\].*\n.*is not valid JSON/);

  const measured = await nameglass(['risk', 'eval', '--model', out, '--records', lines]);
  assert.equal(measured.code, 0, measured.err);
  assert.match(measured.out, /\nphishing +\d+ +\d+ +(?:0\.9[789]|1\.0)/);
  assert.match(measured.out, /phishing, by name alone/);
  assert.match(measured.out, /\n90-99 /);

  const alone = await nameglass(['risk', 'eval', '--model', names, '--records', lines]);
  assert.equal(alone.code, 2);
  assert.match(alone.err, /trained on names only/);
});

test('a record model is trained on stored records: listed as bad against listed as good or old', async (t) => {
  const data = temporaryDirectory(t);
  const clock = new TestClock();
  const [names, out] = [join(data, 'names.bin'), join(data, 'out.bin')];
  writeFileSync(names, encodeModel(smallModel()));
  const created = await nameglass(['account', 'create', '--data', data, '--username', 'ann']);
  assert.equal(created.code, 0, created.err);
  const [domains, risks] = [openDomainStore(data, clock), openRiskStore(data)];
  await domains.upsert(records.map(({ record, nowMs }) => ({ record, source: 'import', seenMs: nowMs })));
  const bad = records.filter(({ labels }) => labels !== 'good').map(({ record: { domain } }) => ({ domain }));
  const reading = { list: 'reports', label: 'phishing', weight: 1, id: 1, untilMs: undefined } as const;
  await risks.addListed(reading, bad);
  await risks.completeSnapshot(reading, undefined, clock.now());
  await Promise.all([domains.close(), risks.close()]);

  const trained = await nameglass([
    'risk',
    'train',
    '--data',
    data,
    '--model',
    names,
    '--records',
    'stored',
    '--out',
    out,
    '--json',
  ]);
  assert.equal(trained.code, 0, trained.err);
  const summary = JSON.parse(trained.out) as {
    readonly records: { readonly trainedOn: { readonly phishing: number; readonly good: number } };
  };
  assert.equal(summary.records.trainedOn.phishing, bad.length);
  const { good } = summary.records.trainedOn;
  assert.ok(good > 20 && good < records.length - bad.length, 'young ones that no list names are left out');
});
