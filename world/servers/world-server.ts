/** The interface of every server of the world. */
import type { WorldView } from '../world-domain.ts';

export interface WorldServerNeeds {
  readonly view: WorldView;
  /** For files that it publishes. */
  readonly directory: string;
}

export interface WorldServer {
  /** Names of its own that DNS must know, and the address that they lead to. */
  readonly hosts: Readonly<Record<string, string>>;
  /** Settings of Nameglass that lead to it, by key as text. */
  readonly settings: Readonly<Record<string, string>>;
  /** What it was asked since the start, by kind. */
  requests(): Readonly<Record<string, number>>;
  close(): Promise<void>;
}

/** All of the world lies in this prefix of loopback; nothing else of it is opened to collectors. */
export const worldPrefix = '127.80.0.0/12';
/** Where registries, logs and name servers are. */
export const serviceAddress = '127.80.0.53';
