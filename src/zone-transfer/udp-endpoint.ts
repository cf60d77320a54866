/** Requests over UDP. Each is answered with at most one message, and only a few at a time: the rest is dropped, and its client asks again. */
import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';

export interface UdpOptions {
  readonly host: string;
  readonly port: number;
  readonly answer: (
    bytes: Uint8Array,
    peer: { readonly address: string; readonly transport: 'udp' },
  ) => AsyncGenerator<Buffer, void, undefined>;
  readonly onFailure: (error: unknown) => void;
}

export interface UdpEndpoint {
  close(): Promise<void>;
}

const requestsAtOnce = 100;

export async function listenUdp({ host, port, answer, onFailure }: UdpOptions): Promise<UdpEndpoint> {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
  let underWay = 0;
  const respond = async (bytes: Uint8Array, { address, port: to }: RemoteInfo) => {
    for await (const message of answer(bytes, { address, transport: 'udp' })) {
      // A peer that cannot be reached is no failure of ours.
      socket.send(message, to, address, () => undefined);
      return;
    }
  };
  socket.on('message', (bytes, from) => {
    // Port 0 cannot be answered.
    if (underWay >= requestsAtOnce || from.port === 0) return;
    underWay += 1;
    respond(bytes, from)
      .catch(onFailure)
      .finally(() => {
        underWay -= 1;
      });
  });
  socket.bind(port, host);
  await once(socket, 'listening');
  socket.on('error', onFailure);
  return {
    async close() {
      const closed = once(socket, 'close');
      socket.close();
      await closed;
    },
  };
}
