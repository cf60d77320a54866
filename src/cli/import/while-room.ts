/** Stops an import before the disk is full. What was imported until then stays, and the import resumes when it is repeated. */
import { Problem } from '../../model/problem.ts';
import type { FreeSpace } from '../../store/free-space.ts';
import { spaceText } from '../space-text.ts';

export async function* whileRoom(
  bytes: AsyncIterable<Uint8Array>,
  freeSpace: Pick<FreeSpace, 'state'>,
): AsyncIterable<Uint8Array> {
  for await (const chunk of bytes) {
    const state = freeSpace.state();
    if (state.isLow)
      throw new Problem('storage-full', `${spaceText(state)}. Free some, then repeat the import`);
    yield chunk;
  }
}
