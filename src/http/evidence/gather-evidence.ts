/** Reads what an evidence pack is made of from the stores. */
import type { Caller } from '../../model/account/account.ts';
import { type AbuseContact, findAbuseContacts } from '../../model/registration/rdap/find-abuse-contacts.ts';
import { listReasons } from '../../product/assistant/reasons.ts';
import { explain } from '../../product/detect/explanation.ts';
import type { PackFacts, SourceItem, SubjectFacts } from '../../product/evidence/pack-facts.ts';
import { plainText } from '../../product/evidence/plain-text.ts';
import type { RawAnswerStore } from '../../store/evidence/raw-answer-store.ts';
import type { ImageStore } from '../../store/image-store.ts';
import { type DossierNeeds, gatherDossier } from '../assistant/gather-dossier.ts';

export interface EvidenceGatherNeeds extends Omit<DossierNeeds, 'images'> {
  readonly rawAnswers: Pick<RawAnswerStore, 'listAnswers' | 'findBytes'>;
  readonly images: DossierNeeds['images'] & Pick<ImageStore, 'listCaptures' | 'findImage'>;
}

/** Of all files together. They are in memory while a pack is made. */
const packBytesMax = 16 << 20;
const [answersMax, picturesMax, reasonsMax, contactsMax] = [200, 3, 20, 10];

export async function gatherEvidence(
  head: Omit<PackFacts, 'subjects' | 'server'> & { readonly domains: readonly string[] },
  caller: Caller,
  needs: EvidenceGatherNeeds,
): Promise<PackFacts> {
  const { domains, ...rest } = head;
  const subjects: SubjectFacts[] = [];
  let leftBytes = packBytesMax;
  for (const [at, domain] of domains.entries()) {
    const share = Math.floor(leftBytes / (domains.length - at));
    const subject = await gatherSubject(domain, { caller, nowMs: head.madeMs, bytesMax: share }, needs);
    for (const { bytes } of subject.items) leftBytes -= bytes.length;
    subjects.push(subject);
  }
  return { ...rest, server: needs.serverUrl(), subjects };
}

async function gatherSubject(
  domain: string,
  { caller, nowMs, bytesMax }: { caller: Caller; nowMs: number; bytesMax: number },
  needs: EvidenceGatherNeeds,
): Promise<SubjectFacts> {
  const { signal } = new AbortController();
  const query = { domain, sections: ['watchlist', 'history'] } as const;
  const { record, assessment, listed, history } = await gatherDossier(query, caller, needs, {
    nowMs,
    signal,
  });
  const { items, leftOut } = await gatherItems(domain, bytesMax, needs);
  return {
    domain,
    record,
    risk: {
      score: assessment.risk.risk_score,
      status: assessment.status,
      reasons: listReasons(assessment.contributions, reasonsMax).map(
        ({ points, reason, from_third_parties }) => {
          const value = from_third_parties?.['value'];
          return { points, reason, ...(value === undefined ? {} : { value: plainText(String(value)) }) };
        },
      ),
    },
    lookalikes: (listed?.domain?.matches ?? []).slice(0, reasonsMax).map(({ monitorId, reason }) => ({
      term: listed?.terms.get(monitorId) ?? '',
      class: reason.class,
      explanation: explain(reason),
    })),
    abuseContacts: abuseContactsOf(items),
    timeline: (history?.changes ?? []).map(({ atMs, field, before, after, source }) => ({
      atMs,
      field,
      before,
      after,
      source,
    })),
    items,
    leftOut,
  };
}

/** Pictures first, then answers as far as they fit, last seen first. */
async function gatherItems(
  domain: string,
  bytesMax: number,
  { images, rawAnswers }: EvidenceGatherNeeds,
): Promise<{ readonly items: readonly SourceItem[]; readonly leftOut: number }> {
  const items: SourceItem[] = [];
  let [leftBytes, leftOut] = [bytesMax, 0];
  for (const { capturedMs, seenMs, url, ipAddress } of await images.listCaptures(domain, picturesMax)) {
    const image = await images.findImage(domain, capturedMs);
    if (!image || image.bytes.length > leftBytes) {
      leftOut += image ? 1 : 0;
      continue;
    }
    leftBytes -= image.bytes.length;
    items.push({
      kind: 'screenshot',
      collector: 'screenshot',
      asked: url,
      address: ipAddress,
      request: `screenshot of ${url} by a browser`,
      firstMs: capturedMs,
      seenMs,
      mediaType: image.mimetype,
      isTruncated: false,
      bytes: image.bytes,
    });
  }
  for (const { hash, size, domain: _domain, ...answer } of await rawAnswers.listAnswers(domain, answersMax)) {
    const bytes = size > leftBytes ? undefined : await rawAnswers.findBytes(hash);
    if (!bytes) {
      leftOut += 1;
      continue;
    }
    leftBytes -= size;
    items.push({ ...answer, bytes });
  }
  return { items, leftOut };
}

function abuseContactsOf(items: readonly SourceItem[]): readonly AbuseContact[] {
  const found = items
    .filter(({ kind }) => kind === 'rdap')
    .flatMap(({ bytes }) => findAbuseContacts(Buffer.from(bytes)));
  const byText = new Map(found.map((contact) => [JSON.stringify(contact), contact]));
  return [...byText.values()].slice(0, contactsMax);
}
