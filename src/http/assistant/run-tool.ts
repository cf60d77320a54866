/**
 * Runs one call: a few of each key at once, none for long. What a person can act on comes back as a sentence, marked as an error of the
 * tool; only faults of the protocol are errors of the protocol.
 */
import type { Logger } from 'pino';
import { DeadlineExceeded, withDeadline } from '../../concurrency/deadline.ts';
import { inFlow } from '../../concurrency/event-loop-slices.ts';
import { KeyedSemaphore } from '../../concurrency/keyed-semaphore.ts';
import type { Settings } from '../../model/settings/settings.ts';
import { thirdPartyText } from '../../model/third-party-text.ts';
import type { AccountStore } from '../../store/account-store.ts';
import { problemOf } from '../problem-of.ts';
import { dataNotice } from './answer.ts';
import type { ResourceLink, Tool, ToolAnswer, ToolContext } from './tool.ts';

export interface RunToolNeeds {
  readonly accounts: Pick<AccountStore, 'appendAudit'>;
  readonly settings: Pick<Settings, 'assistant'>;
  readonly logger: Pick<Logger, 'error' | 'debug'>;
}

/** Also who asked, for the audit log. */
export interface CallContext extends ToolContext {
  /** What the client calls itself. */
  readonly agent: string;
}

export interface ToolResult {
  readonly content: readonly (
    | { readonly type: 'text'; readonly text: string }
    | ({ readonly type: 'resource_link' } & ResourceLink)
  )[];
  readonly structuredContent?: object;
  readonly isError?: true;
}

/** How long work has to end by itself after its time is over. */
const graceMs = 500;
const sentenceMax = 500;

export class ToolRunner {
  readonly #needs: RunToolNeeds;
  readonly #running: KeyedSemaphore;

  constructor(needs: RunToolNeeds) {
    this.#needs = needs;
    this.#running = new KeyedSemaphore(needs.settings.assistant.callsPerKeyMax);
  }

  async run(tool: Tool, input: object, context: CallContext): Promise<ToolResult> {
    try {
      const answer = await this.bounded(context, (signal) =>
        tool.call(input as never, { ...context, signal }),
      );
      if (tool.writes) await this.#audit(tool, input, context);
      return resultOf(answer);
    } catch (error) {
      return { isError: true, content: [{ type: 'text', text: this.sentenceOf(error) }] };
    }
  }

  /** Not more at once, and not longer, than the settings allow. */
  async bounded<Result>(
    { caller, signal: stop }: CallContext,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const { callSecondsMax } = this.#needs.settings.assistant;
    const flow = caller.user.id;
    const deadlineMs = callSecondsMax * 1000;
    return withDeadline((signal) => this.#running.run(flow, signal, () => inFlow(flow, () => work(signal))), {
      stop,
      deadlineMs,
      graceMs,
    });
  }

  sentenceOf(error: unknown): string {
    if (error instanceof DeadlineExceeded)
      return `The call took more than ${this.#needs.settings.assistant.callSecondsMax} seconds. Ask for less: fewer rows, a narrower search.`;
    const problem = problemOf(error);
    if (problem.code === 'internal')
      this.#needs.logger.error({ err: problem.cause }, 'call of a tool failed');
    return thirdPartyText(problem.message, sentenceMax);
  }

  async #audit(tool: Tool, input: object, { caller, agent, nowMs: atMs }: CallContext): Promise<void> {
    const { account, user } = caller;
    const event = {
      action: `assistant.${tool.name}`,
      account: account.name,
      username: user.username,
      detail: { ...input, client: thirdPartyText(agent) },
    };
    await this.#needs.accounts.appendAudit(event, { actor: user.username, atMs });
  }
}

function resultOf({ data, links = [] }: ToolAnswer): ToolResult {
  const text = `${dataNotice}\n${JSON.stringify(data)}`;
  return {
    content: [{ type: 'text', text }, ...links.map((link) => ({ type: 'resource_link' as const, ...link }))],
    structuredContent: data,
  };
}
