/**
 * The reading end of a Frame Stream that carries dnstap. On a socket the first control frame tells the mode: READY asks
 * for an ACCEPT before START and for a FINISH after STOP, START alone asks for nothing. A file has the second mode only,
 * and one stream may follow another, as when captures are joined.
 */
import { encodeControl, type Frame, FrameDecoder, type FramingFault } from './frame-streams.ts';

const dnstapContentType = 'protobuf:dnstap.Dnstap';

export type StreamFault =
  | FramingFault
  /** The writer offers no `protobuf:dnstap.Dnstap`. */
  | 'content-type'
  /** Data before START, or a control frame that has no place here. */
  | 'out-of-order';

export type StreamEvent =
  | { readonly kind: 'data'; readonly offset: number; readonly payload: Uint8Array }
  /** The writer waits for these bytes. */
  | { readonly kind: 'reply'; readonly bytes: Uint8Array }
  | { readonly kind: 'start' }
  /** The writer has sent everything; `reply` acknowledges it, where the writer waits for that. */
  | { readonly kind: 'stop'; readonly reply: Uint8Array | undefined }
  | { readonly kind: 'fault'; readonly offset: number; readonly reason: StreamFault };

type ControlFrame = Extract<Frame, { kind: 'control' }>;

/** `push` and `next` as those of the decoder; a fault is final here too. */
export class StreamReader {
  readonly #decoder = new FrameDecoder();
  readonly #over: 'socket' | 'file';
  #state: 'opening' | 'accepted' | 'open' | 'stopped' = 'opening';
  #isBidirectional = false;
  #fault: StreamEvent | undefined;

  constructor(over: 'socket' | 'file') {
    this.#over = over;
  }

  push(piece: Uint8Array): void {
    this.#decoder.push(piece);
  }

  next(): StreamEvent | undefined {
    while (!this.#fault && this.#state !== 'stopped') {
      const frame = this.#decoder.next();
      if (!frame) return undefined;
      const event = this.#judge(frame);
      if (event?.kind === 'fault') this.#fault = event;
      if (event) return event;
    }
    return this.#fault;
  }

  /** Where a frame begins that has not arrived in full; undefined between frames. */
  get openFrameOffset(): number | undefined {
    return this.#decoder.openFrameOffset;
  }

  get hasStarted(): boolean {
    return this.#state === 'open' || this.#state === 'stopped';
  }

  #judge(frame: Frame): StreamEvent | undefined {
    if (frame.kind === 'fault') return frame;
    if (frame.kind === 'data') return this.#state === 'open' ? frame : outOfOrder(frame);
    if (frame.type === undefined) return undefined;
    if (this.#state === 'open') return frame.type === 'STOP' ? this.#stop() : undefined;
    if (frame.type === 'START') return this.#start(frame);
    const mayBeReady = this.#state === 'opening' && this.#over === 'socket';
    return mayBeReady && frame.type === 'READY' ? this.#accept(frame) : outOfOrder(frame);
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
