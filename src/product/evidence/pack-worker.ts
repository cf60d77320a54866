/** The worker thread that makes evidence packs: documents, compression and checksums of megabytes block a thread for seconds. */
import { hash } from 'node:crypto';
import { serveWorkerCalls } from '../../concurrency/worker-client.ts';
import { makePack } from './make-pack.ts';
import type { PackFacts } from './pack-facts.ts';

export interface MadePack {
  readonly pack: Uint8Array;
  /** SHA-256, in hex. */
  readonly hash: string;
}

const calls = {
  makePack: async (facts: PackFacts, key: Uint8Array): Promise<MadePack> => {
    const pack = await makePack(facts, key);
    return { pack, hash: hash('sha256', pack) };
  },
};

export type PackCalls = typeof calls;

serveWorkerCalls(calls);
