/** `nameglass risk --stored`: scores with the data directory. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { storedText } from '../../../../src/cli/risk/stored-line.ts';
import { linksOf } from '../../../../src/model/risk/proximity/links-of.ts';
import { openDomainStore } from '../../../../src/store/embedded/domain-store.ts';
import { openRiskStore } from '../../../../src/store/embedded/risk-store.ts';
import { nameglass } from '../../../harness/server/command-line.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';
import { TestClock } from '../../../harness/test-clock.ts';

test('risk --stored', async (t) => {
  const directory = temporaryDirectory(t);
  const data = join(directory, 'data');
  const made = await nameglass(['account', 'create', '--username', 'alice', '--data', data]);
  assert.equal(made.code, 0, made.err);
  const record = (domain: string) => ({
    domain,
    registrant_contact: { email: ['boss@crew.example'] },
    analytics_code: 'ua-1',
  });
  const [domains, risks] = [openDomainStore(data, new TestClock()), openRiskStore(data)];
  const seenMs = Date.parse('2026-01-01T00:00:00Z');
  await domains.upsert(
    ['garden-one.example', 'garden-two.example'].map((name) => ({
      record: record(name),
      source: 'test',
      seenMs,
    })),
  );
  const links = linksOf(record('garden-one.example'), 'garden-one.example');
  const reading = { list: 'theirs', label: 'spam', weight: 1, id: 1, untilMs: undefined } as const;
  await risks.addListed(reading, [{ domain: 'garden-one.example' }]);
  await risks.replaceBadLinks([{ domain: 'garden-one.example', weight: 1, links }]);
  await risks.close();
  await domains.close();

  await t.test(
    'each name of a file gives a line with status, components, evidence and contributions',
    async () => {
      const file = join(directory, 'names.txt');
      writeFileSync(file, 'garden-one.example\nno name\nwww.garden-two.example\nunknown-name.example\n');
      const { code, out, err } = await nameglass(['risk', file, '--stored', '--reasons', '--data', data]);
      assert.equal(code, 0, err);
      assert.match(err, /^skipped 1 lines without/);
      const lines = out
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));
      assert.deepEqual(
        lines.map(({ domain, risk_score_status }) => [domain, risk_score_status]),
        [
          ['garden-one.example', 'full'],
          ['garden-two.example', 'full'],
          ['unknown-name.example', 'full'],
        ],
      );
      assert.equal(lines[0].risk_score, 100);
      const [near] = lines[1].components;
      assert.ok(near.name === 'proximity' && near.risk_score >= 70);
      const { points: _, ...first } = lines[1].contributions[1];
      assert.deepEqual(first, {
        component: 'proximity',
        code: 'shared-e-mail',
        reason: 'shared e-mail (1 bad of 2)',
        value: 'boss@crew.example',
        evidence: 'registrant',
      });
    },
  );

  await t.test('a directory without data is reported in one line', async () => {
    const { code, err } = await nameglass([
      'risk',
      'a.com',
      '--stored',
      '--data',
      join(directory, 'nothing'),
    ]);
    assert.equal(code, 1);
    assert.match(err, /^nameglass: there is no data[^\n]+\n$/);
  });
});

test('on a terminal every component is shown with its reasons, with control characters escaped', () => {
  const text = storedText({
    domain: 'a.example',
    status: 'full',
    risk: {
      risk_score: 80,
      components: [
        { name: 'proximity', risk_score: 80 },
        { name: 'threat_profile', risk_score: 75, threats: ['spam'], evidence: ['domain name'] },
      ],
    },
    contributions: [
      { component: 'proximity', code: 'base', reason: 'any domain', evidence: undefined, points: 1 },
      {
        component: 'proximity',
        code: 'shared-registrant',
        reason: 'shared registrant (1 bad of 2)',
        value: '\u001b[2J',
        evidence: 'registrant',
        points: 79,
      },
    ],
  });
  assert.match(
    text,
    /80 .*proximity\n +1 {2}any domain\n +\+79 {2}shared registrant \(1 bad of 2\): \\u\{1b\}\[2J/,
  );
  assert.match(text, /75 .*threat_profile {2}spam {2}by domain name/);
});
