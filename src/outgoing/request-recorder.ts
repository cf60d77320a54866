/**
 * Records what we ask of others while some work is done, and refuses hosts that must not be asked. Connections report themselves here, so that
 * no collector can forget one; whom they are made for is known to the caller alone, and travels with the asynchronous context
 * (`AsyncLocalStorage`).
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { OutgoingRequest } from '../model/opsec/outgoing-request.ts';

export type MadeRequest = Omit<OutgoingRequest, 'domain' | 'collector' | 'atMs'>;

export interface Recording {
  /** Called with every request. */
  readonly record: (request: MadeRequest) => void;
  /** Called with every host name before it is resolved: why nothing may be asked of it. */
  readonly findRefusal?: (host: string) => Promise<string | undefined>;
}

const recordings = new AsyncLocalStorage<Recording>();

export function recordingRequests<Result>(recording: Recording, work: () => Result): Result {
  return recordings.run(recording, work);
}

export function recordRequest(request: MadeRequest): void {
  recordings.getStore()?.record(request);
}

/** Undefined where the host may be asked, and outside of a recording. */
export async function findRefusal(host: string): Promise<string | undefined> {
  return recordings.getStore()?.findRefusal?.(host);
}

/** For callbacks of servers, which are called from outside of the work that opened them. */
export function inThisRecording<Arguments extends unknown[], Result>(
  callback: (...given: Arguments) => Result,
): (...given: Arguments) => Result {
  return AsyncLocalStorage.bind(callback);
}
