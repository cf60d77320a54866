/** `nameglass evidence verify`: checks a pack without a server. */
import { open, readFile } from 'node:fs/promises';
import { escapeForTerminal } from '../../../model/escape-for-terminal.ts';
import {
  type PackFault,
  packBytesMax,
  type VerifiedPack,
  verifyPack,
} from '../../../model/evidence/verify-pack.ts';
import { Problem } from '../../../model/problem.ts';
import { counted, print, printJson } from '../../output.ts';

export interface VerifyOptions {
  readonly key?: string;
  readonly json?: boolean;
}

const meanings: Readonly<Record<PackFault['fault'], string>> = {
  changed: 'was changed',
  missing: 'is missing',
  extra: 'does not belong to the pack',
  duplicate: 'is there more than once',
  unreadable: 'cannot be read',
  'invalid-signature': 'has no valid signature of the key',
  'other-key': 'is not the key that the manifest names',
};

/** Exit code 1 if anything is not as it was signed. */
export async function verifyFile(path: string, { key, json = false }: VerifyOptions): Promise<void> {
  const trusted = key === undefined ? undefined : await readFile(key, 'utf8');
  const verified = await verifyPack(await readBounded(path), trusted);
  if (json) printJson(onJson(verified));
  else for (const line of linesOf(verified)) print(escapeForTerminal(line));
  if (!verified.isIntact) process.exitCode = 1;
}

async function readBounded(path: string): Promise<Uint8Array> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    if (size > packBytesMax)
      throw new Problem(
        'invalid-parameters',
        `${path} has more than ${packBytesMax} bytes, so it is no pack`,
      );
    return await file.readFile();
  } finally {
    await file.close();
  }
}

function linesOf({ isIntact, faults, fingerprint, isKeyGiven, manifest }: VerifiedPack): readonly string[] {
  const lines = faults.map(({ path, fault }) => `${path} ${meanings[fault]}`);
  if (!isIntact) return [...lines, `The pack is NOT intact: ${counted(faults.length, 'fault')}.`];
  const { pack = '', created = '', items = [], domains = [] } = manifest ?? {};
  return [
    `The pack ${pack} of ${created} is intact: ${counted(items.length, 'file')} about ${domains.map(({ domain }) => domain).join(', ')}.`,
    isKeyGiven
      ? `It was signed with the given key, ${fingerprint}.`
      : `It was signed with the key in it, ${fingerprint}. Compare this fingerprint with that of the sender.`,
  ];
}

function onJson({ isIntact, faults, fingerprint, isKeyGiven, manifest }: VerifiedPack) {
  return {
    intact: isIntact,
    faults,
    key: { fingerprint: fingerprint ?? null, given: isKeyGiven },
    pack: manifest?.pack ?? null,
    created: manifest?.created ?? null,
    domains: manifest?.domains ?? [],
  };
}
