/** Queries over one TCP connection, each with its length before it (RFC 7766). Answers go out in the order of the queries. */
import type { Socket } from 'node:net';

const idleMs = 30_000;
const lengthBytes = 2;
/** A client that takes nothing is not answered any further. */
const unsentBytesMax = 1_048_576;

export function converse(socket: Socket, answer: (query: Uint8Array) => Uint8Array | undefined): void {
  let held: Buffer = Buffer.alloc(0);
  socket.setTimeout(idleMs, () => socket.destroy());
  socket.on('error', () => socket.destroy());
  socket.on('data', (piece: Buffer) => {
    held = held.length === 0 ? piece : Buffer.concat([held, piece]);
    while (held.length >= lengthBytes) {
      const end = lengthBytes + held.readUInt16BE(0);
      if (held.length < end) return;
      const reply = answer(held.subarray(lengthBytes, end));
      held = held.subarray(end);
      if (!reply || socket.writableLength > unsentBytesMax) {
        socket.destroy();
        return;
      }
      const length = Buffer.alloc(lengthBytes);
      length.writeUInt16BE(reply.length);
      socket.write(Buffer.concat([length, reply]));
    }
  });
}
