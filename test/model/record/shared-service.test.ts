import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findSharedService } from '../../../src/model/record/shared-service.ts';

test('CDNs and parking services are recognised by the names of their networks and name servers', () => {
  for (const name of [
    'Cloudflare, Inc.',
    'AKAMAI-ASN1',
    'kate.ns.cloudflare.com',
    'Fastly',
    'd1.cloudfront.net',
  ])
    assert.equal(findSharedService(name), 'cdn', name);
  for (const name of [
    'ns1.sedoparking.com',
    'ns2.bodis.com',
    'ns1.dan.com',
    'Parking Lot Media LLC',
    'ns1.parkingcrew.net',
  ])
    assert.equal(findSharedService(name), 'parking', name);
});

test('names that merely contain such words are nobody’s', () => {
  for (const name of [
    'Park Avenue Hosting',
    'ns1.jordan.com',
    'sparkling.example',
    'cdnetwork-fan.example',
    '192.0.2.1',
  ])
    assert.equal(findSharedService(name), undefined, name);
});
