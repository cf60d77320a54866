/** What `serve` starts with. */
import type { Config } from '../../config.ts';
import type { DemoWorld } from '../needs.ts';

export interface ServeStart {
  readonly config: Config;
  /** Of the demonstration. */
  readonly world: DemoWorld | undefined;
  /** Flags that commands need to work on the same data. */
  readonly where: string;
}
