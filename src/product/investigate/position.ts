/**
 * The `position` of a search: an opaque cursor of 32 hex digits. It is one AES block: 6 bytes for the id of the result snapshot, 4 for
 * the offset, and 6 of a MAC that binds both to the account and the search, so that any altered bit makes it invalid.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** The account and the search that a position is valid for. */
export interface PositionOwner {
  readonly accountId: string;
  /** A digest of the search and its sort order. */
  readonly digest: Buffer;
}

export interface Position {
  /** 12 hex digits. */
  readonly snapshot: string;
  readonly offset: number;
}

const form = /^[0-9a-f]{32}$/i;
const [snapshotBytes, offsetBytes, macBytes] = [6, 4, 6];
const macAt = snapshotBytes + offsetBytes;

export class PositionCodec {
  readonly #blockKey: Buffer;
  readonly #macKey: Buffer;

  constructor(linkKey: Buffer) {
    const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', linkKey, '', purpose, 32));
    this.#blockKey = derive('nameglass positions');
    this.#macKey = derive('nameglass position ties');
  }

  /** The same results of the same search of an account have the same snapshot id, so a repeated search stores them once. */
  snapshotIdOf(owner: PositionOwner, ids: readonly number[]): string {
    const list = Float64Array.from(ids);
    return this.#keyed('walk', owner)
      .update(new Uint8Array(list.buffer))
      .digest()
      .toString('hex', 0, snapshotBytes);
  }

  encode(owner: PositionOwner, { snapshot, offset }: Position): string {
    const block = Buffer.alloc(snapshotBytes + offsetBytes + macBytes);
    block.write(snapshot, 'hex');
    block.writeUInt32BE(offset, snapshotBytes);
    block.set(this.#mac(owner, block), macAt);
    const cipher = createCipheriv('aes-256-ecb', this.#blockKey, null).setAutoPadding(false);
    return Buffer.concat([cipher.update(block), cipher.final()]).toString('hex');
  }

  /** Undefined where this account did not get the position for this search. */
  find(owner: PositionOwner, text: string): Position | undefined {
    if (!form.test(text)) return undefined;
    const decipher = createDecipheriv('aes-256-ecb', this.#blockKey, null).setAutoPadding(false);
    const block = Buffer.concat([decipher.update(Buffer.from(text, 'hex')), decipher.final()]);
    if (!timingSafeEqual(block.subarray(macAt), this.#mac(owner, block))) return undefined;
    return { snapshot: block.toString('hex', 0, snapshotBytes), offset: block.readUInt32BE(snapshotBytes) };
  }

  #mac(owner: PositionOwner, block: Buffer): Buffer {
    return this.#keyed('tie', owner).update(block.subarray(0, macAt)).digest().subarray(0, macBytes);
  }

  #keyed(purpose: string, { accountId, digest }: PositionOwner) {
    return createHmac('sha256', this.#macKey).update(`${purpose}\n${accountId}\n`).update(digest);
  }
}
