/** Certificates for tests, made by openssl. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandPath } from '../../harness/debian-package.ts';

export interface Wanted {
  readonly name: string;
  /** As openssl writes it: `/C=NL/CN=acme.example`. */
  readonly subject: string;
  /** Self-signed by default. */
  readonly issuer?: string;
  readonly extensions?: string;
  /** Days of validity; openssl takes negative ones, too. */
  readonly days?: number;
}

/** Makes key and certificate `NAME.key` and `NAME.pem` in a directory. */
export function makeCertificate(directory: string, wanted: Wanted): void {
  const { name, subject, issuer = name, extensions = '', days = 90 } = wanted;
  const openssl = (...args: readonly string[]) =>
    execFileSync(commandPath('openssl') as string, args, { cwd: directory, stdio: 'ignore' });
  const config = `[req]\ndistinguished_name=none\n[none]\n[more]\n${extensions}\n`;
  writeFileSync(join(directory, `${name}.cnf`), config);
  openssl('ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', `${name}.key`);
  const key = ['-new', '-key', `${name}.key`, '-subj', subject, '-utf8', '-config', `${name}.cnf`];
  if (issuer === name) {
    openssl('req', '-x509', ...key, '-extensions', 'more', '-days', String(days), '-out', `${name}.pem`);
    return;
  }
  openssl('req', ...key, '-out', `${name}.csr`);
  const authority = ['-CA', `${issuer}.pem`, '-CAkey', `${issuer}.key`, '-CAcreateserial'];
  const more = ['-days', String(days), '-extfile', `${name}.cnf`, '-extensions', 'more'];
  openssl('x509', '-req', '-in', `${name}.csr`, ...authority, ...more, '-out', `${name}.pem`);
}

/** What a server presents: the key of the first, and all certificates in order. */
export function shown(directory: string, ...names: readonly string[]): { key: string; cert: string } {
  const read = (file: string) => readFileSync(join(directory, file), 'utf8');
  return { key: read(`${names[0]}.key`), cert: names.map((name) => read(`${name}.pem`)).join('') };
}

export function fingerprint(directory: string, name: string): string {
  const args = ['x509', '-in', `${name}.pem`, '-noout', '-fingerprint', '-sha1'];
  const line = execFileSync(commandPath('openssl') as string, args, { cwd: directory, encoding: 'utf8' });
  return line.replace(/^.*=/, '').trim().replaceAll(':', '').toLowerCase();
}
