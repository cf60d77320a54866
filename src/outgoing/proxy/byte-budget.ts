/** Counts the bytes of several sockets and destroys them all when the total exceeds a budget. */
import type { Socket } from 'node:net';

export class ByteBudget {
  readonly #bytesMax: number;
  readonly #open = new Set<Socket>();
  #closedBytes = 0;
  #isExhausted = false;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get bytes(): number {
    let sum = this.#closedBytes;
    for (const socket of this.#open) sum += bytesOf(socket);
    return sum;
  }

  track(socket: Socket): void {
    // The reader of the socket handles its errors as well.
    socket.on('error', () => undefined);
    if (this.#isExhausted || this.bytes > this.#bytesMax) {
      socket.destroy();
      return;
    }
    this.#open.add(socket);
    // A data listener starts the flow, but only in a later tick, when the caller has attached its own.
    socket.on('data', () => {
      if (this.bytes > this.#bytesMax) this.end();
    });
    socket.once('close', () => {
      this.#open.delete(socket);
      this.#closedBytes += bytesOf(socket);
    });
  }

  end(): void {
    this.#isExhausted = true;
    for (const socket of this.#open) socket.destroy();
  }
}

function bytesOf(socket: Socket): number {
  return socket.bytesRead + socket.bytesWritten;
}
