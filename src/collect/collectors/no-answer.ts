/** What it means that a server gave no answer: nobody is there, nobody may go there, or there may be one another time. */
import { Problem } from '../../model/problem.ts';

export interface NoAnswer {
  readonly meaning: 'absent' | 'refused' | 'passing';
  readonly reason: string;
}

const namelessCodes: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA']);
/** Something answered, and it was not what we speak. */
const foreignCode = /^(?:HPE_|ERR_SSL_|EPROTO$)/;

/** Takes what the dialer threw; anything else is thrown again. */
export function noAnswerOf(error: unknown): NoAnswer {
  if (!(error instanceof Problem)) throw error;
  const { code, message: reason } = error;
  if (code === 'invalid-parameters') return { meaning: 'refused', reason };
  return { meaning: code === 'unavailable' && isAbsence(error.cause) ? 'absent' : 'passing', reason };
}

/** Whether a failed connection or handshake says that what was looked for is not there. */
export function isAbsence(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isAbsence);
  const { code = '', syscall } = (error ?? {}) as NodeJS.ErrnoException;
  if (namelessCodes.has(code) || foreignCode.test(code)) return true;
  // A name server that refuses us has the same code, and says nothing of the host.
  if (code === 'ECONNREFUSED') return syscall === 'connect';
  // Node's word for an end without a word. A reset that came from the network has its system call.
  return code === 'ECONNRESET' && syscall === undefined;
}
