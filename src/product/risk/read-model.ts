/** Reads risk models from files. A default model comes with the package. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Problem } from '../../model/problem.ts';
import type { RiskModel } from '../../model/risk/name/name-model.ts';
import { decodeModel } from '../../model/risk/name/name-model-file.ts';

export const defaultModelFile = join(import.meta.dirname, '../../../models/default-risk.bin');

const fileBytesMax = 64 * 1024 * 1024;

export function readModel(file: string = defaultModelFile): RiskModel {
  try {
    const { size } = statSync(file);
    return decodeModel(size > fileBytesMax ? new Uint8Array(0) : readFileSync(file));
  } catch (error) {
    const { message } = error as Error;
    throw new Problem('invalid-parameters', `the risk model ${file}: ${message}`, { cause: error });
  }
}
