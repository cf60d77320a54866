/** What every store of suggestions must do. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NewSuggestionAnswer } from '../../../src/model/detect/suggestion.ts';
import { facts } from '../../harness/fixtures/watchlist-fixture.ts';
import { describeDetectStore, type NewFixture, type OpenDetectStores } from './describe-detect-store.ts';

const answer: NewSuggestionAnswer = {
  suggestionId: 's1',
  monitorId: 'M',
  kind: 'exclude-text',
  value: 'fans',
  outcome: 'accepted',
  ignored: 31,
  kept: 0,
};
const by = { username: 'ann', atMs: 5000 };

export function suggestionStoreConformance(name: string, open: OpenDetectStores): void {
  describeDetectStore(`${name} as a store of suggestions`, open, (newFixture) => {
    decidedDomains(newFixture);
    answers(newFixture);
  });
}

function decidedDomains(newFixture: NewFixture): void {
  test('a decided domain has its name servers, its registrar and the class of each match', async () => {
    const fixture = newFixture();
    const monitor = await fixture.monitor();
    await fixture.discover('a.example', [monitor]);
    const shared = { registrar: 'R', ip: [], country: [], certificate: [], analytics: [] };
    const nameServers = ['ns1.b.example'];
    await fixture.applyChanges([
      { domain: 'a.example', facts: { ...facts, nameServers, shared }, changed: undefined },
    ]);
    await fixture.triage('a.example', 'ignored');
    const { domains } = await fixture.suggestions.listDecided(fixture.accountId, 'ignored', { limit: 10 });
    assert.deepEqual(domains, [
      {
        domain: 'a.example',
        state: 'ignored',
        isEscalated: false,
        nameServers,
        registrar: 'R',
        matches: [{ monitorId: monitor.id, class: 'leet' }],
      },
    ]);
  });

  test('a blocked domain is watched and escalated', async () => {
    const fixture = newFixture();
    await fixture.discover('a.example', [await fixture.monitor()]);
    await fixture.escalate('a.example', 'blocked');
    const { domains } = await fixture.suggestions.listDecided(fixture.accountId, 'watched', { limit: 10 });
    assert.deepEqual(
      domains.map(({ domain, isEscalated }) => [domain, isEscalated]),
      [['a.example', true]],
    );
  });

  test('pages have each decided domain of their state and account once, the latest discovered first', async () => {
    const [fixture, other] = [newFixture(), newFixture()];
    const monitor = await fixture.monitor();
    const names = ['a', 'b', 'c', 'd', 'e'].map((label) => `${label}.example`);
    for (const [at, name] of names.entries()) {
      await fixture.discover(name, [monitor], { discoveredMs: Math.floor(at / 2) });
      await fixture.triage(name, name === 'c.example' ? 'watched' : 'ignored');
    }
    await fixture.discover('undecided.example', [monitor]);
    await other.discover('other.example', [await other.monitor()]);
    await other.triage('other.example', 'ignored');
    const found: string[] = [];
    let after: string | undefined;
    do {
      const page = await fixture.suggestions.listDecided(fixture.accountId, 'ignored', { after, limit: 2 });
      found.push(...page.domains.map(({ domain }) => domain));
      after = page.next;
    } while (after !== undefined);
    assert.deepEqual(found, ['e.example', 'd.example', 'b.example', 'a.example']);
  });
}

function answers(newFixture: NewFixture): void {
  test('answers are listed newest first', async () => {
    const { suggestions, accountId } = newFixture();
    const first = await suggestions.recordAnswer(accountId, answer, by);
    const second = await suggestions.recordAnswer(accountId, { ...answer, outcome: 'dismissed' }, by);
    assert.deepEqual(await suggestions.listAnswers(accountId, 10), [second, first]);
    assert.deepEqual(await suggestions.listAnswers(accountId, 1), [second]);
    assert.deepEqual(first, { ...answer, id: first.id, by: 'ann', atMs: 5000, undone: undefined });
  });

  test('an answer that is undone twice was undone by the first', async () => {
    const { suggestions, accountId } = newFixture();
    const { id } = await suggestions.recordAnswer(accountId, answer, by);
    await suggestions.undoAnswer(accountId, id, { username: 'bob', atMs: 6000 });
    const again = await suggestions.undoAnswer(accountId, id, { username: 'eve', atMs: 7000 });
    assert.deepEqual(again?.undone, { by: 'bob', atMs: 6000 });
    assert.deepEqual(await suggestions.findAnswer(accountId, id), again);
  });

  test('the answer of another account is unknown', async () => {
    const [{ suggestions, accountId }, other] = [newFixture(), newFixture()];
    const { id } = await suggestions.recordAnswer(accountId, answer, by);
    assert.equal(await suggestions.findAnswer(other.accountId, id), undefined);
    assert.equal(await suggestions.undoAnswer(other.accountId, id, by), undefined);
    assert.equal((await suggestions.findAnswer(accountId, id))?.undone, undefined);
  });
}
