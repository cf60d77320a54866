import { existsSync } from 'node:fs';
import { assetPath } from '../asset-path.ts';

/** What to type to run us: the command of an installed package is on the PATH; a clone, which has the sources, has it through npm alone. */
export const commandName = existsSync(assetPath('src/main.ts')) ? 'npx nameglass' : 'nameglass';
