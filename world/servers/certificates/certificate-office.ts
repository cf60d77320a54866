/**
 * Where certificates are issued and kept. The logs begin with the newest that the world had when they began; what is older is issued when
 * a client connects to its site, and is in no log; what comes later is logged at once.
 */
import type { WorldDomain, WorldView } from '../../world-domain.ts';
import { stableChoice } from '../stable-choice.ts';
import { applicationOf } from './application-of.ts';
import { type Application, type Authority, type KeyPair, makeKeyPair } from './authority.ts';
import type { CertificateLog } from './certificate-log.ts';
import { poison, timestamps } from './extensions.ts';
import { inOwnMemory } from './in-own-memory.ts';
import type { Submission } from './log-entry.ts';
import { type CertificateText, signedPart } from './make-certificate.ts';

export interface Issued {
  readonly certifiedMs: number;
  readonly der: Buffer;
  readonly key: KeyPair;
}

/** What became an entry of a log. */
export interface Logged {
  readonly application: Application;
  readonly text: CertificateText;
  readonly submission: Submission;
  readonly log: CertificateLog;
  readonly index: number;
  readonly timestampMs: number;
}

export interface OfficeNeeds {
  readonly view: WorldView;
  readonly authority: Authority;
  readonly logs: readonly CertificateLog[];
  /** Called for each certificate logged after the start. */
  readonly onLogged: (logged: Logged) => void;
}

const loggedAtStartMax = 160;
const issuedPerSlice = 16;

export class CertificateOffice {
  readonly #needs: OfficeNeeds;
  readonly #issued = new Map<string, Issued>();
  /** Who hosts a site has its key, too. */
  readonly #keys = [makeKeyPair(), makeKeyPair(), makeKeyPair(), makeKeyPair()] as const;
  readonly #waiting: string[] = [];
  #loggedSinceMs = Number.POSITIVE_INFINITY;
  #slice: NodeJS.Immediate | undefined;
  #unfollow: () => void = () => undefined;

  private constructor(needs: OfficeNeeds) {
    this.#needs = needs;
  }

  static async open(needs: OfficeNeeds): Promise<CertificateOffice> {
    const office = new CertificateOffice(needs);
    await office.#logNewest();
    office.#unfollow = needs.view.follow(({ kind, domain }) => {
      if (kind === 'dropped') office.#issued.delete(domain);
      if (kind === 'certified') office.#waiting.push(domain);
      office.#scheduleSlice();
    });
    return office;
  }

  /** The certificate that a domain has now. */
  find(domain: WorldDomain): Issued | undefined {
    const { name, certifiedMs } = domain;
    if (certifiedMs === undefined) return undefined;
    const issued = this.#issued.get(name);
    return issued?.certifiedMs === certifiedMs ? issued : this.#issue(domain, certifiedMs);
  }

  close(): void {
    this.#unfollow();
    clearImmediate(this.#slice);
  }

  async #logNewest(): Promise<void> {
    const certified = [...this.#needs.view.domains()].filter(({ certifiedMs }) => certifiedMs !== undefined);
    certified.sort((a, b) => (a.certifiedMs ?? 0) - (b.certifiedMs ?? 0));
    const newest = certified.slice(-loggedAtStartMax);
    this.#loggedSinceMs = newest[0]?.certifiedMs ?? 0;
    for (const [at, domain] of newest.entries()) {
      this.find(domain);
      if (at % issuedPerSlice === 0) await new Promise(setImmediate);
    }
  }

  /** Much may happen at once in a world whose time is moved on: it is worked off a few at a time. */
  #scheduleSlice(): void {
    this.#slice ??= setImmediate(() => {
      this.#slice = undefined;
      for (const name of this.#waiting.splice(0, issuedPerSlice)) {
        const domain = this.#needs.view.find(name);
        if (domain) this.find(domain);
      }
      if (this.#waiting.length > 0) this.#scheduleSlice();
    });
  }

  #issue(domain: WorldDomain, certifiedMs: number): Issued {
    const { authority } = this.#needs;
    const key = stableChoice(domain.addresses[0] ?? domain.registrar.name, this.#keys);
    const application = applicationOf(domain, certifiedMs, key);
    const text = authority.write(application);
    const isLogged = certifiedMs >= this.#loggedSinceMs;
    const der = isLogged ? this.#log(application, text, certifiedMs) : inOwnMemory(authority.sign(text));
    const issued = { certifiedMs, der, key };
    this.#issued.set(domain.name, issued);
    return issued;
  }

  /** First the precertificate for the promises of the logs, then the certificate that carries them. */
  #log(application: Application, text: CertificateText, timestampMs: number): Buffer {
    const { authority, logs, onLogged } = this.#needs;
    const { issuerKeyHash, intermediate, root } = authority;
    const common = { issuerKeyHash, chain: [intermediate, root] };
    const submit = (submission: Submission): Buffer[] =>
      logs.map((log) => {
        const index = log.entries.length;
        const promise = log.add(submission, timestampMs);
        onLogged({ application, text, submission, log, index, timestampMs });
        return promise;
      });
    const promises = submit({
      ...common,
      kind: 'precertificate',
      der: inOwnMemory(authority.sign({ ...text, extensions: [...text.extensions, poison] })),
      signedPart: inOwnMemory(signedPart(text)),
    });
    const signed = authority.sign({ ...text, extensions: [...text.extensions, timestamps(promises)] });
    const der = inOwnMemory(signed);
    submit({ ...common, kind: 'certificate', der });
    return der;
  }
}
