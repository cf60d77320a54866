/** A process that reads links and finds the campaigns of an account until nothing is left to do, and reports it. The test may kill it at any time. */
import { readLinks } from '../../../../src/pipeline/campaigns/read-links.ts';
import { findCampaigns } from '../../../../src/product/campaigns/find-campaigns.ts';
import { openEmbeddedStores } from '../../../../src/store/embedded/open-stores.ts';

const [data = '', accountId = ''] = process.argv.slice(2);
const clock = { now: () => 9000 };
const stores = openEmbeddedStores({ data, clock });
process.stdout.write('begun\n');
await readLinks({ ...stores, clock });
await findCampaigns(accountId, { membersMin: 3, sharedMax: 5000, nowMs: clock.now() }, stores);
process.stdout.write('complete\n');
await stores.close();
