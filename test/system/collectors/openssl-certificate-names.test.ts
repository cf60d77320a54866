/** Certificates made by openssl are parsed like those of our own test library. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { namesOfCertificate } from '../../../src/collect/sources/certificate-logs/certificate-names.ts';
import { commandPath, needsPackage } from '../../harness/debian-package.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

const namesIn = (der: Uint8Array) => namesOfCertificate(Buffer.from(der), 0, der.length)?.names;

test('certificates made by openssl are read, without alternative names of other types', (t) => {
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
