/** `left`: the client has disconnected. `stalled`: it does not read. `timed-out`: the search takes too long. */
type InterruptionReason = 'left' | 'stalled' | 'timed-out';

/** Why a response ended before its search did. */
export class Interruption extends Error {
  readonly reason: InterruptionReason;

  constructor(reason: InterruptionReason) {
    super(`the response was interrupted: ${reason}`);
    this.name = 'Interruption';
    this.reason = reason;
  }

  /** Whether the client is gone, so that it cannot be sent anything. */
  get isClientGone(): boolean {
    return this.reason !== 'timed-out';
  }
}
