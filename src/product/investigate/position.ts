/**
 * A place in the pages of a search, as 32 hex digits. They are one encrypted block: 6 bytes that name the walk, 4 bytes of
 * offset, 6 bytes that tie both to the account and the search. Whoever alters one bit of it gets nonsense that does not tie.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** Whose walk it is, and through what. */
export interface WalkOwner {
  readonly accountId: string;
  /** Of the search and its order. */
  readonly digest: Buffer;
}

export interface Position {
  /** 12 hex digits. */
  readonly walk: string;
  readonly offset: number;
}

const form = /^[0-9a-f]{32}$/i;
const [walkBytes, offsetBytes, tieBytes] = [6, 4, 6];
const tieAt = walkBytes + offsetBytes;

export class Positions {
  readonly #blockKey: Buffer;
  readonly #tieKey: Buffer;

  constructor(linkKey: Buffer) {
    const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', linkKey, '', purpose, 32));
    this.#blockKey = derive('nameglass positions');
    this.#tieKey = derive('nameglass position ties');
  }

  /** The same results of the same search of an account are the same walk, so asking again does not keep them again. */
  walkOf(owner: WalkOwner, ids: readonly number[]): string {
    const list = Float64Array.from(ids);
    return this.#keyed('walk', owner)
      .update(new Uint8Array(list.buffer))
      .digest()
      .toString('hex', 0, walkBytes);
  }

  text(owner: WalkOwner, { walk, offset }: Position): string {
    const block = Buffer.alloc(walkBytes + offsetBytes + tieBytes);
    block.write(walk, 'hex');
    block.writeUInt32BE(offset, walkBytes);
    block.set(this.#tie(owner, block), tieAt);
    const cipher = createCipheriv('aes-256-ecb', this.#blockKey, null).setAutoPadding(false);
    return Buffer.concat([cipher.update(block), cipher.final()]).toString('hex');
  }

  /** Undefined for what was not given to this account for this search. */
  find(owner: WalkOwner, text: string): Position | undefined {
    if (!form.test(text)) return undefined;
    const decipher = createDecipheriv('aes-256-ecb', this.#blockKey, null).setAutoPadding(false);
    const block = Buffer.concat([decipher.update(Buffer.from(text, 'hex')), decipher.final()]);
    if (!timingSafeEqual(block.subarray(tieAt), this.#tie(owner, block))) return undefined;
    return { walk: block.toString('hex', 0, walkBytes), offset: block.readUInt32BE(walkBytes) };
  }

  #tie(owner: WalkOwner, block: Buffer): Buffer {
    return this.#keyed('tie', owner).update(block.subarray(0, tieAt)).digest().subarray(0, tieBytes);
  }

  #keyed(purpose: string, { accountId, digest }: WalkOwner) {
    return createHmac('sha256', this.#tieKey).update(`${purpose}\n${accountId}\n`).update(digest);
  }
}
