/** Runs deliveries on a data directory until it is killed. Arguments: the directory and the time. */
import { createDialer } from '../../../src/outgoing/guarded-dialer.ts';
import { startDeliveries } from '../../../src/product/detect/deliveries.ts';
import { openEmbeddedStores } from '../../../src/store/embedded/open-stores.ts';
import { settingsOf, testLinkKey } from '../fixtures/delivery-fixture.ts';

const [directory = '', now = ''] = process.argv.slice(2);
const settings = settingsOf();
const clock = { now: () => Number(now) };
startDeliveries({
  ...openEmbeddedStores({ data: directory, clock }),
  settings,
  clock,
  dialer: createDialer({ settings }),
  linkKey: testLinkKey,
  sendMail: async () => undefined,
  onFailure: (error) => {
    throw error;
  },
  pollMs: 10,
});
// The poll timer does not keep the process alive, but a message listener does.
process.on('message', () => undefined);
process.send?.('ready');
