/**
 * Why a sign-in by an identity provider is refused. The code is all that the browser gets, so that nothing is disclosed to somebody who
 * tries; the detail is for administrators, in the audit log and in a test sign-in.
 */
export const signOnFaults = [
  'no-such-provider',
  'too-many',
  'expired',
  'provider-refused',
  'unreachable',
  'not-verified',
  'not-permitted',
  'unknown-person',
  'name-taken',
  'disabled',
] as const;

export type SignOnFaultCode = (typeof signOnFaults)[number];

const detailLengthMax = 300;

export class SignOnFault extends Error {
  readonly code: SignOnFaultCode;

  constructor(code: SignOnFaultCode, detail: string, cause?: unknown) {
    super(detail.slice(0, detailLengthMax), cause === undefined ? undefined : { cause });
    this.name = 'SignOnFault';
    this.code = code;
  }
}
