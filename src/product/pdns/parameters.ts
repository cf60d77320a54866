/** Parses query parameters. Each problem names its parameter. */
import { fieldProblem } from '../../model/problem.ts';
import type { Fences } from '../../store/rrset-store.ts';

/** Decoded values by name. A parameter may have been given several times. */
export type Parameters = ReadonlyMap<string, readonly string[]>;

const booleans: ReadonlyMap<string, boolean> = new Map([
  ['t', true],
  ['true', true],
  ['1', true],
  ['f', false],
  ['false', false],
  ['0', false],
]);

/** Rejects a parameter given more than once with different values. */
export function readText(parameters: Parameters, name: string): string | undefined {
  // Most queries have no parameters, and a dozen are read.
  if (parameters.size === 0) return undefined;
  const values = parameters.get(name);
  if (!values) return undefined;
  const [first, ...others] = values;
  if (others.some((other) => other !== first)) {
    throw fieldProblem('invalid-parameters', name, 'is given more than once, with different values');
  }
  return first;
}

/** Saturates at the largest safe integer. */
export function readInteger(parameters: Parameters, name: string): number | undefined {
  const text = readText(parameters, name);
  if (text === undefined) return undefined;
  if (!/^\d+$/.test(text)) throw fieldProblem('invalid-parameters', name, 'must be a non-negative integer');
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
}

export function readFlag(parameters: Parameters, name: string, byDefault: boolean): boolean {
  const text = readText(parameters, name);
  if (text === undefined) return byDefault;
  const value = booleans.get(text.toLowerCase());
  if (value === undefined) throw fieldProblem('invalid-parameters', name, 'must be true or false');
  return value;
}

/** Epoch seconds, or seconds before now when negative. */
function readFence(parameters: Parameters, name: string, nowSeconds: number): number | undefined {
  const text = readText(parameters, name);
  if (text === undefined) return undefined;
  if (!/^-?\d+$/.test(text)) {
    throw fieldProblem(
      'invalid-parameters',
      name,
      'must be an integer: epoch seconds, or seconds before now',
    );
  }
  const value = Number(text);
  const seconds = value < 0 ? nowSeconds + value : value;
  return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(seconds, Number.MAX_SAFE_INTEGER));
}

const fenceNames = [
  ['firstBefore', 'time_first_before'],
  ['firstAfter', 'time_first_after'],
  ['lastBefore', 'time_last_before'],
  ['lastAfter', 'time_last_after'],
] as const satisfies [keyof Fences, string][];

const noFences: Fences = {};

export function readFences(parameters: Parameters, nowSeconds: number): Fences {
  if (parameters.size === 0) return noFences;
  const fences: { -readonly [Fence in keyof Fences]: number } = {};
  for (const [fence, name] of fenceNames) {
    const seconds = readFence(parameters, name, nowSeconds);
    if (seconds !== undefined) fences[fence] = seconds;
  }
  return fences;
}
