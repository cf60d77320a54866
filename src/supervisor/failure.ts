/** Carries the error of a process to the process that prints it, so that it is shown as if it had happened there. */
import { Problem, type ProblemCode } from '../model/problem.ts';
import type { Failure } from './messages.ts';

export function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return { message: String(error) };
  const { message, stack } = error;
  if (error instanceof Problem) return { message, problem: error.code };
  const systemCode = systemCodeOf(error);
  return {
    message,
    ...(systemCode === undefined ? {} : { systemCode }),
    ...(stack === undefined ? {} : { stack }),
  };
}

export function errorOf({ message, problem, systemCode, stack }: Failure): Error {
  if (problem !== undefined) return new Problem(problem as ProblemCode, message);
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return systemCode === undefined ? error : Object.assign(error, { code: systemCode });
}

/** Of the error or what caused it. */
function systemCodeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === 'string' ? code : systemCodeOf(error.cause);
}
