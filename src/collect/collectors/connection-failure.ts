/** Classifies a failed connection: no server is there, the address is refused by the SSRF guard, or the failure is transient. */
import { Problem } from '../../model/problem.ts';

export interface ConnectionFailure {
  readonly kind: 'absent' | 'refused' | 'transient';
  readonly reason: string;
}

const namelessCodes: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA']);
/** Something answered in another protocol. */
const foreignCode = /^(?:HPE_|ERR_SSL_|EPROTO$)/;

/** `error` is what the dialer threw; anything but a Problem is thrown again. */
export function classifyFailure(error: unknown): ConnectionFailure {
  if (!(error instanceof Problem)) throw error;
  const { code, message: reason } = error;
  if (code === 'invalid-parameters') return { kind: 'refused', reason };
  return { kind: code === 'unavailable' && meansAbsent(error.cause) ? 'absent' : 'transient', reason };
}

/** Whether a failed connection or handshake means that the service does not exist. */
export function meansAbsent(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(meansAbsent);
  const { code = '', syscall } = (error ?? {}) as NodeJS.ErrnoException;
  if (namelessCodes.has(code) || foreignCode.test(code)) return true;
  // Also the code of a name server that refuses the query, which says nothing about the host.
  if (code === 'ECONNREFUSED') return syscall === 'connect';
  // Node's code for a socket that was closed without an answer; a reset by the network has a system call.
  return code === 'ECONNRESET' && syscall === undefined;
}
