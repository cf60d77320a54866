/**
 * How every question is taken: who asks, what is asked, in which form, whether the key may, and only then does it count.
 * What is refused on the way costs nothing.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Parameters } from '../../product/pdns/parameters.ts';
import { readQuestion } from '../../product/pdns/question.ts';
import {
  admit,
  allowanceOf,
  drawLookup,
  findHolder,
  type PdnsCaller,
  type QuotaNeeds,
} from '../../product/pdns/quota.ts';
import { split } from '../address.ts';
import { readQuery } from '../platform/sent.ts';
import type { LogRequest } from '../request-log.ts';
import { chosenType, csv, type MediaType } from './accept.ts';
import { segmentsOf } from './address-parts.ts';
import { Connections } from './connections.ts';
import { headerKey } from './credentials.ts';
import { deliver, textAtOnce } from './deliver.ts';
import { Delivery, sendWhole } from './delivery.ts';
import { csvFraming, type Framing, plainFraming, safFraming } from './framing.ts';
import { HotAnswers, type ShortAnswer } from './hot-answers.ts';
import { columnsOf, prepare, type Searchable } from './prepare.ts';
import { setRateHeaders } from './rate-text.ts';
import { Watch } from './watch.ts';

export interface AskingNeeds extends QuotaNeeds {
  readonly rrsets: Searchable;
  /** For answers that no hook sees the end of, because their connection broke. */
  readonly logAbandoned: LogRequest;
}

/** Where questions come in: how many segments of its paths are the mount, and what its answers look like. */
export interface Door {
  readonly apiVersion: 1 | 2;
  readonly mountedSegments: number;
  readonly offered: readonly MediaType[];
}

export class Asking {
  readonly needs: AskingNeeds;
  readonly #watch = new Watch();
  readonly #connections: Connections;
  readonly #hot = new HotAnswers();

  constructor(needs: AskingNeeds) {
    this.needs = needs;
    this.#connections = new Connections(needs.settings.pdns.connectionsPerKeyMax);
  }

  close(): void {
    this.#watch.close();
  }

  get nowSeconds(): number {
    return Math.floor(this.needs.clock.now() / 1000);
  }

  async caller(request: FastifyRequest, apiVersion: number, key = headerKey(request)): Promise<PdnsCaller> {
    const asker = { key, apiVersion, client: request };
    const caller = admit(await findHolder(asker, this.needs), asker, this.needs);
    request.username = caller.user.username;
    return caller;
  }

  /** A question in the path, answered in the form of the door. */
  async answer(request: FastifyRequest, reply: FastifyReply, door: Door): Promise<FastifyReply> {
    const caller = await this.caller(request, door.apiVersion);
    const allowance = allowanceOf(caller.grant, this.needs.settings);
    const { path, query } = split(request.url);
    const state = HotAnswers.fits(query) ? this.needs.rrsets.state?.() : undefined;
    const { resultsMax, offsetMax } = allowance;
    const name = `${door.apiVersion} ${resultsMax} ${offsetMax} ${request.headers.accept} ${request.url}`;
    const hot = state === undefined ? undefined : this.#hot.find(name, state);
    if (hot) return this.attend(caller, request, reply, hot.framing, unasked, () => hot);

    const parameters = query.includes('+') ? parametersOf(query) : (request.query as Parameters);
    const question = readQuestion(segmentsOf(path, door.mountedSegments), parameters, this.nowSeconds);
    const type = chosenType(parameters, request.headers.accept, door.offered);
    const first = door.apiVersion === 1;
    const form = type === csv ? 'csv' : first ? 'v1' : 'saf';
    const prepared = prepare(question, allowance, form, this.needs.rrsets);
    const framing =
      form === 'csv' ? csvFraming(columnsOf(question), first) : first ? plainFraming(type, true) : safFraming;
    const run = (delivery: Delivery) => deliver(prepared, framing, delivery, request);
    return this.attend(caller, request, reply, framing, run, () => {
      const whole = textAtOnce(prepared, framing);
      if (whole && state !== undefined) this.#hot.keep(name, state, whole);
      return whole;
    });
  }

  /** Counts the question, and looks after its answer until it has ended in whichever way. */
  async attend(
    caller: PdnsCaller,
    request: FastifyRequest,
    reply: FastifyReply,
    framing: Framing,
    run: (delivery: Delivery) => Promise<void>,
    atOnce?: () => ShortAnswer | undefined,
  ): Promise<FastifyReply> {
    this.#connections.take(caller.user.id);
    try {
      const rate = drawLookup(caller, this.needs);
      setRateHeaders(reply, rate instanceof Promise ? await rate : rate);
      const whole = atOnce?.();
      if (whole) {
        const packed = sendWhole(request, reply, framing.contentType, whole.text, whole.headers);
        if (packed) await packed;
        return reply;
      }
      const delivery = new Delivery(request, reply, framing, this.needs.settings.pdns);
      this.#watch.add(delivery);
      try {
        await run(delivery);
      } finally {
        this.#watch.delete(delivery);
      }
      if (delivery.broken) this.needs.logAbandoned(request, reply);
      return reply;
    } finally {
      this.#connections.release(caller.user.id);
    }
  }
}

const unasked = () => Promise.resolve();

/** Here a plus is a plus: patterns have it, and clients send them as they are. */
export function parametersOf(query: string): Parameters {
  return readQuery(query.slice(1).replaceAll('+', '%2B'));
}
