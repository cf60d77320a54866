/**
 * The writing end of Frame Streams in its bidirectional mode: READY, ACCEPT, START, data, STOP, FINISH. While there is no listener, frames are queued;
 * when too many do, the oldest are forgotten, as a resolver would rather lose a line of its log than an answer.
 */
import { connect, type Socket } from 'node:net';

const contentType = Buffer.from('protobuf:dnstap.Dnstap');
const controls = { ACCEPT: 1, START: 2, STOP: 3, READY: 4, FINISH: 5 } as const;
type Control = keyof typeof controls;

const waitingMax = 20_000;
/** What the socket has not taken. */
const unsentBytesMax = 1_048_576;
const [retryMsFirst, retryMsMax, goodbyeMs] = [100, 5000, 2000];

export class FrameStreamWriter {
  readonly #path: string;
  #waiting: Uint8Array[] = [];
  #socket: Socket | undefined;
  #isAccepted = false;
  #retryMs = retryMsFirst;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  #finished: (() => void) | undefined;
  written = 0;

  /** Of a unix socket, which need not be there yet. */
  constructor(path: string) {
    this.#path = path;
    this.#connect();
  }

  /** Frames that have not been received yet. */
  get waiting(): number {
    return this.#waiting.length;
  }

  write(frame: Uint8Array): void {
    if (this.#isClosed) return;
    this.#waiting.push(frame);
    if (this.#waiting.length > waitingMax) this.#waiting.splice(0, this.#waiting.length - waitingMax);
    this.#send();
  }

  /** Sends STOP to a connected peer and waits briefly for FINISH. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    const socket = this.#socket;
    if (socket && this.#isAccepted) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, goodbyeMs);
        this.#finished = () => {
          clearTimeout(timer);
          resolve();
        };
        socket.write(control('STOP'));
      });
    }
    socket?.destroy();
  }

  #connect(): void {
    const socket = connect(this.#path);
    this.#socket = socket;
    let received: Buffer = Buffer.alloc(0);
    socket.on('connect', () => socket.write(control('READY', contentType)));
    socket.on('data', (piece: Buffer) => {
      received = Buffer.concat([received, piece]);
      received = received.subarray(this.#readControl(received));
    });
    socket.on('drain', () => this.#send());
    // What went wrong does not matter: the end comes in any case.
    socket.on('error', () => undefined);
    socket.on('close', () => this.#lost(socket));
  }

  #lost(socket: Socket): void {
    if (this.#socket !== socket) return;
    this.#socket = undefined;
    this.#isAccepted = false;
    this.#finished?.();
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => this.#connect(), this.#retryMs);
    this.#retryMs = Math.min(2 * this.#retryMs, retryMsMax);
  }

  /** Acts on all control frames that are whole, and gives how many bytes they took. */
  #readControl(bytes: Buffer): number {
    let at = 0;
    while (bytes.length >= at + 12) {
      const end = at + 8 + bytes.readUInt32BE(at + 4);
      if (bytes.readUInt32BE(at) !== 0 || end - at > 1024) {
        this.#socket?.destroy();
        return bytes.length;
      }
      if (bytes.length < end) break;
      const type = bytes.readUInt32BE(at + 8);
      if (type === controls.ACCEPT) this.#start();
      else if (type === controls.FINISH) this.#finished?.();
      at = end;
    }
    return at;
  }

  #start(): void {
    this.#socket?.write(control('START', contentType));
    this.#isAccepted = true;
    this.#retryMs = retryMsFirst;
    this.#send();
  }

  #send(): void {
    const socket = this.#socket;
    if (!socket || !this.#isAccepted) return;
    let sent = 0;
    for (; sent < this.#waiting.length && socket.writableLength < unsentBytesMax; sent += 1) {
      const frame = this.#waiting[sent] as Uint8Array;
      socket.write(Buffer.concat([word(frame.length), frame]));
    }
    this.written += sent;
    this.#waiting = this.#waiting.slice(sent);
  }
}

function word(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** A control frame: no length, then its own, its type, and its fields. */
function control(type: Control, content?: Uint8Array): Buffer {
  const fields = content ? Buffer.concat([word(1), word(content.length), content]) : Buffer.alloc(0);
  return Buffer.concat([word(0), word(4 + fields.length), word(controls[type]), fields]);
}
