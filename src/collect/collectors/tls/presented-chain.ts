/** The certificate chain that a server presents, unverified. */
import type { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect, createSecureContext, type SecureContext } from 'node:tls';
import { Timeout } from '../../../concurrency/deadline.ts';

export interface Handshake {
  readonly socket: Socket;
  /** The name for SNI. */
  readonly host: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

const certificatesMax = 8;

let contextMade: SecureContext | undefined;

/**
 * No data is sent, so even obsolete protocol versions and ciphers are acceptable, and no key must resist a quantum computer, which would take a quarter of a
 * handshake. Made once, for another quarter.
 */
function acceptingContext(): SecureContext {
  contextMade ??= createSecureContext({
    minVersion: 'TLSv1',
    ciphers: 'DEFAULT:@SECLEVEL=0',
    ecdhCurve: 'X25519:P-256:X448:P-521:P-384',
  });
  return contextMade;
}

/** Undefined on timeout. Throws the error of the handshake; always closes the connection. */
export async function findPresentedChain(
  handshake: Handshake,
): Promise<readonly X509Certificate[] | undefined> {
  const { socket, host, timeoutMs, signal } = handshake;
  const timeout = new Timeout(timeoutMs, signal);
  const secure = connect({
    socket,
    servername: host,
    rejectUnauthorized: false,
    secureContext: acceptingContext(),
    ALPNProtocols: ['http/1.1'],
  });
  for (const stream of [socket, secure]) stream.on('error', () => undefined);
  try {
    await once(secure, 'secureConnect', { signal: timeout.signal });
    return chainOf(secure.getPeerX509Certificate());
  } catch (error) {
    signal.throwIfAborted();
    if (timeout.isOver) return undefined;
    throw error;
  } finally {
    timeout.clear();
    secure.destroy();
    socket.destroy();
  }
}

function chainOf(leaf: X509Certificate | undefined): readonly X509Certificate[] {
  const chain: X509Certificate[] = [];
  for (let next = leaf; next && chain.length < certificatesMax; next = next.issuerCertificate)
    chain.push(next);
  return chain;
}
