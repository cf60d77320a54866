/** Fictitious answers of a registry and a registrar about one domain. */

const text = (name: string, value: unknown, parameters: object = {}) => [name, parameters, 'text', value];

export const rdapFixtures = {
  registry: {
    objectClassName: 'domain',
    rdapConformance: ['rdap_level_0', 'redacted'],
    handle: '4711-EX',
    ldhName: 'OAK.EXAMPLE',
    status: ['client transfer prohibited', 'active'],
    events: [
      { eventAction: 'registration', eventDate: '2019-05-06T23:30:00Z' },
      { eventAction: 'expiration', eventDate: '2027-05-06T07:08:09Z' },
      { eventAction: 'last changed', eventDate: '2025-03-01T10:00:00Z' },
    ],
    nameservers: [{ objectClassName: 'nameserver', ldhName: 'NS1.OAK.EXAMPLE' }],
    secureDNS: { delegationSigned: true },
    links: [
      {
        rel: 'self',
        href: 'https://rdap.registry.example/domain/oak.example',
        type: 'application/rdap+json',
      },
      {
        rel: 'related',
        href: 'https://rdap.registrar.example/domain/oak.example',
        type: 'application/rdap+json',
      },
    ],
    entities: [
      {
        objectClassName: 'entity',
        handle: '9999',
        roles: ['registrar'],
        publicIds: [{ type: 'IANA Registrar ID', identifier: '9999' }],
        vcardArray: ['vcard', [text('version', '4.0'), text('fn', 'Alder Names, Inc.')]],
        entities: [
          {
            objectClassName: 'entity',
            roles: ['abuse'],
            vcardArray: [
              'vcard',
              [
                text('fn', 'Abuse Desk'),
                ['tel', { type: 'voice' }, 'uri', 'tel:+1.5550100999'],
                text('email', 'Abuse@Alder.example.com'),
              ],
            ],
          },
        ],
      },
      {
        objectClassName: 'entity',
        handle: 'R-1',
        roles: ['registrant'],
        vcardArray: [
          'vcard',
          [text('fn', 'REDACTED FOR PRIVACY'), text('adr', ['', '', '', '', '', '', 'US'])],
        ],
      },
    ],
  },
  registrar: {
    objectClassName: 'domain',
    rdapConformance: ['rdap_level_0'],
    handle: '4711-EX',
    ldhName: 'oak.example',
    status: ['locked'],
    events: [{ eventAction: 'registration', eventDate: '2020-01-01T00:00:00Z' }],
    entities: [
      {
        objectClassName: 'entity',
        handle: 'C-77',
        roles: ['registrant', 'administrative'],
        vcardArray: [
          'vcard',
          [
            text('fn', 'Ann Ash'),
            text('org', ['Oak Leaf Ltd', 'Woods']),
            text('adr', ['', 'Suite 5', ['1 Grove Road'], 'Beechtown', 'CA', '90001', ''], { cc: 'US' }),
            ['tel', { type: ['work', 'voice'] }, 'uri', 'tel:+1.5550100200;ext=12'],
            ['tel', { type: 'fax' }, 'text', '+1 555 0100 201'],
            text('email', 'ann@oak.example.com'),
          ],
        ],
      },
      {
        objectClassName: 'entity',
        roles: ['technical'],
        vcardArray: [
          'vcard',
          [
            text('fn', 'Tom Tern'),
            text('adr', ['', '', '', '', '', '', ''], { label: '2 Fern Way\nFernham\nGB' }),
          ],
        ],
      },
    ],
  },
} as const;
