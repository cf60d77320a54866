/** Writes the pack of a case into a new file. */
import { writeFile } from 'node:fs/promises';
import type { EvidenceCase } from '../../../client/answers.ts';
import { escapeForTerminal } from '../../../model/escape-for-terminal.ts';
import { print } from '../../output.ts';
import type { Remote } from '../remote-command.ts';
import { usageFailure } from '../remote-failure.ts';

export async function downloadPack(
  { id, pack }: Pick<EvidenceCase, 'id' | 'pack'>,
  out: string | undefined,
  { client }: Pick<Remote, 'client'>,
): Promise<void> {
  const download = await client.request('/v1/evidence/pack/', { query: { id } });
  const bytes = Buffer.from(await download.arrayBuffer());
  const file = out ?? `evidence-${id.slice(0, 8)}.zip`;
  await writeNewFile(file, bytes, `the pack ${id} is on the server`);
  print(escapeForTerminal(`${file}  ${bytes.length} bytes  SHA-256 ${pack.sha256}`));
}

export async function writeNewFile(file: string, bytes: Uint8Array, otherwise: string): Promise<void> {
  try {
    await writeFile(file, bytes, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw usageFailure(`${file} exists already and is not changed; ${otherwise}`);
  }
}
