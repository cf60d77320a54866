import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameFacts } from '../../../src/model/risk/assess-domain.ts';
import { dossierSections } from '../../../src/product/assistant/dossier/dossier.ts';
import type { DossierFacts } from '../../../src/product/assistant/dossier/dossier-facts.ts';
import { makeDossier } from '../../../src/product/assistant/dossier/make-dossier.ts';
import { historyRows, riskHistory } from '../../../src/product/assistant/history-rows.ts';
import { checkedName, lookalikeRow } from '../../../src/product/assistant/lookalike-rows.ts';
import { pdnsRow, pdnsTextRow } from '../../../src/product/assistant/pdns-rows.ts';
import { recordRow, recordSubsets, wholeRecord } from '../../../src/product/assistant/record-rows.ts';
import type { FieldChange } from '../../../src/store/domain-store.ts';
import type { Row, TextRow } from '../../../src/store/rrset-store.ts';
import { wire } from '../../harness/arbitraries/rrset-arbitraries.ts';
import { canary, checkAnswer, hostileRecord } from '../../harness/fixtures/hostile-record.ts';
import { injections } from '../../harness/fixtures/injections.ts';

const domain = 'victim.example';
const nowMs = Date.parse('2026-03-04T10:00:00Z');

/** Everything that a dossier can be made of, with the injection wherever a third party writes. */
function hostileFacts(injection: string, items = 7): DossierFacts {
  const text = `${canary} ${injection}`;
  const record = hostileRecord(domain, () => injection, items);
  const reason = { code: 'shared-e-mail', reason: 'shares an e-mail address', value: text };
  const sighting = { firstSeconds: 1, lastSeconds: 2, count: 3 };
  const row: Row = {
    ...sighting,
    origin: 'sensor',
    owner: wire('victim.example.'),
    type: 16,
    bailiwick: undefined,
    rdata: Array.from({ length: 9 }, () =>
      Uint8Array.from([255, ...Buffer.from(text.padEnd(255).slice(0, 255))]).slice(0, 256),
    ),
    position: new Uint8Array(),
  };
  return {
    domain,
    nowMs,
    record,
    isOwn: false,
    tags: Array.from({ length: 30 }, () => 'tag'),
    assessment: {
      ...nameFacts(domain),
      risk: { risk_score: 90, components: [{ name: 'proximity', risk_score: 90 }] },
      contributions: Array.from({ length: 30 }, (_, index) => ({
        ...reason,
        code: `code-${index}`,
        component: 'proximity',
        evidence: text,
        points: 50,
      })),
    },
    listed: { domain: undefined, terms: new Map() },
    pivots: Array.from({ length: 30 }, (_, index) => ({
      attribute: 'registrant_name',
      parameter: 'registrant',
      value: text,
      domains: index + 2,
      averageRisk: 50,
      guided: true,
      firstNames: ['a.example', 'b.example'],
    })),
    history: { changes: hostileChanges(text), more: true },
    passiveDns: { found: { rows: Array.from({ length: 30 }, () => row), more: true } },
    picture: { state: 'taken', atMs: nowMs, hash: '0123456789abcdef' },
    webUrl: 'https://names.example/ui/domain/victim.example',
  };
}

function hostileChanges(text: string): readonly FieldChange[] {
  const change = { domain, id: 1, atMs: nowMs, source: text };
  return [
    { ...change, field: 'website_title', before: 'x', after: text },
    { ...change, field: 'name_server', before: [{ host: 'a.example' }], after: [{ host: text, ip: [text] }] },
    { ...change, field: 'registrar', before: undefined, after: text },
    { ...change, field: 'domain_risk', before: { risk_score: 1 }, after: { risk_score: text } },
    ...Array.from({ length: 30 }, () => ({
      ...change,
      field: 'spf_info',
      before: text,
      after: `${text} more`,
    })),
  ];
}

test('each of thirty injections in every text of a record is in answers only under from_third_parties, clean and short', () => {
  assert.equal(injections.length, 30);
  for (const injection of injections) {
    const text = `${canary} ${injection}`;
    const facts = hostileFacts(injection);
    const record = hostileRecord(domain, () => injection);
    const match = {
      term: 0,
      class: 'affix',
      steps: [],
      name: text,
      from: 0,
      to: 1,
      text,
      distance: 1,
    } as const;
    const listed = {
      id: 'a1',
      domain,
      tld: 'example',
      state: 'new',
      discoveredMs: nowMs,
      changedMs: undefined,
      assigned: undefined,
      monitorIds: ['m1'],
      matches: [{ monitorId: 'm1', reason: match }],
      escalations: [],
      sightings: [],
      active: true,
      mxExists: false,
      nameServers: [text],
      riskScore: 1,
      riskStatus: 'full',
      riskComponents: undefined,
    } as const;
    const [row] = facts.passiveDns?.found?.rows ?? [];
    const textRow = { ...(row as Row), text, wire: new Uint8Array() } as unknown as TextRow;
    const explain = () => text;
    const answers = {
      dossier: makeDossier(facts, dossierSections),
      whole: wholeRecord(record),
      history: [historyRows(hostileChanges(text)), riskHistory(hostileChanges(text))],
      lookalike: lookalikeRow(listed, { terms: new Map([['m1', 'term']]), explain }),
      checked: checkedName(domain, match, explain),
      rows: [pdnsRow(row as Row), pdnsTextRow(textRow, 'rrnames'), pdnsTextRow(textRow, 'rdata')],
      ...Object.fromEntries(recordSubsets.map((subset) => [subset, recordRow(record, subset)])),
    };
    for (const [what, answer] of Object.entries(answers)) {
      const quoted = checkAnswer(answer, what);
      assert.ok(quoted > 0, `${what} quotes nothing`);
    }
  }
});

const tokensOf = (answer: unknown) => Buffer.byteLength(JSON.stringify(answer)) / 3.5;

test('a dossier has at most 4,000 tokens for a record at every size limit, and says that it was shortened', () => {
  for (const letter of ['x', 'ü', '語', '😀', '"']) {
    const facts = hostileFacts(letter.repeat(165), 6);
    const dossier = makeDossier(facts, dossierSections);
    assert.ok(tokensOf(dossier) <= 4000, `${letter}: ${tokensOf(dossier)}`);
    assert.equal(dossier.truncated, true);
  }
});

test('a dossier that fits is not shortened', () => {
  const dossier = makeDossier(
    { ...hostileFacts('x', 1), pivots: [], history: { changes: [], more: false } },
    dossierSections,
  );
  assert.equal(dossier.truncated, false);
});
