import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { altNamesOf } from '../../../../src/collect/collectors/tls/alt-names.ts';
import { anyCharacter } from '../../../harness/arbitraries/any-character.ts';

test('host names and addresses are separated from mail addresses, and other names are left out', () => {
  const text =
    'DNS:a.example, URI:http://x.example/, IP Address:2001:DB8:0:0:0:0:0:1, email:A@b.example, DirName:"C = NL, CN = x", DNS:b.example';
  assert.deepEqual(altNamesOf(text), {
    names: ['a.example', '2001:DB8:0:0:0:0:0:1', 'b.example'],
    emails: ['A@b.example'],
  });
  assert.deepEqual(altNamesOf(undefined), { names: [], emails: [] });
});

test('a quoted value is one value, whatever it contains', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: anyCharacter }), (odd) => {
      const text = `DNS:${JSON.stringify(odd)}, DNS:last.example`;
      assert.deepEqual(altNamesOf(text).names, [odd, 'last.example']);
    }),
  );
});

test('any text yields a limited number of names', () => {
  const piece = fc.oneof(fc.string(), fc.constantFrom('DNS:', ', ', '"', '\\', 'email:', 'IP Address:'));
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      assert.ok(altNamesOf(pieces.join('')).names.length <= pieces.length);
    }),
  );
  const many = Array.from({ length: 5000 }, (_, index) => `DNS:${index}.example`).join(', ');
  assert.equal(altNamesOf(many).names.length, 500);
  assert.equal(altNamesOf(`DNS:"${'\\"'.repeat(500_000)}`).names.length, 1);
});
