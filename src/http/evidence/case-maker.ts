/** Makes evidence packs and keeps them as cases, for all APIs. */
import { createPublicKey, randomUUID } from 'node:crypto';
import type { Caller } from '../../model/account/account.ts';
import { packDomainsMax, type RecipientKind } from '../../model/evidence/pack-limits.ts';
import { fieldProblem, Problem } from '../../model/problem.ts';
import { PackMaker } from '../../product/evidence/pack-maker.ts';
import { keyFingerprint, publicKeyPem, signingKey } from '../../product/evidence/signing-key.ts';
import type { CaseStore, EvidenceCase } from '../../store/evidence/case-store.ts';
import { getDossierDomain } from '../assistant/gather-dossier.ts';
import { type EvidenceGatherNeeds, gatherEvidence } from './gather-evidence.ts';

export interface CaseMakerNeeds extends EvidenceGatherNeeds {
  readonly cases: Pick<CaseStore, 'createCase'>;
  readonly linkKey: Buffer;
}

export interface RequestedCase {
  /** Punycode. */
  readonly domains: readonly string[];
  readonly recipient: RecipientKind;
  readonly recipientName: string;
  readonly note: string;
}

/** Of an account. */
export const casesMax = 500;

export class CaseMaker {
  readonly fingerprint: string;
  readonly pem: string;
  readonly #needs: CaseMakerNeeds;
  readonly #packs: PackMaker;

  constructor(needs: CaseMakerNeeds) {
    const key = signingKey(needs.linkKey);
    this.fingerprint = keyFingerprint(createPublicKey(key));
    this.pem = publicKeyPem(key);
    this.#needs = needs;
    this.#packs = new PackMaker(needs.linkKey);
  }

  async make(requested: RequestedCase, caller: Caller, nowMs: number): Promise<EvidenceCase> {
    const { domains, recipient, recipientName, note } = requested;
    const id = randomUUID();
    const head = { id, madeMs: nowMs, recipient: recipientName || recipient, note, domains };
    const { pack, hash } = await this.#packs.make(() => gatherEvidence(head, caller, this.#needs));
    const made: EvidenceCase = {
      id,
      accountId: caller.account.id,
      createdMs: nowMs,
      createdBy: caller.user.username,
      domains,
      recipient,
      recipientName: storedText(recipientName),
      note: storedText(note),
      hash,
      bytes: pack.length,
      sentMs: undefined,
      answeredMs: undefined,
      outcome: 'open',
    };
    if (!(await this.#needs.cases.createCase(made, pack, casesMax)))
      throw new Problem('conflict', `there are ${casesMax} evidence packs; delete some first`);
    return made;
  }

  close(): Promise<void> {
    return this.#packs.close();
  }
}

/** The registrable domains of names, URLs or e-mail addresses, without duplicates. */
export function getPackDomains(field: string, written: readonly string[]): readonly string[] {
  if (written.length === 0 || written.length > packDomainsMax)
    throw fieldProblem('invalid-parameters', field, `must have 1 to ${packDomainsMax} domains`);
  return [...new Set(written.map((name) => getDossierDomain(field, name)))];
}

/** PostgreSQL stores no NUL. */
export function storedText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}
