/** What the check of a source, list or server found, before it is followed. */
import { Problem } from '../../model/problem.ts';
import type { Dialer } from '../../outgoing/guarded-dialer.ts';

export interface SourceCheck {
  /**
   * `answers`: it is what it should be. `unreachable`: no answer, or a temporary error; trying again later may help. `wrong`: something
   * else answered, or it must not be connected to; trying again does not help.
   */
  readonly state: 'answers' | 'unreachable' | 'wrong';
  /** What it holds, or what is wrong with it. */
  readonly detail: string;
}

export interface CheckNeeds {
  readonly dialer: Pick<Dialer, 'send'>;
  readonly timeoutMs: number;
}

/** Runs a check that throws a Problem for whatever is wrong. Whether the other side has answered decides between the two failures. */
export async function checked(
  { dialer, timeoutMs }: CheckNeeds,
  check: (needs: CheckNeeds) => Promise<string>,
): Promise<SourceCheck> {
  let status: number | undefined;
  const watched: CheckNeeds['dialer'] = {
    send: async (request) => {
      const response = await dialer.send(request);
      status = response.status;
      return response;
    },
  };
  try {
    return { state: 'answers', detail: await check({ dialer: watched, timeoutMs }) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const isWrong = status === undefined ? error.code === 'invalid-parameters' : !isTemporary(status);
    return { state: isWrong ? 'wrong' : 'unreachable', detail: error.message };
  }
}

function isTemporary(status: number): boolean {
  return status >= 500 || status === 429;
}
