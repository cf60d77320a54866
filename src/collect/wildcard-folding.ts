/**
 * Folds names that a wildcard made up: hosts that clients invent by the thousand (`x8f3k2q9.example.com`), all with the same
 * answer. Once a zone has given the same data to enough invented-looking names, further ones are kept under one name,
 * `_WILDCARD_.example.com`. The first few stay as they are, and names that look chosen by people always do. So do names that
 * a zone file lists, and those of zones: somebody registered them, for no wildcard makes a zone.
 */
import { createHash } from 'node:crypto';
import { parseName } from '../model/dns/name.ts';
import { typeOf } from '../model/dns/rr-type.ts';
import type { Rrset, WireName } from '../model/dns/rrset.ts';
import type { Intake } from '../store/rrset-store.ts';

const namesBeforeFolding = 32;
/** Answers watched at once; the one seen first is forgotten for the one that comes last. */
const answersMax = 50_000;
const inventedLengthMin = 8;
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
    if (!looksInvented(label)) return observation;
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

/** An intake that folds what goes through it. */
export function foldingIntake(intake: Pick<Intake, 'add' | 'flush'>): Pick<Intake, 'add' | 'flush'> {
  const folding = new WildcardFolding();
  return {
    add: (observation) => intake.add(folding.fold(observation)),
    flush: () => intake.flush(),
  };
}

/** Long, and either mixed with digits or hardly to be spoken. */
function looksInvented(label: string): boolean {
  if (label.length < inventedLengthMin || label.startsWith('_') || label.startsWith('xn--')) return false;
  const digits = label.replaceAll(/[^0-9]/g, '').length;
  const vowels = label.replaceAll(/[^aeiouy]/g, '').length;
  const letters = label.length - digits;
  return (digits >= 2 && letters >= 2) || digits === label.length || vowels * 5 < letters;
}

/** A digest, because an answer may be large and many are watched. */
function answerOf({ type, bailiwick, rdata }: Rrset, parent: Uint8Array): string {
  const hash = createHash('sha256').update(`${type} `).update(parent).update(bailiwick);
  for (const one of rdata.toSorted((first, second) => Buffer.compare(first, second)))
    hash.update(`${one.length} `).update(one);
  return hash.digest('base64');
}
