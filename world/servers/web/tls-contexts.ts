/** TLS for every name of the world: what the office issued for a domain, and lasting certificates for the servers of the world itself. */
import { createSecureContext, type SecureContext } from 'node:tls';
import type { WorldView } from '../../world-domain.ts';
import { type Authority, type KeyPair, makeKeyPair } from '../certificates/authority.ts';
import type { CertificateOffice } from '../certificates/certificate-office.ts';
import { inPem } from '../certificates/make-certificate.ts';
import { findSiteOwner } from './site-owner.ts';

export interface TlsNeeds {
  readonly view: Pick<WorldView, 'find'>;
  readonly authority: Authority;
  readonly office: Pick<CertificateOffice, 'find'>;
  /** Hosts that are no web sites. */
  readonly ownHosts: readonly string[];
}

/** Of 43 kB each, made in half a millisecond. */
const contextsMax = 64;
const fromMs = Date.UTC(2020, 0, 1);
const untilMs = Date.UTC(2049, 0, 1);

export function tlsContexts({ view, authority, office, ownHosts }: TlsNeeds) {
  const own = new Set(ownHosts);
  const ownKey = makeKeyPair();
  const contexts = new Map<string, SecureContext>();

  const keep = (name: string, make: () => SecureContext): SecureContext => {
    const context = contexts.get(name) ?? make();
    // What was used last goes last, and what was not used for long goes first.
    contexts.delete(name);
    contexts.set(name, context);
    if (contexts.size > contextsMax) contexts.delete(contexts.keys().next().value ?? '');
    return context;
  };
  const contextOf = (der: Buffer, key: KeyPair) =>
    createSecureContext({
      cert: inPem(der) + inPem(authority.intermediate),
      key: key.privatePem,
    });
  const ownCertificate = (host: string) =>
    authority.sign(
      authority.write({
        about: host,
        subject: [['commonName', host]],
        names: [['dns', host]],
        notBeforeMs: fromMs,
        notAfterMs: untilMs,
        key: ownKey,
      }),
    );

  return (host: string): SecureContext | undefined => {
    if (own.has(host)) return keep(host, () => contextOf(ownCertificate(host), ownKey));
    const domain = findSiteOwner(view, host);
    const issued = domain && office.find(domain);
    return issued && keep(`${domain.name} ${issued.certifiedMs}`, () => contextOf(issued.der, issued.key));
  };
}
