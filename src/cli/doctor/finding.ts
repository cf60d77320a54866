/** What a check of `nameglass doctor` found. */
export interface Finding {
  readonly check: string;
  readonly state: 'ok' | 'warn' | 'fail';
  readonly advice: string;
}

export function finding(check: string, fine: boolean, otherwise: 'warn' | 'fail', advice: string): Finding {
  return fine ? { check, state: 'ok', advice: '' } : { check, state: otherwise, advice };
}

/** A check that found nothing wrong, and has something to say. */
export function remark(check: string, advice: string): Finding {
  return { check, state: 'ok', advice };
}
