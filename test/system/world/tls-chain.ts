/** The certificates that a TLS server of the world presents. */
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { connect, type DetailedPeerCertificate } from 'node:tls';
import type { Served } from './small-world.ts';

/** From the server's own certificate to the last one sent. */
export async function chainOf({ port, addressOf }: Served, host: string): Promise<X509Certificate[]> {
  const socket = connect({
    port: port('httpsPort'),
    host: addressOf(host),
    servername: host,
    rejectUnauthorized: false,
  });
  try {
    await once(socket, 'secureConnect');
    const chain: X509Certificate[] = [];
    let next: DetailedPeerCertificate | undefined = socket.getPeerCertificate(true);
    while (next && !chain.some(({ fingerprint256 }) => fingerprint256 === next?.fingerprint256)) {
      chain.push(new X509Certificate(next.raw));
      next = next.issuerCertificate;
    }
    return chain;
  } finally {
    socket.destroy();
  }
}
