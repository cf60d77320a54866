/** What an assistant may read besides calling tools: dossiers, monitors, screenshots, and pages about how to read all this. */
import { type Caller, findGrant } from '../../model/account/account.ts';
import { domainStates, type WatchlistId } from '../../model/detect/watchlist.ts';
import { Problem } from '../../model/problem.ts';
import { dossierSections } from '../../product/assistant/dossier/dossier.ts';
import { instantOfMs } from '../../product/assistant/plain-values.ts';
import { getMonitor } from '../../product/detect/monitors.ts';
import { SizedImages } from '../../product/screenshot/sized-images.ts';
import type { ImageStore } from '../../store/image-store.ts';
import type { MonitorStore } from '../../store/monitor-store.ts';
import type { NameStore } from '../../store/name-store.ts';
import type { WatchlistStore } from '../../store/watchlist-store.ts';
import { dataNotice } from './answer.ts';
import { chargeCall } from './charge-call.ts';
import { getDossierDomain } from './gather-dossier.ts';
import type { ToolContext } from './tool.ts';
import { type DomainToolNeeds, dossierOf } from './tools/domain-tools.ts';

export interface ResourceNeeds extends DomainToolNeeds {
  readonly images: DomainToolNeeds['images'] & Pick<ImageStore, 'findImage'>;
  readonly monitors: DomainToolNeeds['monitors'] & Pick<MonitorStore, 'findMonitor' | 'listMonitors'>;
  readonly watchlist: DomainToolNeeds['watchlist'] & Pick<WatchlistStore, 'listDomains'>;
  readonly names: DomainToolNeeds['names'] & Pick<NameStore, 'listDomainsFrom'>;
}

export type ResourceContent =
  | { readonly mimeType: string; readonly text: string }
  | { readonly mimeType: string; readonly blob: string };

const monitorsListed = 50;
const completionsMax = 20;
const screenshotWidth = 512;

export class Resources {
  readonly #needs: ResourceNeeds;
  readonly #sized = new SizedImages();

  constructor(needs: ResourceNeeds) {
    this.#needs = needs;
  }

  async readDomain(name: string, context: ToolContext): Promise<ResourceContent> {
    const domain = getDossierDomain('name', name);
    const dossier = await dossierOf(domain, dossierSections, context, this.#needs);
    return { mimeType: 'text/plain', text: `${dataNotice}\n${JSON.stringify(dossier)}` };
  }

  async readMonitor(id: WatchlistId, context: ToolContext): Promise<ResourceContent> {
    const { account } = context.caller;
    await chargeCall(context, { product: 'intel-detect-monitors' }, this.#needs);
    const { term, state, status, createdMs, createdBy, matchSubstringVariations } = await getMonitor(
      account,
      id,
      this.#needs,
    );
    const counts: Record<string, number> = {};
    for (const listed of domainStates) {
      const query = { state: listed, monitorId: id, sort: [], descending: false, offset: 0, limit: 1 };
      const found = await this.#needs.watchlist.listDomains(account.id, query);
      counts[listed] = found === 'unknown-monitor' ? 0 : found.total;
    }
    const shown = {
      id,
      term,
      state,
      status,
      substring_variations: matchSubstringVariations,
      created: instantOfMs(createdMs),
      created_by: createdBy,
      domains: counts,
    };
    return { mimeType: 'application/json', text: JSON.stringify(shown) };
  }

  /** Names of ours only: the terms that the account protects. */
  async listMonitors({ account, user }: Caller, nowMs: number) {
    if (!findGrant(account, 'intel-detect-monitors', nowMs, user.products)) return [];
    const { monitors } = await this.#needs.monitors.listMonitors(account.id, {
      sort: ['term'],
      descending: false,
      offset: 0,
      limit: monitorsListed,
    });
    return monitors.map(({ id, term }) => ({
      uri: `nameglass://monitor/${id}`,
      name: `monitor ${term}`,
      mimeType: 'application/json',
    }));
  }

  /** Small enough to be read, and never part of an answer by itself. */
  async readScreenshot(name: string, context: ToolContext): Promise<ResourceContent> {
    const domain = getDossierDomain('name', name);
    await chargeCall(context, { product: 'intel-enrich' }, this.#needs);
    const [taken] = await this.#needs.images.findScreenshots([domain]);
    const image = taken && (await this.#needs.images.findImage(domain, taken.capturedMs));
    if (!image) throw new Problem('not-found', 'There is no screenshot of this domain.');
    const { bytes, mimetype } = await this.#sized.get(image, {
      resizeWidth: screenshotWidth,
      cropHeight: undefined,
    });
    return { mimeType: mimetype, blob: bytes.toString('base64') };
  }

  /** Names that any source has reported, by their beginning. */
  async completeDomain(text: string): Promise<string[]> {
    const prefix = text.trim().toLowerCase();
    if (!/^[a-z0-9_-][a-z0-9._-]*$/.test(prefix)) return [];
    return [...(await this.#needs.names.listDomainsFrom(prefix, completionsMax))];
  }
}
