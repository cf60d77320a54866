/** Input and outcome of one browser run. */
import type { BrowserCommand } from './browser-command.ts';

export interface BrowserRun {
  readonly command: BrowserCommand;
  readonly proxy: { readonly server: string; readonly username: string; readonly password: string };
  /** Opened one after another until one gives a page. */
  readonly urls: readonly string[];
  readonly width: number;
  readonly height: number;
  readonly pageHeightMax: number;
  readonly userAgent: string;
  readonly timeoutMs: number;
}

export type RunOutcome =
  | {
      readonly outcome: 'captured';
      /** The one of `urls` that was opened, and where it redirected to. */
      readonly url: string;
      readonly redactUrl: string;
      readonly png: Uint8Array<ArrayBuffer>;
    }
  | { readonly outcome: 'failed'; readonly reason: string };
