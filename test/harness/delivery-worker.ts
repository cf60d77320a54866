/** Delivers what a data directory has to tell until it is killed. Arguments: the directory, and what time it is. */
import { createDialer } from '../../src/outgoing/guarded-dialer.ts';
import { startDeliveries } from '../../src/product/detect/deliveries.ts';
import { openStores, settingsOf, testLinkKey } from './delivering.ts';

const [directory = '', now = ''] = process.argv.slice(2);
const settings = settingsOf();
startDeliveries({
  ...openStores(directory),
  settings,
  clock: { now: () => Number(now) },
  dialer: createDialer({ settings }),
  linkKey: testLinkKey,
  sendMail: async () => undefined,
  onFailure: (error) => {
    throw error;
  },
  lookMs: 10,
});
// Looking for work keeps no process alive, but a parent that may say something does.
process.on('message', () => undefined);
process.send?.('ready');
