import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summaryLines } from '../../../src/cli/risk/summary-text.ts';

test('on a terminal several domains have a line each, aligned, with the strongest reason and escaped values', () => {
  const lines = summaryLines([
    {
      domain: 'google.com',
      status: 'full',
      risk: { risk_score: 0, components: [{ name: 'zerolist', risk_score: 0 }] },
      contributions: [
        {
          component: 'zerolist',
          code: 'well-known',
          reason: 'well-known domain',
          evidence: 'domain name',
          points: 0,
        },
      ],
    },
    {
      domain: 'a.example',
      status: 'full',
      risk: {
        risk_score: 97,
        components: [
          { name: 'proximity', risk_score: 97 },
          { name: 'threat_profile_phishing', risk_score: 8 },
        ],
      },
      contributions: [
        { component: 'proximity', code: 'base', reason: 'any domain', evidence: undefined, points: 1 },
        {
          component: 'proximity',
          code: 'shared-e-mail',
          reason: 'shared e-mail (3 bad of 11)',
          value: '\u001b[2Ja@b.example',
          evidence: 'registrant',
          points: 96,
        },
      ],
    },
  ]);
  assert.deepEqual(lines.map(withoutColours), [
    '  0  google.com  well-known domain',
    ' 97  a.example   phishing  8  proximity 97  shared e-mail (3 bad of 11): \\u{1b}[2Ja@b.example',
  ]);
});

function withoutColours(text: string): string {
  return text.replaceAll(/\u001b\[\d+m/g, '');
}
