/**
 * The reading end of a dnstap Frame Stream (https://farsightsec.github.io/fstrm/). On a socket the first control frame selects the
 * mode: bidirectional (READY, answered by ACCEPT before START and by FINISH after STOP) or unidirectional (START only). A file is
 * unidirectional, and several streams may follow one another, as in concatenated captures.
 */
import { encodeControl, type Frame, FrameDecoder, type FramingFault } from './frame-streams.ts';

const dnstapContentType = 'protobuf:dnstap.Dnstap';

export type StreamFault =
  | FramingFault
  /** The writer does not support `protobuf:dnstap.Dnstap`. */
  | 'content-type'
  /** Data before START, or an unexpected control frame. */
  | 'out-of-order';

export type StreamEvent =
  | { readonly kind: 'data'; readonly offset: number; readonly payload: Uint8Array }
  /** To be sent to the writer. */
  | { readonly kind: 'reply'; readonly bytes: Uint8Array }
  | { readonly kind: 'start' }
  /** The writer has finished; `reply` acknowledges it in bidirectional mode. */
  | { readonly kind: 'stop'; readonly reply: Uint8Array | undefined }
  | { readonly kind: 'fault'; readonly offset: number; readonly reason: StreamFault };

type ControlFrame = Extract<Frame, { kind: 'control' }>;

/** `push` and `next` as in the decoder; a fault is final here too. */
export class StreamReader {
  readonly #decoder = new FrameDecoder();
  readonly #over: 'socket' | 'file';
  #state: 'opening' | 'accepted' | 'open' | 'stopped' = 'opening';
  #isBidirectional = false;
  #fault: StreamEvent | undefined;

  constructor(over: 'socket' | 'file') {
    this.#over = over;
  }

  push(chunk: Uint8Array): void {
    this.#decoder.push(chunk);
  }

  next(): StreamEvent | undefined {
    while (!this.#fault && this.#state !== 'stopped') {
      const frame = this.#decoder.next();
      if (!frame) return undefined;
      const event = this.#handle(frame);
      if (event?.kind === 'fault') this.#fault = event;
      if (event) return event;
    }
    return this.#fault;
  }

  /** Offset of a frame that has arrived in part; undefined between frames. */
  get openFrameOffset(): number | undefined {
    return this.#decoder.openFrameOffset;
  }

  get hasStarted(): boolean {
    return this.#state === 'open' || this.#state === 'stopped';
  }

  #handle(frame: Frame): StreamEvent | undefined {
    if (frame.kind === 'fault') return frame;
    if (frame.kind === 'data') return this.#state === 'open' ? frame : outOfOrder(frame);
    if (frame.type === undefined) return undefined;
    if (this.#state === 'open') return frame.type === 'STOP' ? this.#stop() : undefined;
    if (frame.type === 'START') return this.#start(frame);
    const allowsReady = this.#state === 'opening' && this.#over === 'socket';
    return allowsReady && frame.type === 'READY' ? this.#accept(frame) : outOfOrder(frame);
  }

  #accept(frame: ControlFrame): StreamEvent {
    if (!frame.contentTypes.includes(dnstapContentType)) return wrongContent(frame);
    this.#state = 'accepted';
    this.#isBidirectional = true;
    return { kind: 'reply', bytes: encodeControl('ACCEPT', dnstapContentType) };
  }

  #start(frame: ControlFrame): StreamEvent {
    if (!frame.contentTypes.includes(dnstapContentType)) return wrongContent(frame);
    this.#state = 'open';
    return { kind: 'start' };
  }

  #stop(): StreamEvent {
    this.#state = this.#over === 'socket' ? 'stopped' : 'opening';
    return { kind: 'stop', reply: this.#isBidirectional ? encodeControl('FINISH') : undefined };
  }
}

function outOfOrder({ offset }: Frame): StreamEvent {
  return { kind: 'fault', offset, reason: 'out-of-order' };
}

function wrongContent({ offset }: Frame): StreamEvent {
  return { kind: 'fault', offset, reason: 'content-type' };
}
