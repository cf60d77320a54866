/** Days of records against the calendar of `Date`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normaliseText } from '../../../src/model/record/normalise-text.ts';

const two = (number: number) => String(number).padStart(2, '0');

test('a day is accepted exactly where the calendar has it, as a day and as part of an instant', () => {
  for (const year of ['0000', '0004', '1900', '2000', '2023', '2024', '9999']) {
    for (let month = 0; month <= 13; month += 1) {
      for (const day of [0, 1, 28, 29, 30, 31, 32]) {
        const text = `${year}-${two(month)}-${two(day)}`;
        const ms = Date.parse(`${text}T00:00Z`);
        const exists = !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
        for (const given of [text, `${text}T00:00:00Z`]) {
          const outcome = normaliseText('day', given);
          assert.deepEqual(outcome, exists ? { text } : { must: 'be a day, YYYY-MM-DD' }, given);
        }
      }
    }
  }
});
