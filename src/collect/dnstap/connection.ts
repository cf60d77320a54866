import type { Socket } from 'node:net';
import type { FrameIntake } from './frame-intake.ts';
import { type StreamEvent, type StreamFault, StreamReader } from './stream-reader.ts';
import type { Turn } from './turn.ts';

export type ConnectionFault = StreamFault | 'handshake-too-slow';

/** Undefined while the connection goes on. */
type Ending = { readonly fault?: ConnectionFault } | undefined;

/**
 * One writer on a socket. Bytes are read only when the ones before are dealt with, so a store that is behind slows the
 * writer down. Trouble with the socket itself is no event: writers come and go, and some close without awaiting FINISH.
 */
export class DnstapConnection {
  readonly #socket: Socket;
  readonly #frames: Pick<FrameIntake, 'take' | 'flush'>;
  readonly #turn: Turn;
  readonly #reader = new StreamReader('socket');
  #isClosing = false;
  #isLate = false;
  #wake: () => void = () => undefined;

  constructor(socket: Socket, frames: Pick<FrameIntake, 'take' | 'flush'>, turn: Turn) {
    this.#socket = socket;
    this.#frames = frames;
    this.#turn = turn;
  }

  /** Reads to the end; gives the reason when that end is our doing. The socket is closed afterwards. */
  async run(handshakeSeconds: number): Promise<ConnectionFault | undefined> {
    const timer = setTimeout(() => {
      this.#isLate = true;
      this.#wake();
    }, handshakeSeconds * 1000);
    for (const event of ['readable', 'end', 'close']) this.#socket.on(event, () => this.#wake());
    try {
      for (;;) {
        const ending = await this.#readOn();
        if (ending) return ending.fault;
      }
    } finally {
      clearTimeout(timer);
      this.#socket.destroy();
    }
  }

  /** What has arrived is still dealt with, nothing after it. */
  close(): void {
    this.#isClosing = true;
    this.#wake();
  }

  async #readOn(): Promise<Ending> {
    const piece = this.#socket.read() as Uint8Array | null;
    if (piece) {
      const ending = await this.#deal(piece);
      if (ending) return ending;
    }
    if (this.#isLate && !this.#reader.hasStarted) return { fault: 'handshake-too-slow' };
    if (this.#isClosing || this.#socket.readableEnded || this.#socket.destroyed) return {};
    if (!piece) await new Promise<void>((resolve) => (this.#wake = resolve));
    return undefined;
  }

  async #deal(piece: Uint8Array): Promise<Ending> {
    this.#reader.push(piece);
    for (;;) {
      for (let next = this.#turn.over(); next; next = this.#turn.over()) await next;
      const event = this.#reader.next();
      if (!event) return undefined;
      if (event.kind === 'data') {
        const room = this.#frames.take(event.payload);
        if (room) await room;
      } else {
        const ending = await this.#answer(event);
        if (ending) return ending;
      }
    }
  }

  async #answer(event: Exclude<StreamEvent, { kind: 'data' }>): Promise<Ending> {
    if (event.kind === 'fault') return { fault: event.reason };
    if (event.kind === 'reply') this.#socket.write(event.bytes);
    if (event.kind !== 'stop') return undefined;
    const { reply } = event;
    if (reply) {
      // FINISH tells the writer that its data is safe with us.
      await this.#frames.flush();
      await new Promise<void>((resolve) => this.#socket.end(reply, () => resolve()));
    }
    return {};
  }
}
