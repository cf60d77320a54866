/**
 * Appends lines of an HTTP client to a channel that its account owns: atomically, and idempotently when the request has an
 * Idempotency-Key. Built-in channels belong to the pipeline, and channels without an owner to the operator.
 */

import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import { yieldToEventLoop } from '../../concurrency/event-loop-slices.ts';
import type { Caller } from '../../model/account/account.ts';
import { isBuiltInChannel } from '../../model/built-in-channels.ts';
import { findLineFault, isBlank, isJsonLines } from '../../model/channel-line.ts';
import { findJsonExcess } from '../../model/json-bounds.ts';
import { fieldProblem, Problem } from '../../model/problem.ts';
import type { Settings } from '../../model/settings/settings.ts';
import { channelStream } from '../../model/stream-names.ts';
import type { FreeSpace } from '../../store/free-space.ts';
import type { StreamStore } from '../../store/stream-store.ts';
import { chargeIngest, type IngestLimitNeeds } from './ingest-limits.ts';

/** Yields to the event loop after about this many characters. */
const stepLength = 65_536;

export interface IngestNeeds extends IngestLimitNeeds {
  readonly streams: Pick<StreamStore, 'append' | 'findProducerMark'>;
  readonly settings: Pick<Settings, 'batch' | 'limits'>;
  readonly freeSpace: Pick<FreeSpace, 'requireRoom'>;
}

export interface LineBatch {
  /** The path parameter. */
  readonly channel: string;
  readonly body: Uint8Array;
  readonly idempotencyKey: string | undefined;
}

export interface AppendResult {
  readonly lines: number;
  /** The lines were appended by an earlier request with the same Idempotency-Key. */
  readonly repeated: boolean;
}

export async function appendLines(
  caller: Caller,
  { channel, body, idempotencyKey }: LineBatch,
  needs: IngestNeeds,
  nowMs: number,
): Promise<AppendResult> {
  const { number, mimetype } = getChannel(caller, channel, needs.settings);
  const { bytes, lines } = await getLines(body, mimetype);
  if (lines === 0) return { lines, repeated: false };
  needs.freeSpace.requireRoom(bytes.byteLength);
  await chargeIngest(caller.account, bytes.byteLength, needs, nowMs);
  const appended = [{ stream: channelStream(number), bytes }];
  if (idempotencyKey === undefined) {
    await needs.streams.append(appended, nowMs);
    return { lines, repeated: false };
  }
  const producer = `ingest:${caller.account.id}:${number}:${getKey(idempotencyKey)}`;
  const mark = `${lines} ${hash('sha256', body)}`;
  if (await needs.streams.append(appended, nowMs, { producer, from: undefined, to: mark })) {
    return { lines, repeated: false };
  }
  if ((await needs.streams.findProducerMark(producer)) !== mark) {
    throw new Problem('already-exists', 'The Idempotency-Key was already used for other lines.');
  }
  return { lines, repeated: true };
}

/**
 * Ownership is checked first, so that an account cannot probe which channels are declared or whose they are. A user whom the operator gave
 * a list of channels appends to no other.
 */
function getChannel({ user, account }: Caller, text: string, { batch }: IngestNeeds['settings']) {
  const number = /^[1-9]\d{0,2}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > batch.channelMax) throw new Problem('not-found', `There is no channel ${text}.`);
  const { ownChannels = [] } = account;
  if (isBuiltInChannel(number) || !ownChannels.includes(number)) {
    throw new Problem(
      'permission-denied',
      `The account does not own the channel ${number}. The operator gives channels to accounts.`,
    );
  }
  if (user.channels !== 'all' && user.channels.length > 0 && !user.channels.includes(number)) {
    throw new Problem('permission-denied', `The channel ${number} may not be written by this user.`);
  }
  const declared = Object.hasOwn(batch.channels, text) ? batch.channels[text] : undefined;
  if (!declared) throw new Problem('not-found', `There is no channel ${text}.`);
  return { number, mimetype: declared.mimetype };
}

function getKey(text: string): string {
  if (/^[\x21-\x7e]{1,128}$/.test(text)) return text;
  const rule = 'must be 1 to 128 printable characters without spaces';
  throw fieldProblem('invalid-parameters', 'Idempotency-Key', rule);
}

/** The lines as they will be stored, and their number. */
async function getLines(body: Uint8Array, mimetype: string): Promise<{ bytes: Uint8Array; lines: number }> {
  if (!isUtf8(body)) throw new Problem('malformed-request', 'The body is not UTF-8.');
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
  const parts: Buffer[] = [];
  let [step, lines, yieldAt] = ['', 0, stepLength];
  for (let [at, number] = [0, 1]; at < text.length; number += 1) {
    const end = text.indexOf('\n', at) < 0 ? text.length : text.indexOf('\n', at);
    const line = text.slice(at, text[end - 1] === '\r' ? end - 1 : end);
    at = end + 1;
    if (!isBlank(line)) {
      const fault = (isJsonLines(mimetype) && findJsonExcess(line)) || findLineFault(line, mimetype);
      if (fault) throw fieldProblem('invalid-parameters', `line ${number}`, fault);
      step += `${line}\n`;
      lines += 1;
    }
    if (at < yieldAt && at < text.length) continue;
    parts.push(Buffer.from(step));
    [step, yieldAt] = ['', at + stepLength];
    await yieldToEventLoop();
  }
  return { bytes: Buffer.concat(parts), lines };
}
