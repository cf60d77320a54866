/** Monitors as code: what a YAML file says about them. */
import type { Monitor, MonitorSettings } from '../../../model/detect/watchlist.ts';

/** A domain that a monitor must find, or must not. */
export interface Expectation {
  readonly domain: string;
  /** For exclusions by name server; unknown ones exclude nothing. */
  readonly nameServers: readonly string[];
  readonly isMatch: boolean;
  readonly line: number;
}

export interface DeclaredMonitor extends MonitorSettings {
  readonly state: Monitor['state'];
  readonly expectations: readonly Expectation[];
  readonly file: string;
  readonly line: number;
}

/** A mistake in a file. */
export interface FileFault {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** As editors understand it: a click opens the file there. */
export function faultText({ file, line, column, message }: FileFault): string {
  return `${file}:${line}:${column}: ${message}`;
}

/** Terms are compared as monitors are: in any letter case. */
export function termKey(term: string): string {
  return term.trim().toLowerCase();
}
