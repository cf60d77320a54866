/** Why a delivery failed, as it is kept and shown. What others say is cut and made harmless. */
import { harmless } from '../../model/harmless-text.ts';
import { Problem } from '../../model/problem.ts';

const charactersMax = 300;

/** Expected failures only; our own mistakes are thrown on. */
export function faultOf(error: unknown): string {
  if (!(error instanceof Problem)) throw error;
  return harmless(error.message).slice(0, charactersMax);
}
