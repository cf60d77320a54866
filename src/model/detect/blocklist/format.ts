/**
 * Blocked names as other software takes them. A format writes what stands before the names, and for each name its lines; it knows
 * nothing of where they come from, so that a list of any length is written piece by piece.
 */
import { hosts } from './hosts.ts';
import { plain } from './plain.ts';
import { rpz } from './rpz.ts';
import { suricata } from './suricata.ts';
import { zeek } from './zeek.ts';

export interface BlocklistHead {
  /** Rises with every change of the list. */
  readonly version: number;
  readonly ttlSeconds: number;
}

export interface BlocklistFormat {
  readonly fileName: string;
  readonly contentType: string;
  readonly description: string;
  readonly head: (list: BlocklistHead) => string;
  /** Of a name that `isWritable`. */
  readonly lines: (name: string) => string;
}

export const blocklistFormats = { rpz, hosts, plain, suricata, zeek } satisfies Record<
  string,
  BlocklistFormat
>;

export type BlocklistFormatName = keyof typeof blocklistFormats;

export const blocklistFormatNames = Object.keys(blocklistFormats) as readonly BlocklistFormatName[];

/** Room for `*.` and for the zone that an operator gives the names. */
const charactersMax = 200;
const writableForm = /^(?:[a-z0-9_-]{1,63}\.)+[a-z0-9_-]{1,63}$/;

/** Letters, digits, hyphens and underscores mean the same in every format. A name of anything else is on no blocklist. */
export function isWritable(name: string): boolean {
  return name.length <= charactersMax && writableForm.test(name);
}
