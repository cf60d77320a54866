/** What a run of the browser is told, and what comes of it. */
import type { BrowserCommand } from './browser-command.ts';

export interface BrowserRun {
  readonly command: BrowserCommand;
  readonly proxy: { readonly server: string; readonly username: string; readonly password: string };
  /** Opened one after the other until there is a page. */
  readonly urls: readonly string[];
  readonly width: number;
  readonly height: number;
  readonly pageHeightMax: number;
  readonly userAgent: string;
  readonly timeoutMs: number;
}

export type RunOutcome =
  | {
      readonly outcome: 'taken';
      /** That of the given ones which was opened, and where it led. */
      readonly url: string;
      readonly shownUrl: string;
      readonly png: Uint8Array<ArrayBuffer>;
    }
  | { readonly outcome: 'failed'; readonly reason: string };
