/** The name server of the world: all zones on one address, over UDP and TCP on the same port. */
import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { serviceAddress, type WorldServer } from '../world-server.ts';
import { answerQuery, type NameKnowledge } from './answer-query.ts';
import { converse } from './tcp-conversation.ts';

const triesMax = 20;
const connectionsMax = 256;

export async function startDns(names: NameKnowledge): Promise<WorldServer> {
  let asked = 0;
  const connections = new Set<Socket>();
  const answer = (query: Uint8Array, over: 'udp' | 'tcp') => {
    asked += 1;
    return answerQuery(query, over, names);
  };
  const { tcp, udp, port } = await openBoth();
  tcp.maxConnections = connectionsMax;
  tcp.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.on('close', () => connections.delete(socket));
    converse(socket, (query) => answer(query, 'tcp'));
  });
  udp.on('message', (query, peer) => {
    const reply = answer(query, 'udp');
    // The client has disconnected.
    if (reply) udp.send(reply, peer.port, peer.address, () => undefined);
  });
  udp.on('error', () => undefined);
  return {
    hosts: {},
    settings: { 'collect.resolvers': `${serviceAddress}:${port}` },
    requests: () => ({ dns: asked }),
    close: async () => {
      for (const socket of connections) socket.destroy();
      await Promise.all([
        new Promise((done) => tcp.close(done)),
        new Promise<void>((done) => udp.close(done)),
      ]);
    },
  };
}

/** The system chooses a port for TCP; where UDP has it taken, another. */
async function openBoth(): Promise<{ tcp: Server; udp: UdpSocket; port: number }> {
  for (let tries = 1; ; tries += 1) {
    const tcp = createServer();
    tcp.listen(0, serviceAddress);
    await once(tcp, 'listening');
    const { port } = tcp.address() as AddressInfo;
    const udp = createSocket('udp4');
    try {
      udp.bind(port, serviceAddress);
      await once(udp, 'listening');
      return { tcp, udp, port };
    } catch (error) {
      udp.close();
      tcp.close();
      if (tries === triesMax) throw error;
    }
  }
}
