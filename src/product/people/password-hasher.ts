/**
 * Hashes passwords with argon2id in the PHC string format. A hash occupies a thread and 19 MiB for some 50 ms, so few are made at once and
 * few may wait; beyond that a sign-in is refused for now.
 */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { Problem } from '../../model/problem.ts';

export interface PasswordCost {
  readonly memoryKib: number;
  readonly passes: number;
}

/** The recommendation of OWASP for argon2id with one thread. */
export const passwordCost: PasswordCost = { memoryKib: 19_456, passes: 2 };

const concurrentMax = 4;
const waitingMax = 20;
const saltBytes = 16;
const hashBytes = 32;

const runArgon2 = promisify(argon2);

interface Parameters extends PasswordCost {
  readonly salt: Buffer;
}

export class PasswordHasher {
  readonly #cost: PasswordCost;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(cost: PasswordCost = passwordCost) {
    this.#cost = cost;
  }

  async hash(password: string): Promise<string> {
    const salt = randomBytes(saltBytes);
    const { memoryKib, passes } = this.#cost;
    const hash = await this.#compute(password, { ...this.#cost, salt });
    return `$argon2id$v=19$m=${memoryKib},t=${passes},p=1$${base64(salt)}$${base64(hash)}`;
  }

  /** Without a stored hash it takes as long as with one, so that time does not reveal who has a password. */
  async verify(password: string, stored: string | undefined): Promise<boolean> {
    const form = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$([\w+/]+)\$([\w+/]+)$/.exec(stored ?? '');
    const [, memory, passes, salt = '', expected = ''] = form ?? [];
    const parameters = form
      ? { memoryKib: Number(memory), passes: Number(passes), salt: Buffer.from(salt, 'base64') }
      : { ...this.#cost, salt: randomBytes(saltBytes) };
    const computed = await this.#compute(password, parameters);
    const wanted = Buffer.from(expected, 'base64');
    return form !== null && wanted.length === computed.length && timingSafeEqual(wanted, computed);
  }

  async #compute(password: string, { memoryKib, passes, salt }: Parameters): Promise<Buffer> {
    await this.#acquire();
    try {
      return await runArgon2('argon2id', {
        message: password.normalize('NFC'),
        nonce: salt,
        parallelism: 1,
        tagLength: hashBytes,
        memory: memoryKib,
        passes,
      });
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }

  async #acquire(): Promise<void> {
    if (this.#running >= concurrentMax) {
      if (this.#waiting.length >= waitingMax)
        throw new Problem(
          'unavailable',
          'Too many people are signing in at this moment. Try again in a few seconds.',
        );
      await new Promise<void>((resolve) => void this.#waiting.push(resolve));
    }
    this.#running += 1;
  }
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
