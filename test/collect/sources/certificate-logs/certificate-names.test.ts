import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  namesOfCertificate,
  namesOfTbsCertificate,
} from '../../../../src/collect/sources/certificate-logs/certificate-names.ts';
import { certificateOf, issueCertificate, tbsCertificateOf } from '../../../harness/network/certificates.ts';
import { x509 } from '../../../harness/network/x509.ts';

const namesIn = (der: Uint8Array) => namesOfCertificate(Buffer.from(der), 0, der.length)?.names;

test('names are the DNS alternative names and a common name that looks like a host name', async () => {
  const der = await certificateOf({
    names: ['a.example', '*.b.example', 'a.example'],
    commonName: 'c.example',
  });
  assert.deepEqual(namesIn(der), ['a.example', '*.b.example', 'c.example']);
  assert.deepEqual(namesIn(await certificateOf({ names: [], commonName: 'Some Authority R3' })), []);
  assert.deepEqual(namesIn(await certificateOf({ names: ['d.example'], commonName: 'me@d.example' })), [
    'd.example',
  ]);
});

test('a certificate, its TBSCertificate and its precertificate have the same names and identity', async () => {
  const { precertificate, certificate } = await issueCertificate(['a.example', 'b.example']);
  const [announced, whole] = [
    namesOfTbsCertificate(precertificate, 0, precertificate.length),
    namesOfCertificate(certificate, 0, certificate.length),
  ];
  assert.deepEqual(announced, whole);
  const other = await certificateOf({ names: ['a.example', 'b.example'] });
  assert.notDeepEqual(namesOfCertificate(other, 0, other.length)?.identity, whole?.identity);
});

const label = fc.stringMatching(/^[a-z0-9*_-]{1,20}$/);
const dnsName = fc.array(label, { minLength: 2, maxLength: 5 }).map((labels) => labels.join('.'));

test('the names equal those found by a full X.509 library', async () => {
  const contents = fc.record({
    names: fc.array(dnsName, { minLength: 1, maxLength: 40 }),
    commonName: fc.option(dnsName, { nil: undefined }),
  });
  await fc.assert(
    fc.asyncProperty(contents, async ({ names, commonName }) => {
      const der = await certificateOf({ names, ...(commonName === undefined ? {} : { commonName }) });
      const certificate = new x509.X509Certificate(der);
      const found = certificate.getExtension(x509.SubjectAlternativeNameExtension)?.names.items ?? [];
      const common = certificate.subjectName.getField('CN');
      assert.deepEqual(new Set(namesIn(der)), new Set([...found.map(({ value }) => value), ...common]));
    }),
    { numRuns: 40 },
  );
});

test('names beyond the limits of number and length are left out', async () => {
  const many = Array.from({ length: 6000 }, (_, index) => `n${index}.example`);
  assert.equal(namesIn(await certificateOf({ names: many }))?.length, 5000);
  const long = `${'a'.repeat(250)}.example`;
  assert.deepEqual(namesIn(await certificateOf({ names: [long, 'b.example'] })), ['b.example']);
});

test('any bytes yield a result or none, and no name extends beyond them', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      for (const read of [namesOfTbsCertificate, namesOfCertificate])
        read(Buffer.from(bytes), 0, bytes.length);
    }),
    { numRuns: 2000 },
  );
});

test('a damaged certificate is read or refused, and a truncated one is refused', async () => {
  const der = await certificateOf({ names: ['a.example', 'b.example'], commonName: 'c.example' });
  const change = fc.tuple(fc.nat(der.length - 1), fc.nat(255));
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 6 }), (changes) => {
      const bytes = Uint8Array.from(der);
      for (const [at, byte] of changes) bytes[at] = byte;
      for (const name of namesIn(bytes) ?? []) assert.ok(name.length <= 255);
    }),
    { numRuns: 2000 },
  );
  const body = tbsCertificateOf(der);
  for (let length = 0; length < body.length; length += 1)
    assert.equal(namesOfTbsCertificate(body.subarray(0, length), 0, length), undefined);
});
