/** A syslog receiver on loopback that keeps the messages it gets. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { TestScope } from '../test-scope.ts';
import type { TlsCertificate } from './tls-certificate.ts';

export interface SyslogReceiver {
  readonly port: number;
  /** Of all connections that ended well, without their lengths. */
  readonly messages: string[];
  /** What is done with the next connections in place of reading them to their end. */
  treat: ((socket: Socket) => void) | undefined;
}

export async function openSyslogReceiver(
  scope: TestScope,
  certificate?: TlsCertificate,
): Promise<SyslogReceiver> {
  const sockets = new Set<Socket>();
  const receiver: { -readonly [Name in keyof SyslogReceiver]: SyslogReceiver[Name] } = {
    port: 0,
    messages: [],
    treat: undefined,
  };
  const accept = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    if (receiver.treat) return receiver.treat(socket);
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('end', () => receiver.messages.push(...messagesOf(Buffer.concat(chunks))));
  };
  const server = certificate ? createTlsServer({ ...certificate }, accept) : createServer(accept);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  scope.after(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  receiver.port = (server.address() as AddressInfo).port;
  return receiver;
}

/** RFC 6587, 3.4.1. */
function messagesOf(bytes: Buffer): readonly string[] {
  const messages: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(' ', at);
    const end = space + 1 + Number(bytes.subarray(at, space).toString('latin1'));
    messages.push(bytes.subarray(space + 1, end).toString('utf8'));
    at = end;
  }
  return messages;
}
