/** Reads risk models from files. A default model comes with the package. */
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { assetPath } from '../../asset-path.ts';
import { Problem } from '../../model/problem.ts';
import type { RiskModel } from '../../model/risk/name/name-model.ts';
import { decodeModel } from '../../model/risk/name/name-model-file.ts';

export const defaultModelFile = assetPath('models/default-risk.bin');

const fileBytesMax = 64 * 1024 * 1024;

export interface ReadModel {
  readonly model: RiskModel;
  /** SHA-256 of the file, in hexadecimal. */
  readonly digest: string;
}

export function readModelFile(file: string = defaultModelFile): ReadModel {
  try {
    const { size } = statSync(file);
    const bytes = size > fileBytesMax ? new Uint8Array(0) : readFileSync(file);
    return { model: decodeModel(bytes), digest: createHash('sha256').update(bytes).digest('hex') };
  } catch (error) {
    const { message } = error as Error;
    throw new Problem('invalid-parameters', `the risk model ${file}: ${message}`, { cause: error });
  }
}

export function readModel(file?: string): RiskModel {
  return readModelFile(file).model;
}
