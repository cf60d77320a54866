import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  namesOfBody,
  namesOfCertificate,
} from '../../../../src/collect/sources/certificate-logs/certificate-names.ts';
import { bodyOf, certificateOf, issued } from '../../../harness/certificates.ts';
import { commandPath, needsPackage } from '../../../harness/debian-package.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';
import { x509 } from '../../../harness/x509.ts';

const namesIn = (der: Uint8Array) => namesOfCertificate(Buffer.from(der), 0, der.length)?.names;

test('names are those of the alternative names and, where it looks like one, the common name', async () => {
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

test('a certificate and the part of it that is signed have the same names and the same identity as its announcement', async () => {
  const { precertificate, certificate } = await issued(['a.example', 'b.example']);
  const [announced, whole] = [
    namesOfBody(precertificate, 0, precertificate.length),
    namesOfCertificate(certificate, 0, certificate.length),
  ];
  assert.deepEqual(announced, whole);
  const other = await certificateOf({ names: ['a.example', 'b.example'] });
  assert.notDeepEqual(namesOfCertificate(other, 0, other.length)?.identity, whole?.identity);
});

test('what openssl has made is read as it was meant, other kinds of alternative names left out', (t) => {
  if (!needsPackage(t, 'openssl', 'openssl')) return;
  const directory = temporaryDirectory(t);
  const out = join(directory, 'cert.der');
  const names =
    'DNS:one.example,IP:192.0.2.1,email:me@one.example,DNS:*.two.example,URI:https://three.example/';
  execFileSync(
    commandPath('openssl') as string,
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', join(directory, 'key.pem')].concat(
      ['-subj', '/C=DE/O=Four/CN=four.example', '-addext', `subjectAltName=critical,${names}`],
      ['-outform', 'DER', '-out', out],
    ),
    { stdio: 'ignore' },
  );
  assert.deepEqual(namesIn(readFileSync(out)), ['one.example', '*.two.example', 'four.example']);
});

const label = fc.stringMatching(/^[a-z0-9*_-]{1,20}$/);
const dnsName = fc.array(label, { minLength: 2, maxLength: 5 }).map((labels) => labels.join('.'));

test('a library that reads everything finds the same names', async () => {
  const wish = fc.record({
    names: fc.array(dnsName, { minLength: 1, maxLength: 40 }),
    commonName: fc.option(dnsName, { nil: undefined }),
  });
  await fc.assert(
    fc.asyncProperty(wish, async ({ names, commonName }) => {
      const der = await certificateOf({ names, ...(commonName === undefined ? {} : { commonName }) });
      const certificate = new x509.X509Certificate(der);
      const found = certificate.getExtension(x509.SubjectAlternativeNameExtension)?.names.items ?? [];
      const common = certificate.subjectName.getField('CN');
      assert.deepEqual(new Set(namesIn(der)), new Set([...found.map(({ value }) => value), ...common]));
    }),
    { numRuns: 40 },
  );
});

test('names beyond what a certificate may have, and names that are too long, are left out', async () => {
  const many = Array.from({ length: 6000 }, (_, index) => `n${index}.example`);
  assert.equal(namesIn(await certificateOf({ names: many }))?.length, 5000);
  const long = `${'a'.repeat(250)}.example`;
  assert.deepEqual(namesIn(await certificateOf({ names: [long, 'b.example'] })), ['b.example']);
});

test('whatever the bytes are, there is an answer or none, and no name reaches beyond them', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      for (const read of [namesOfBody, namesOfCertificate]) read(Buffer.from(bytes), 0, bytes.length);
    }),
    { numRuns: 2000 },
  );
});

test('a certificate that was damaged anywhere is read or refused, and a shortened one is refused', async () => {
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
  const body = bodyOf(der);
  for (let length = 0; length < body.length; length += 1)
    assert.equal(namesOfBody(body.subarray(0, length), 0, length), undefined);
});
