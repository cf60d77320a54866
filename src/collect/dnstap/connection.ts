import type { Socket } from 'node:net';
import type { TimeSlice } from '../../concurrency/time-slice.ts';
import type { FrameIntake } from './frame-intake.ts';
import { type StreamEvent, type StreamFault, StreamReader } from './stream-reader.ts';

export type ConnectionFault = StreamFault | 'handshake-too-slow';

/** A connection with something to read for longer than this is behind. */
const behindMs = 1000;

/** Undefined while the connection continues. */
type Ending = { readonly fault?: ConnectionFault } | undefined;

/**
 * One dnstap writer on a socket. Reads only after the previous bytes were processed, so a slow store slows the writer down
 * (backpressure). Socket errors are not reported: writers come and go, and some close without awaiting FINISH.
 */
export class DnstapConnection {
  readonly #socket: Socket;
  readonly #frames: Pick<FrameIntake, 'ingest' | 'flush'>;
  readonly #timeSlice: TimeSlice;
  readonly #reader = new StreamReader('socket');
  #isClosing = false;
  #isLate = false;
  /** Since when there has always been something to read. */
  #busySinceMs: number | undefined;
  #wake: () => void = () => undefined;

  constructor(socket: Socket, frames: Pick<FrameIntake, 'ingest' | 'flush'>, timeSlice: TimeSlice) {
    this.#socket = socket;
    this.#frames = frames;
    this.#timeSlice = timeSlice;
  }

  /** Runs until the end of the connection and closes the socket. Returns the reason where we ended it. */
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

  /** Whether the writer has sent faster than this process has read, for a while. */
  isBehind(): boolean {
    return this.#busySinceMs !== undefined && performance.now() - this.#busySinceMs > behindMs;
  }

  /** Stops after the bytes that have arrived. */
  close(): void {
    this.#isClosing = true;
    this.#wake();
  }

  async #readOn(): Promise<Ending> {
    const chunk = this.#socket.read() as Uint8Array | null;
    if (!chunk) this.#busySinceMs = undefined;
    if (chunk) {
      this.#busySinceMs ??= performance.now();
      const ending = await this.#process(chunk);
      if (ending) return ending;
    }
    if (this.#isLate && !this.#reader.hasStarted) return { fault: 'handshake-too-slow' };
    if (this.#isClosing || this.#socket.readableEnded || this.#socket.destroyed) return {};
    if (!chunk) await new Promise<void>((resolve) => (this.#wake = resolve));
    return undefined;
  }

  async #process(chunk: Uint8Array): Promise<Ending> {
    this.#reader.push(chunk);
    for (;;) {
      // A handshake waits for nothing: that others send much is no reason to call a writer too slow.
      if (this.#reader.hasStarted)
        for (let next = this.#timeSlice.yieldIfOver(); next; next = this.#timeSlice.yieldIfOver()) await next;
      const event = this.#reader.next();
      if (!event) return undefined;
      if (event.kind === 'data') {
        const room = this.#frames.ingest(event.payload);
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
      // FINISH confirms to the writer that its data is durable.
      await this.#frames.flush();
      await new Promise<void>((resolve) => this.#socket.end(reply, () => resolve()));
    }
    return {};
  }
}
