/**
 * A certstream WebSocket (https://github.com/CaliDog/certstream-server) as a source of names. It has no history: certificates
 * published while disconnected are missed, so there is no checkpoint.
 */
import type { Clock } from '../../model/clock.ts';
import { Problem } from '../../model/problem.ts';
import type { Settings } from '../../model/settings/settings.ts';
import { redactUrl } from '../../outgoing/redact-url.ts';
import { scanWebsocket, type WebsocketNeeds } from '../../outgoing/scan-websocket.ts';
import type { NameIntake, NameSource } from './source.ts';

export interface CertstreamNeeds extends Pick<WebsocketNeeds, 'dialer' | 'ca'> {
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'collect'>;
}

type StreamSettings = Settings['sources']['certstreams'][number];

const reconnectMs = 1000;
const ingestMs = 1000;
const batchNames = 2000;
const limits = { timeoutMs: 30_000, pingMs: 30_000, messageBytesMax: 1 << 20 } as const;
const namesInMessageMax = 5000;

export function createCertstreamSource(
  { name: configuredName, url }: StreamSettings,
  needs: CertstreamNeeds,
): NameSource {
  const name = `certstream:${configuredName}`;
  const counts = { messages: 0, malformed: 0 };
  const { userAgent, httpPort: http, httpsPort: https } = needs.settings.collect;
  const request = { url, headers: { 'user-agent': userAgent }, ...limits };
  const given = { ...needs, ports: { http, https } };
  return {
    name,
    everyMs: reconnectMs,
    statistics: () => ({ ...counts }),
    async poll(intake, signal) {
      const failing = new AbortController();
      const either = AbortSignal.any([signal, failing.signal]);
      const buffer = new IngestBuffer(name, intake, needs.clock, (error) => failing.abort(error));
      const before = counts.messages;
      try {
        for await (const message of scanWebsocket({ ...request, signal: either }, given)) {
          counts.messages += 1;
          const names = namesInMessage(message);
          if (!names) counts.malformed += 1;
          else await buffer.add(names);
        }
      } finally {
        await buffer.end();
      }
      // A failure triggers backoff; otherwise the source would reconnect at once.
      if (counts.messages === before && !signal.aborted)
        throw new Problem('unavailable', `${redactUrl(url)} ended the connection without a message`);
    },
  };
}

/** Buffers names and ingests them in batches, each name within a second of its arrival. */
class IngestBuffer {
  readonly #name: string;
  readonly #intake: NameIntake;
  readonly #clock: Clock;
  readonly #timer: NodeJS.Timeout;
  #names = new Set<string>();
  #ingesting: Promise<void> = Promise.resolve();
  #isIngesting = false;

  constructor(name: string, intake: NameIntake, clock: Clock, onFailure: (error: unknown) => void) {
    this.#name = name;
    this.#intake = intake;
    this.#clock = clock;
    this.#timer = setInterval(() => {
      // While one waits, names gather until `add` applies backpressure.
      if (!this.#isIngesting) this.#ingest().catch(onFailure);
    }, ingestMs);
  }

  async add(names: readonly string[]): Promise<void> {
    for (const name of names) this.#names.add(name);
    if (this.#names.size >= batchNames) await this.#ingest();
  }

  async end(): Promise<void> {
    clearInterval(this.#timer);
    await this.#ingest();
  }

  #ingest(): Promise<void> {
    const names = [...this.#names];
    this.#names = new Set();
    this.#ingesting = this.#ingesting.then(async () => {
      if (names.length === 0) return;
      this.#isIngesting = true;
      try {
        await this.#intake.ingest(this.#name, { names, seenMs: this.#clock.now() });
      } finally {
        this.#isIngesting = false;
      }
    });
    return this.#ingesting;
  }
}

/** Empty for other message types, undefined for bytes that are not a message. */
export function namesInMessage(message: Uint8Array): readonly string[] | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(message.buffer, message.byteOffset, message.byteLength).toString('utf8'));
  } catch {
    return undefined;
  }
  const { message_type: type, data } = Object(parsed) as { message_type?: unknown; data?: unknown };
  if (typeof type !== 'string') return undefined;
  if (type !== 'certificate_update') return [];
  const { leaf_cert: certificate } = Object(data) as { leaf_cert?: unknown };
  const { all_domains: names } = Object(certificate) as { all_domains?: unknown };
  if (!Array.isArray(names)) return undefined;
  return names.slice(0, namesInMessageMax).filter((name): name is string => typeof name === 'string');
}
