/** What a check of `nameglass doctor` found. */
import type { EngineCheck } from '../../store/engine/engine-check.ts';

export type Finding = EngineCheck;

export function finding(check: string, fine: boolean, otherwise: 'warn' | 'fail', advice: string): Finding {
  return fine ? { check, state: 'ok', advice: '' } : { check, state: otherwise, advice };
}

/** A check that found nothing wrong, and has something to say. */
export function remark(check: string, advice: string): Finding {
  return { check, state: 'ok', advice };
}
