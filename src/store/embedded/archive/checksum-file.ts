/** The checksum files of archives: a line that `sha256sum -c` reads, and a comment with the CRC-32 of that line. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { crc32 } from 'node:zlib';
import { DamagedData } from '../../damage.ts';
import type { WholeFileCheck } from '../checked-file/learned-checksums.ts';

export function checksumText(sha256: string, file: string): string {
  const line = `${sha256}  ${file}\n`;
  return `${line}# crc32 ${crc32(line).toString(16).padStart(8, '0')}\n`;
}

/** The SHA-256. Throws `DamagedData` if the text is not what was written. Versions before 0.2 wrote no comment. */
export function readChecksum(text: string, path: string): string {
  const [, sha256 = '', file = ''] = /^([0-9a-f]{64}) {2}(.+)\n/.exec(text) ?? [];
  const whole = checksumText(sha256, file);
  const isIntact = `${file}.sha256` === basename(path) && (text === whole || whole.startsWith(`${text}#`));
  if (isIntact) return sha256;
  throw new DamagedData({ file: path, offset: 0, problem: 'the checksum of an archive is not readable' });
}

export function wholeDigest(file: string, sha256: string): WholeFileCheck {
  const hash = createHash('sha256');
  return {
    update: (bytes) => void hash.update(bytes),
    finish: () => {
      if (hash.digest('hex') === sha256) return;
      throw new DamagedData({ file, offset: 0, problem: 'an archive does not match its SHA-256' });
    },
  };
}

export async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
