import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Domain } from '../../web/src/data/detect.ts';
import { likeTogether } from '../../web/src/pages/triage/like-together.ts';

const domain = (id: string, risk: number, minute: number, host: string) =>
  ({
    id,
    risk_score: risk,
    discovered_date: `2026-03-04T10:${minute}:00.000Z`,
    name_server: [{ host }],
    ip: [],
    picture: { state: 'none' },
  }) as unknown as Domain;

test('of domains with the same risk and age, those of the largest cluster come first, together', () => {
  const page = [
    domain('a', 100, 30, 'alone'),
    domain('b', 100, 30, 'pair'),
    domain('c', 100, 30, 'many'),
    domain('d', 100, 30, 'pair'),
    domain('e', 100, 30, 'many'),
    domain('f', 100, 30, 'many'),
  ];
  assert.equal(
    likeTogether(page)
      .map(({ id }) => id)
      .join(''),
    'cefbda',
  );
});

test('risk and age come before the size of a cluster', () => {
  const page = [
    domain('a', 100, 30, 'alone'),
    domain('b', 100, 20, 'many'),
    domain('c', 90, 50, 'many'),
    domain('d', 80, 10, 'many'),
  ];
  assert.deepEqual(likeTogether(page), page);
});
