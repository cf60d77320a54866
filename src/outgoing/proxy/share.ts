/** Counts what goes over some connections, and ends them all when it is more than their share. */
import type { Socket } from 'node:net';

export class Share {
  readonly #bytesMax: number;
  readonly #open = new Set<Socket>();
  #settled = 0;
  #ended = false;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get bytes(): number {
    let sum = this.#settled;
    for (const socket of this.#open) sum += moved(socket);
    return sum;
  }

  take(socket: Socket): void {
    // Whoever reads it hears of its errors too.
    socket.on('error', () => undefined);
    if (this.#ended || this.bytes > this.#bytesMax) {
      socket.destroy();
      return;
    }
    this.#open.add(socket);
    // Data begins to flow with this, but not before whoever asked for the connection can listen as well.
    socket.on('data', () => {
      if (this.bytes > this.#bytesMax) this.end();
    });
    socket.once('close', () => {
      this.#open.delete(socket);
      this.#settled += moved(socket);
    });
  }

  end(): void {
    this.#ended = true;
    for (const socket of this.#open) socket.destroy();
  }
}

function moved(socket: Socket): number {
  return socket.bytesRead + socket.bytesWritten;
}
