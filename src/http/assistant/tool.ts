/** A tool as one value: what it is called, who gets it, what it reads and what it does. `tools/` has them, `run-tool.ts` runs them. */
import type { Static, TObject } from 'typebox';
import type { Caller } from '../../model/account/account.ts';
import type { Permission } from '../../model/account/permission.ts';
import type { ProductId } from '../../model/product-catalogue.ts';

/** One call of a tool. */
export interface ToolContext {
  readonly caller: Caller;
  readonly nowMs: number;
  /** Aborts when the client disconnects, or when the call has taken too long. */
  readonly signal: AbortSignal;
  /** Where the call comes from. */
  readonly client: { readonly ip: string };
}

/** `data` is the answer; `links` are resources of ours that belong to it. */
export interface ToolAnswer {
  readonly data: object;
  readonly links?: readonly ResourceLink[];
}

export interface ResourceLink {
  readonly uri: string;
  readonly name: string;
  readonly mimeType: string;
}

interface ToolDescription<Input extends TObject> {
  /** Lower-case letters and underscores. */
  readonly name: string;
  readonly title: string;
  /** For the model: what it answers, when to use it, what comes next. */
  readonly description: string;
  readonly input: Input;
  /** Products that a call is charged to; keys without one of them do not get the tool. `pdns`: passive DNS. */
  readonly products: readonly (ProductId | 'pdns')[];
  readonly permission: Permission;
  /** Changes something: it exists only where the settings allow that, and each call is in the audit log. */
  readonly writes?: boolean;
  /** What it does is felt by others at once. */
  readonly destructive?: boolean;
}

export interface Tool extends ToolDescription<TObject> {
  readonly call: (input: never, context: ToolContext) => Promise<ToolAnswer>;
}

export function defineTool<Input extends TObject>(
  tool: ToolDescription<Input> & {
    readonly call: (input: Static<Input>, context: ToolContext) => Promise<ToolAnswer>;
  },
): Tool {
  return tool;
}
