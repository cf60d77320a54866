/** What the stores say of domains, gathered for their scores. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DomainRecord } from '../../src/model/record/domain-record.ts';
import { linksOf } from '../../src/model/risk/proximity/links-of.ts';
import { openDomainStore } from '../../src/store/embedded/domain-store.ts';
import { openNameStore } from '../../src/store/embedded/name-store.ts';
import { openRiskStore } from '../../src/store/embedded/risk-store.ts';
import { gatherRiskFacts } from '../../src/store/gather-risk-facts.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';
import { TestClock } from '../harness/test-clock.ts';

const hourMs = 3_600_000;
const foundMs = Date.parse('2026-03-01T00:00:00Z');

test('the facts of domains', async (t) => {
  const directory = temporaryDirectory(t);
  const domains = openDomainStore(directory, new TestClock());
  const names = openNameStore(directory);
  const risks = openRiskStore(directory);
  t.after(async () => {
    await risks.close();
    await names.close();
    await domains.close();
  });
  const needs = { domains, names, risks, settings: { risk: { fullAfterSeconds: 86_400 } } };
  const crew = (domain: string): DomainRecord => ({
    domain,
    registrant_contact: { email: ['boss@crew.example'] },
    name_server: [{ host: 'ns1.crew.example', domain: 'crew.example' }],
    first_seen: '2026-03-02T00:00:00Z',
  });
  const records = ['one.example', 'two.example', 'three.example'].map(crew);
  await domains.upsert(records.map((record) => ({ record, source: 'test', seenMs: foundMs })));
  await names.recordNames('test', ['two.example', 'new.example'], foundMs, undefined);
  const snapshot = { list: 'theirs', label: 'phishing', weight: 0.8, id: 1, untilMs: undefined } as const;
  await risks.addListed(snapshot, [{ domain: 'one.example' }]);
  await risks.completeSnapshot(snapshot, undefined, foundMs);
  await risks.replaceBadLinks([
    { domain: 'one.example', weight: 0.8, links: linksOf(records[0], 'one.example') },
  ]);
  const gathered = (requested: readonly string[], nowMs = foundMs) =>
    gatherRiskFacts(requested, needs, nowMs);

  await t.test('are returned in the order given, with records and verdicts if any', async () => {
    const requested = ['new.example', 'one.example', 'unknown.example', 'two.example'];
    const facts = await gathered(requested);
    assert.deepEqual(
      facts.map(({ domain, record, verdicts }) => [domain, record?.domain, verdicts.length]),
      [
        ['new.example', undefined, 0],
        ['one.example', 'one.example', 1],
        ['unknown.example', undefined, 0],
        ['two.example', 'two.example', 0],
      ],
    );
    assert.deepEqual(await gathered([]), []);
  });

  await t.test(
    'have for each link the number of domains and of other bad domains that share it',
    async () => {
      const [two, one] = await gathered(['two.example', 'one.example']);
      const email = { kind: 'e-mail', attribute: 'registrant_contact.email', value: 'boss@crew.example' };
      const shared = two?.links.find(({ kind }) => kind === 'e-mail');
      assert.deepEqual(shared, { ...email, domains: 3, bad: 1, weight: 0.8 });
      assert.ok(one?.links.every(({ bad }) => bad === 0));
    },
  );

  await t.test('RISK-02 RISK-04 a score is full 24 hours after the first sighting of any kind', async () => {
    const statusesAt = async (ms: number) =>
      (await gathered(['new.example', 'two.example', 'three.example', 'unknown.example'], ms)).map(
        ({ status }) => status,
      );
    assert.deepEqual(new Set(await statusesAt(foundMs)), new Set(['provisional']));
    assert.deepEqual(await statusesAt(foundMs + 24 * hourMs), ['full', 'full', 'provisional', 'provisional']);
    assert.deepEqual((await statusesAt(foundMs + 48 * hourMs)).slice(2), ['full', 'provisional']);
  });
});
