/**
 * Folds names that a DNS wildcard answers: random hosts (`x8f3k2q9.example.com`), thousands of them with the same answer.
 * Once a zone has given the same data for enough such names, further ones are stored as one name, `_WILDCARD_.example.com`. Kept as
 * they are: the first few, names that appear chosen by people, names listed in a zone file, and names of zones (wildcards create no
 * zones).
 */
import { createHash } from 'node:crypto';
import { parseName } from '../model/dns/name.ts';
import { typeOf } from '../model/dns/rr-type.ts';
import type { Rrset, WireName } from '../model/dns/rrset.ts';
import type { Intake } from '../store/rrset-store.ts';

const namesBeforeFolding = 32;
/** Answers tracked concurrently; the oldest is evicted. */
const answersMax = 50_000;
const randomLengthMin = 8;
const nameBytesMax = 255;

const zoneTypes: ReadonlySet<number> = new Set([typeOf('NS'), typeOf('SOA'), typeOf('DS')]);

const wildcardLabel = (parseName('_WILDCARD_') as WireName).subarray(0, -1);

export class WildcardFolding {
  readonly #namesByAnswer = new Map<string, Set<string>>();

  fold(observation: Rrset): Rrset {
    const { owner, origin, type } = observation;
    if (origin === 'zone' || zoneTypes.has(type)) return observation;
    const labelLength = owner[0] ?? 0;
    const label = Buffer.from(owner.buffer, owner.byteOffset + 1, labelLength).toString('latin1');
    if (!looksRandom(label)) return observation;
    const parent = owner.subarray(labelLength + 1);
    if (wildcardLabel.length + parent.length > nameBytesMax) return observation;
    const names = this.#namesOf(answerOf(observation, parent));
    if (names.size < namesBeforeFolding) names.add(label);
    if (names.has(label)) return observation;
    const folded = new Uint8Array(wildcardLabel.length + parent.length);
    folded.set(wildcardLabel);
    folded.set(parent, wildcardLabel.length);
    return { ...observation, owner: folded };
  }

  #namesOf(answer: string): Set<string> {
    const known = this.#namesByAnswer.get(answer);
    if (known) return known;
    if (this.#namesByAnswer.size >= answersMax) {
      const [oldest] = this.#namesByAnswer.keys();
      if (oldest !== undefined) this.#namesByAnswer.delete(oldest);
    }
    const names = new Set<string>();
    this.#namesByAnswer.set(answer, names);
    return names;
  }
}

/** An intake that folds observations on the way to another. */
export function foldingIntake(intake: Pick<Intake, 'add' | 'flush'>): Pick<Intake, 'add' | 'flush'> {
  const folding = new WildcardFolding();
  return {
    add: (observation) => intake.add(folding.fold(observation)),
    flush: () => intake.flush(),
  };
}

/** Long, and either mixed with digits or with hardly any vowels. */
function looksRandom(label: string): boolean {
  if (label.length < randomLengthMin || label.startsWith('_') || label.startsWith('xn--')) return false;
  const digits = label.replaceAll(/[^0-9]/g, '').length;
  const vowels = label.replaceAll(/[^aeiouy]/g, '').length;
  const letters = label.length - digits;
  return (digits >= 2 && letters >= 2) || digits === label.length || vowels * 5 < letters;
}

/** A digest, because answers may be large and many are tracked. */
function answerOf({ type, bailiwick, rdata }: Rrset, parent: Uint8Array): string {
  const hash = createHash('sha256').update(`${type} `).update(parent).update(bailiwick);
  for (const one of rdata.toSorted((first, second) => Buffer.compare(first, second)))
    hash.update(`${one.length} `).update(one);
  return hash.digest('base64');
}
