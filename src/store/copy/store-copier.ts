/** Copies everything between a data directory and distributed stores. */
import type { Settings } from '../../model/settings/settings.ts';

export interface CopyProgress {
  /** Such as `watchlist: escalation`. */
  readonly part: string;
  readonly done: number;
  readonly unit: 'bytes' | 'files' | 'images' | 'records' | 'rows';
}

export interface CopyRequest {
  /** Where the embedded stores are. */
  readonly directory: string;
  readonly direction: 'to-distributed' | 'to-embedded';
  /** With the distributed stores. */
  readonly settings: Pick<Settings, 'store' | 'secret'>;
  readonly onProgress: (progress: CopyProgress) => void;
}

export interface CopySummary {
  readonly tables: number;
  readonly rows: number;
  readonly streamBytes: number;
  readonly archives: number;
  readonly images: number;
  readonly records: number;
}

export interface CopyVerification {
  /** What was compared, each with its size and a digest that is the same on both sides. */
  readonly compared: readonly { readonly part: string; readonly size: number; readonly sha256: string }[];
  /** What is not the same, or damaged. */
  readonly differences: readonly string[];
}

export interface StoreCopier {
  /** Goes on with a copy of the same source that was interrupted. Throws where the target has other data. */
  copy(request: CopyRequest): Promise<CopySummary>;
  /** Whether the target is a complete copy, of whatever source. */
  isCopied(request: CopyRequest): Promise<boolean>;
  /** Compares both sides. */
  verify(request: CopyRequest): Promise<CopyVerification>;
}
