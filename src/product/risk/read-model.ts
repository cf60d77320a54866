/** Reads risk models from files. A default model comes with the package. */
import { createHash } from 'node:crypto';
import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { assetPath } from '../../asset-path.ts';
import { Problem } from '../../model/problem.ts';
import type { RiskModel } from '../../model/risk/name/name-model.ts';
import { decodeModel } from '../../model/risk/name/name-model-file.ts';

export const defaultModelFile = assetPath('models/default-risk.bin');

const fileBytesMax = 64 * 1024 * 1024;

const chunkBytes = 1 << 16;

export function readModel(file: string = defaultModelFile): RiskModel {
  return naming(file, () => {
    const { size } = statSync(file);
    return decodeModel(size > fileBytesMax ? new Uint8Array(0) : readFileSync(file));
  });
}

/** SHA-256 of the file, in hexadecimal. Most servers start without reading the model itself. */
export function digestOfModel(file: string = defaultModelFile): string {
  return naming(file, () => {
    const hash = createHash('sha256');
    const chunk = Buffer.allocUnsafe(chunkBytes);
    const handle = openSync(file, 'r');
    try {
      for (let read = -1; read !== 0; ) {
        read = readSync(handle, chunk, 0, chunkBytes, null);
        hash.update(chunk.subarray(0, read));
      }
    } finally {
      closeSync(handle);
    }
    return hash.digest('hex');
  });
}

function naming<Result>(file: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    const { message } = error as Error;
    throw new Problem('invalid-parameters', `the risk model ${file}: ${message}`, { cause: error });
  }
}
