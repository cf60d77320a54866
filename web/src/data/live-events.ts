/**
 * What happens on the server while the app is open. Browsers allow few connections to one server, so of all tabs one holds the stream and
 * passes the events on; when it closes, another takes over.
 */
import { request } from './request.ts';

const kinds = [
  'discovered',
  'changed',
  'escalated',
  'risk-full',
  'decided',
  'undone',
  'investigation',
  'signed-out',
] as const;

export interface LiveEvent {
  /** `resumed`: there was no stream for a while, and what has no id may have been missed. */
  readonly kind: (typeof kinds)[number] | 'resumed';
  readonly data: unknown;
}

const reconnectMs = 5000;
let wasOpen = false;
const name = 'nameglass-events';

/** Until `signal` aborts. The browser reconnects by itself and resumes; only a refused stream is opened again here. */
function readStream(onEvent: (event: LiveEvent) => void, signal: AbortSignal): void {
  const source = new EventSource('/ui/api/events');
  source.addEventListener('open', () => {
    if (wasOpen) onEvent({ kind: 'resumed', data: undefined });
    wasOpen = true;
  });
  for (const kind of kinds)
    source.addEventListener(kind, (event) =>
      onEvent({ kind, data: parsed((event as MessageEvent<string>).data) }),
    );
  source.addEventListener('error', () => {
    if (source.readyState !== EventSource.CLOSED) return;
    const reopen = () => !signal.aborted && readStream(onEvent, signal);
    // If the session has ended, this waits until there is one again.
    const asked = request('GET', '/me').catch(() => undefined);
    setTimeout(() => void asked.then(reopen), reconnectMs);
  });
  signal.addEventListener('abort', () => source.close());
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function followEvents(onEvent: (event: LiveEvent) => void): () => void {
  const ended = new AbortController();
  const channel = new BroadcastChannel(name);
  channel.addEventListener('message', ({ data }: MessageEvent<LiveEvent>) => onEvent(data));
  const lead = () =>
    new Promise<void>((resolve) => {
      readStream((event) => {
        onEvent(event);
        channel.postMessage(event);
      }, ended.signal);
      ended.signal.addEventListener('abort', () => resolve());
    });
  // Locks exist on https and loopback only; elsewhere each tab has its own stream.
  if (navigator.locks) navigator.locks.request(name, { signal: ended.signal }, lead).catch(() => undefined);
  else void lead();
  return () => {
    ended.abort();
    channel.close();
  };
}
