/**
 * A websocket that tells of certificates as certstream does, as a source of names. It has no memory: what was told while nobody listened is
 * not heard of, so it has no place either.
 */
import type { Clock } from '../../model/clock.ts';
import { Problem } from '../../model/problem.ts';
import type { Settings } from '../../model/settings.ts';
import { scanWebsocket, type WebsocketNeeds } from '../../outgoing/open-websocket.ts';
import { shownUrl } from '../../outgoing/shown-url.ts';
import type { NameIntake, NameSource } from './source.ts';

export interface CertstreamNeeds extends Pick<WebsocketNeeds, 'dialer' | 'ca'> {
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'collect'>;
}

type StreamSettings = Settings['sources']['certstreams'][number];

const reconnectMs = 1000;
const takeMs = 1000;
const takenNames = 2000;
const limits = { timeoutMs: 30_000, pingMs: 30_000, messageBytesMax: 1 << 20 } as const;
const namesInMessageMax = 5000;

export function createCertstreamSource(
  { name: ownName, url }: StreamSettings,
  needs: CertstreamNeeds,
): NameSource {
  const name = `certstream:${ownName}`;
  const counts = { messages: 0, malformed: 0 };
  const { userAgent, httpPort: http, httpsPort: https } = needs.settings.collect;
  const request = { url, headers: { 'user-agent': userAgent }, ...limits };
  const given = { ...needs, ports: { http, https } };
  return {
    name,
    everyMs: reconnectMs,
    statistics: () => ({ ...counts }),
    async advance(intake, signal) {
      const failing = new AbortController();
      const either = AbortSignal.any([signal, failing.signal]);
      const taking = new Taking(name, intake, needs.clock, (error) => failing.abort(error));
      const before = counts.messages;
      try {
        for await (const message of scanWebsocket({ ...request, signal: either }, given)) {
          counts.messages += 1;
          const names = namesInMessage(message);
          if (!names) counts.malformed += 1;
          else await taking.add(names);
        }
      } finally {
        await taking.end();
      }
      // One that ends at once is not asked again at once.
      if (counts.messages === before && !signal.aborted)
        throw new Problem('unavailable', `${shownUrl(url)} ended the connection without a message`);
    },
  };
}

/** Names on their way into the intake: many together, and none later than a moment after it came. */
class Taking {
  readonly #name: string;
  readonly #intake: NameIntake;
  readonly #clock: Clock;
  readonly #timer: NodeJS.Timeout;
  #names = new Set<string>();
  #taking: Promise<void> = Promise.resolve();

  constructor(name: string, intake: NameIntake, clock: Clock, onFailure: (error: unknown) => void) {
    this.#name = name;
    this.#intake = intake;
    this.#clock = clock;
    this.#timer = setInterval(() => this.#take().catch(onFailure), takeMs);
  }

  async add(names: readonly string[]): Promise<void> {
    for (const name of names) this.#names.add(name);
    if (this.#names.size >= takenNames) await this.#take();
  }

  async end(): Promise<void> {
    clearInterval(this.#timer);
    await this.#take();
  }

  #take(): Promise<void> {
    const names = [...this.#names];
    this.#names = new Set();
    this.#taking = this.#taking.then(async () => {
      if (names.length > 0) await this.#intake.take(this.#name, { names, seenMs: this.#clock.now() });
    });
    return this.#taking;
  }
}

/** None for messages of other kinds, undefined for what is no message. */
export function namesInMessage(message: Uint8Array): readonly string[] | undefined {
  let told: unknown;
  try {
    told = JSON.parse(Buffer.from(message.buffer, message.byteOffset, message.byteLength).toString('utf8'));
  } catch {
    return undefined;
  }
  const { message_type: type, data } = Object(told) as { message_type?: unknown; data?: unknown };
  if (typeof type !== 'string') return undefined;
  if (type !== 'certificate_update') return [];
  const { leaf_cert: certificate } = Object(data) as { leaf_cert?: unknown };
  const { all_domains: names } = Object(certificate) as { all_domains?: unknown };
  if (!Array.isArray(names)) return undefined;
  return names.slice(0, namesInMessageMax).filter((name): name is string => typeof name === 'string');
}
