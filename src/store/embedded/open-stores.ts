/** Opens all stores of the embedded adapter, in one data directory. */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../model/clock.ts';
import { Problem } from '../../model/problem.ts';
import type { Stores } from '../../stores.ts';
import type { SpaceState } from '../free-space.ts';
import { keyVault, linkKey, openServerSecret } from '../key-vault.ts';
import { openAccountStore } from './account-store.ts';
import { openArchiveStore } from './archive-store.ts';
import { refuseUnfinishedRestore } from './backup/unfinished-restore.ts';
import { type CacheSizes, usualCacheSizes } from './cache-sizes.ts';
import { refuseUnfinishedCopy } from './copy/copy-state.ts';
import { openInvestigationStore } from './desk/investigation-store.ts';
import { openDetectStores } from './detect-stores.ts';
import { openDomainStore } from './domain-store.ts';
import { openCaseStore } from './evidence/case-store.ts';
import { openRawAnswerStore } from './evidence/raw-answer-store.ts';
import { FreeSpaceWatch, type Reserve } from './free-space.ts';
import { openHealthStore } from './health-store.ts';
import { openImageStore } from './image-store.ts';
import { jobThreads } from './job/job-threads.ts';
import { openJobStore } from './job-store.ts';
import { openLeaseStore } from './lease-store.ts';
import { openNameStore } from './name-store.ts';
import { openPersonStores } from './person/open-person-stores.ts';
import { openRiskStore } from './risk-store.ts';
import { openRrsetStore } from './rrset-store.ts';
import { openStreamStore } from './stream-store.ts';
import { openUsageStore } from './usage-store.ts';

export interface EmbeddedStoresOptions {
  /** The data directory. */
  readonly data: string;
  /** Hex digits; without it the secret is kept in the data directory. */
  readonly secret?: string;
  readonly clock: Clock;
  /** False: a directory without data is an error, and nothing is created. */
  readonly create?: boolean;
  /** How much of the disk stays free; nothing unless given. */
  readonly reserve?: Reserve;
  /** What is kept in memory for speed; the usual amounts unless given. */
  readonly caches?: CacheSizes;
  /** Called when free space falls below the reserve, and when there is room again. */
  readonly onSpaceChange?: ((state: SpaceState) => void) | undefined;
  /** Called with a line of text for each data file that had to be repaired or set aside. */
  readonly onFault?: (fault: string) => void;
}

export function openEmbeddedStores(options: EmbeddedStoresOptions): Stores {
  const { data, secret = '', clock, create = true, onFault } = options;
  const { reserve = { bytes: 0, percent: 0 }, onSpaceChange: onChange, caches = usualCacheSizes } = options;
  refuseUnfinishedRestore(data);
  refuseUnfinishedCopy(data);
  if (!create && !existsSync(join(data, 'accounts.db')))
    throw new Problem('not-found', `there is no data of Nameglass in ${data}; --data says where it is`);
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const serverSecret = openServerSecret(data, secret);
  const freeSpace = new FreeSpaceWatch(data, { reserve, onChange });
  const vault = keyVault(serverSecret);
  const accounts = openAccountStore(data, vault);
  const { people, sessions, signOn } = openPersonStores(data, vault);
  const usage = openUsageStore(data);
  const rrsets = openRrsetStore(data, clock, onFault, { freeSpace, caches });
  const streams = openStreamStore(data, onFault, caches);
  const domains = openDomainStore(data, clock, caches);
  const detect = openDetectStores(data, caches);
  const threadsOfJobs = jobThreads(data);
  const jobs = openJobStore(data, clock, threadsOfJobs);
  const leases = openLeaseStore(data);
  const names = openNameStore(data);
  const risks = openRiskStore(data, caches);
  const images = openImageStore(data);
  const rawAnswers = openRawAnswerStore(data, threadsOfJobs);
  const cases = openCaseStore(data);
  const investigations = openInvestigationStore(data);
  return {
    accounts,
    people,
    sessions,
    signOn,
    usage,
    rrsets,
    streams,
    archives: openArchiveStore(data),
    domains,
    monitors: detect.monitors,
    watchlist: detect.watchlist,
    escalations: detect.escalations,
    blocklists: detect.blocklists,
    sharing: detect.sharing,
    sightings: detect.sightings,
    opsec: detect.opsec,
    suggestions: detect.suggestions,
    campaigns: detect.campaigns,
    decisions: detect.decisions,
    triage: detect.triage,
    events: detect.events,
    jobs,
    leases,
    names,
    risks,
    images,
    rawAnswers,
    cases,
    investigations,
    health: openHealthStore(data),
    freeSpace,
    linkKey: linkKey(serverSecret),
    async close() {
      freeSpace.close();
      await investigations.close();
      await cases.close();
      await rawAnswers.close();
      await images.close();
      await risks.close();
      await names.close();
      await leases.close();
      await jobs.close();
      await detect.close();
      await domains.close();
      await streams.close();
      await rrsets.close();
      await usage.close();
      await signOn.close();
      await sessions.close();
      await people.close();
      await accounts.close();
    },
  };
}
