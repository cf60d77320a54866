/** A certificate of its own authority, for servers that tests speak TLS with. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { commandPath } from './debian-package.ts';
import { temporaryDirectory } from './temporary-directory.ts';

export interface TlsCertificate {
  readonly key: string;
  readonly cert: string;
}

/** Needs the command `openssl`. */
export function tlsCertificate(t: TestContext, host: string): TlsCertificate {
  const directory = temporaryDirectory(t);
  const [key, cert] = [join(directory, 'key.pem'), join(directory, 'cert.pem')];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const name = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`];
  execFileSync(
    commandPath('openssl') as string,
    ['req', '-x509', ...curve, ...name, '-keyout', key, '-out', cert],
    {
      stdio: 'ignore',
    },
  );
  return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
}
