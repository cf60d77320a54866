/** Names that a newcomer would try, scored by the model of the package alone: without lists, records and neighbours. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NameScorer } from '../../../src/model/risk/name/name-scorer.ts';
import { readModel } from '../../../src/product/risk/read-model.ts';

const scorer = new NameScorer(readModel());

type Range = readonly [name: string, from: number, to: number];

const names: Readonly<Record<string, readonly Range[]>> = {
  'well-known sites': [
    ['google.com', 1, 40],
    ['netflix.com', 1, 40],
    ['paypal.com', 1, 40],
    ['amazon.com', 1, 40],
    ['bbc.co.uk', 1, 30],
    ['wikipedia.org', 1, 30],
    ['github.com', 1, 30],
    ['booking.com', 1, 30],
    ['sparkasse.de', 1, 30],
    ['hsbc.co.uk', 1, 30],
    ['correos.es', 1, 30],
  ],
  'small shops and persons of twenty countries': [
    ['baeckerei-mueller.de', 1, 30],
    ['boulangerie-dupont.fr', 1, 30],
    ['pizzeria-roma.it', 1, 30],
    ['fietsenwinkel-jansen.nl', 1, 30],
    ['floristeria-carmen.es', 1, 30],
    ['sklep-rowerowy.pl', 1, 39],
    ['bikeshop.co.uk', 1, 30],
    ['cafe-sydney.com.au', 1, 30],
    ['konditori-lund.se', 1, 20],
    ['smithplumbing.com', 1, 20],
    ['pastelaria-lisboa.pt', 1, 30],
    ['gasthof-zumkrug.at', 1, 20],
    ['metzgerei-huber.ch', 1, 20],
    ['hotel-praha.cz', 1, 20],
    ['cukraszda-budapest.hu', 1, 20],
    ['garagedubois.be', 1, 20],
    ['advokat-oslo.no', 1, 20],
    ['apteka-warszawa.pl', 1, 30],
    ['taqueria-lopez.mx', 1, 20],
    ['thegreenkitchen.ca', 1, 30],
    ['johnsmith.me', 1, 30],
  ],
  'charities, universities and governments': [
    ['oxfam.org', 1, 20],
    ['redcross.org', 1, 20],
    ['unicef.org', 1, 30],
    ['mit.edu', 1, 20],
    ['uni-heidelberg.de', 1, 20],
    ['ethz.ch', 1, 30],
    ['whitehouse.gov', 1, 20],
    ['bundesregierung.de', 1, 30],
    ['kyoto-u.ac.jp', 1, 20],
    ['wwf.org.uk', 1, 20],
  ],
  'names made for phishing': [
    ['paypal-secure-login.com', 70, 99],
    ['secure-paypal-login.top', 70, 99],
    ['appleid-verify-account.com', 70, 99],
    ['netflix-billing-update.info', 70, 99],
    ['usps-package-redelivery.top', 70, 99],
    ['microsoft-login-support.com', 70, 99],
    ['metamask-wallet-connect.xyz', 70, 99],
    ['ing-verificatie.nl', 70, 99],
    ['tax-refund-gov-uk.com', 70, 99],
    ['dhl-paket-zoll.info', 40, 99],
  ],
};

for (const [kind, ranges] of Object.entries(names))
  test(`${kind} score as expected, by name alone`, () => {
    const outside = ranges.flatMap(([name, from, to]) => {
      const score = Math.max(...Object.values(scorer.findScores(name) ?? {}));
      return score >= from && score <= to ? [] : [`${name} ${score}, expected ${from} to ${to}`];
    });
    assert.deepEqual(outside, []);
  });
