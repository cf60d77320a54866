/** Verifies a pack in a thread of its own: a hostile file may take any time to unpack, and the page can end the thread. */
import { isPublicKey, type VerifiedPack, verifyPack } from '../../../../src/model/evidence/verify-pack.ts';

export interface VerifyRequest {
  readonly file: File;
  /** In PEM; undefined: the key in the pack. */
  readonly key: string | undefined;
}

export type VerifyAnswer =
  | { readonly outcome: 'checked'; readonly pack: VerifiedPack }
  | { readonly outcome: 'unsupported' | 'invalid-key' | 'failed' };

addEventListener('message', ({ data }: MessageEvent<VerifyRequest>) => {
  void verify(data).then((answer) => postMessage(answer));
});

async function verify({ file, key }: VerifyRequest): Promise<VerifyAnswer> {
  if (!(await canVerify())) return { outcome: 'unsupported' };
  if (key !== undefined && !(await isPublicKey(key))) return { outcome: 'invalid-key' };
  try {
    return { outcome: 'checked', pack: await verifyPack(new Uint8Array(await file.arrayBuffer()), key) };
  } catch {
    return { outcome: 'failed' };
  }
}

/** Web Crypto is missing where the page came over plain HTTP, and older browsers lack Ed25519. */
async function canVerify(): Promise<boolean> {
  try {
    await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify']);
    return true;
  } catch {
    return false;
  }
}
