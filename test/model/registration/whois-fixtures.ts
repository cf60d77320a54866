/** Fictitious answers in the layouts of a dozen registries, with the expected fields. */
import type { Registration } from '../../../src/model/record/domain-record.ts';

export interface WhoisFixture {
  readonly layout: string;
  readonly text: string;
  readonly says: Registration;
}

export const whoisFixtures: readonly WhoisFixture[] = [
  {
    layout: 'of the registries of generic domains',
    text: `Domain Name: OAKLEAF.EXAMPLE
Registry Domain ID: 4711_DOMAIN-EX
Registrar WHOIS Server: whois.registrar.example
Updated Date: 2025-03-01T10:00:00Z
Creation Date: 2019-05-06T23:30:00-0700
Registry Expiry Date: 2027-05-06T07:08:09Z
Registrar: Alder Names, Inc.
Registrar IANA ID: 9999
Registrar Abuse Contact Email: abuse@registrar.example
Domain Status: clientTransferProhibited https://icann.org/epp#clientTransferProhibited
Domain Status: clientDeleteProhibited (https://icann.org/epp#clientDeleteProhibited)
Registrant Name: Ann Ash
Registrant Organization: Oak Leaf Ltd
Registrant Street: 1 Grove Road
Registrant Street: Suite 5
Registrant City: Beechtown
Registrant State/Province: CA
Registrant Postal Code: 90001
Registrant Country: US
Registrant Phone: +1.5550100200
Registrant Phone Ext: 12
Registrant Email: Ann@OakLeaf.example.com
Admin Name: REDACTED FOR PRIVACY
Admin Email: Please query the RDDS service of the Registrar of Record
Tech Name: Tom Tern
Tech Email: tom@tern.example.net
Name Server: NS1.OAKLEAF.EXAMPLE
>>> Last update of WHOIS database: 2026-01-01T00:00:00Z <<<`,
    says: {
      registrant_contact: {
        name: 'Ann Ash',
        org: 'Oak Leaf Ltd',
        street: '1 Grove Road Suite 5',
        city: 'Beechtown',
        state: 'CA',
        postal: '90001',
        country: 'us',
        phone: '15550100200',
        email: ['ann@oakleaf.example.com'],
      },
      technical_contact: { name: 'Tom Tern', email: ['tom@tern.example.net'] },
      additional_whois_email: ['abuse@registrar.example'],
      registrar: 'Alder Names, Inc.',
      create_date: '2019-05-07',
      expiration_date: '2027-05-06',
      registrant_name: 'Ann Ash',
      registrar_status: ['clienttransferprohibited', 'clientdeleteprohibited'],
      registrant_org: 'Oak Leaf Ltd',
    },
  },
  {
    layout: 'with handles, as in Austria',
    text: `% Copyright (c)2026 by NIC

domain:         eiche.example
registrar:      Erle GmbH ( https://nic.example/registrar/1 )
registrant:     EE1-NIC
tech-c:         TT2-NIC
nserver:        ns1.eiche.example
changed:        20260102 00:10:24

personname:     Eva Eiche
organization:   Eiche KG
street address: Waldweg 3
postal code:    1100
city:           Wien
country:        Austria
phone:          <data not disclosed>
e-mail:         eva@eiche.example.at
nic-hdl:        EE1-NIC

personname:     Timo Tanne
nic-hdl:        TT2-NIC`,
    says: {
      registrant_contact: {
        name: 'Eva Eiche',
        org: 'Eiche KG',
        street: 'Waldweg 3',
        city: 'Wien',
        postal: '1100',
        country: 'at',
        email: ['eva@eiche.example.at'],
      },
      technical_contact: { name: 'Timo Tanne' },
      registrar: 'Erle GmbH',
      registrant_name: 'Eva Eiche',
      registrant_org: 'Eiche KG',
    },
  },
  {
    layout: 'with dots and headings, as in Finland',
    text: `domain.............: kuusi.example
status.............: Registered
created............: 15.12.2015 09:48:01
expires............: 5.1.2027 09:37:54

Nameservers

nserver............: ns1.kuusi.example [OK]

Holder

name...............: Kuusi Oy
address............: Metsätie 1
address............: 33720
address............: Tampere
country............: Finland
phone..............: +358291000000

Registrar

registrar..........: Koivu Oy
www................: www.koivu.example`,
    says: {
      registrant_contact: {
        name: 'Kuusi Oy',
        street: 'Metsätie 1',
        city: 'Tampere',
        postal: '33720',
        country: 'fi',
        phone: '358291000000',
      },
      registrar: 'Koivu Oy',
      create_date: '2015-12-15',
      expiration_date: '2027-01-05',
      registrant_name: 'Kuusi Oy',
      registrar_status: ['registered'],
    },
  },
  {
    layout: 'with brackets, as in Japan',
    text: `[ The database provides information. ]

Domain Information:
[Domain Name]                   SUGI.EXAMPLE

[Registrant]                    Sugi Co.,Ltd

[Name Server]                   ns1.sugi.example

[Created on]                    2001/05/14
[Expires on]                    2027/05/31
[Status]                        Active
[Last Updated]                  2026/06/01 04:52:02 (JST)`,
    says: {
      registrant_contact: { name: 'Sugi Co.,Ltd' },
      create_date: '2001-05-14',
      expiration_date: '2027-05-31',
      registrant_name: 'Sugi Co.,Ltd',
      registrar_status: ['active'],
    },
  },
  {
    layout: 'with indented blocks, as in the United Kingdom',
    text: `
    Domain name:
        yew.example

    Registrant:
        Yew Tree Ltd

    Registrant's address:
        1 Yew Lane
        Oxford
        OX1 2AB
        United Kingdom

    Registrar:
        Holly Ltd t/a Holly [Tag = HOLLY]
        URL: http://www.holly.example

    Relevant dates:
        Registered on: 22-Oct-2017
        Expiry date:  22-Oct-2027
        Last updated:  29-Jun-2026

    Registration status:
        Registered until expiry date.

    Name servers:
        ns.holly.example          192.0.2.1
`,
    says: {
      registrant_contact: {
        org: 'Yew Tree Ltd',
        street: '1 Yew Lane',
        city: 'Oxford',
        postal: 'OX1 2AB',
        country: 'gb',
      },
      registrar: 'Holly Ltd t/a Holly',
      create_date: '2017-10-22',
      expiration_date: '2027-10-22',
      registrar_status: ['registereduntilexpirydate'],
      registrant_org: 'Yew Tree Ltd',
    },
  },
  {
    layout: 'with envelopes, as of schools',
    text: `Domain Name: ELM.EXAMPLE

Registrant:
	Elm University
	12 Campus Drive
	Ithaca, NY 14853
	US

Administrative Contact:
	Ed Elm
	Elm University
	12 Campus Drive
	Ithaca, NY 14853
	US
	+1.5550100300
	ed@elm.example.edu

Domain record activated:    15-Jul-1985
Domain expires:             31-Jul-2027`,
    says: {
      registrant_contact: {
        org: 'Elm University',
        street: '12 Campus Drive',
        city: 'Ithaca',
        state: 'NY',
        postal: '14853',
        country: 'us',
      },
      admin_contact: {
        name: 'Ed Elm',
        org: 'Elm University',
        street: '12 Campus Drive',
        city: 'Ithaca',
        state: 'NY',
        postal: '14853',
        country: 'us',
        phone: '15550100300',
        email: ['ed@elm.example.edu'],
      },
      create_date: '1985-07-15',
      expiration_date: '2027-07-31',
      registrant_org: 'Elm University',
    },
  },
  {
    layout: 'of a single paragraph, as in Russia',
    text: `domain:        BEREZA.EXAMPLE
nserver:       ns1.bereza.example.
state:         REGISTERED, DELEGATED, VERIFIED
org:           Bereza LLC
registrar:     SOSNA-EX
admin-contact: https://sosna.example
created:       2001-11-19T21:00:00Z
paid-till:     2027-11-20T21:00:00Z
free-date:     2027-12-22
source:        TCI`,
    says: {
      registrant_contact: { org: 'Bereza LLC' },
      registrar: 'SOSNA-EX',
      create_date: '2001-11-19',
      expiration_date: '2027-11-20',
      registrar_status: ['registered', 'delegated', 'verified'],
      registrant_org: 'Bereza LLC',
    },
  },
  {
    layout: 'with sections of keys, as in Italy',
    text: `Domain:             abete.example
Status:             ok
Created:            2018-08-28 09:00:00
Expire Date:        2027-08-28

Registrant
  Organization:     Abete S.r.l.
  Address:          Via del Bosco 7
                    Milano
                    20141
                    MI
                    IT
  Created:          2017-02-13 19:31:25

Registrar
  Organization:     Pino S.r.l.
  Name:             PINO-REG`,
    says: {
      registrant_contact: {
        org: 'Abete S.r.l.',
        street: 'Via del Bosco 7',
        city: 'Milano',
        state: 'MI',
        postal: '20141',
        country: 'it',
      },
      registrar: 'Pino S.r.l.',
      create_date: '2018-08-28',
      expiration_date: '2027-08-28',
      registrar_status: ['ok'],
      registrant_org: 'Abete S.r.l.',
    },
  },
  {
    layout: 'with sentences, as in Taiwan',
    text: `Domain Name: song.example
   Domain Status: ok
   Registrant:
      Song Inc.
      Sam Song  sam@song.example.tw
      +886.255500100

   Record expires on 2027-05-23 (YYYY-MM-DD)
   Record created on 2008-05-23 (YYYY-MM-DD)

   Domain servers in listed order:
      ns1.song.example

Registration Service Provider: BAI LTD`,
    says: {
      registrant_contact: {
        name: 'Sam Song',
        org: 'Song Inc.',
        phone: '886255500100',
        email: ['sam@song.example.tw'],
      },
      registrar: 'BAI LTD',
      create_date: '2008-05-23',
      expiration_date: '2027-05-23',
      registrant_name: 'Sam Song',
      registrar_status: ['ok'],
      registrant_org: 'Song Inc.',
    },
  },
  {
    layout: 'with the month first, as in Tokelau',
    text: `   Domain name:
      PALM.EXAMPLE

   Owner contact:
      Organization: Palm Ltd
      Name:         Pia Palm
      Zipcode:      94043
      City:         Atafu
      Country:      U.S.A.
      Phone:        +1-5550100400
      E-mail:       pia@palm.example.com

   Domain registered: 12/18/2001
   Record will expire on: 03/02/2027`,
    says: {
      registrant_contact: {
        name: 'Pia Palm',
        org: 'Palm Ltd',
        city: 'Atafu',
        postal: '94043',
        country: 'us',
        phone: '15550100400',
        email: ['pia@palm.example.com'],
      },
      create_date: '2001-12-18',
      expiration_date: '2027-03-02',
      registrant_name: 'Pia Palm',
      registrant_org: 'Palm Ltd',
    },
  },
  {
    layout: 'with tabs, as in Switzerland',
    text: `Domain name	arve.example

Registrar	Lärche AG
Bergweg 1
CH-3000 Bern
info@laerche.example.ch

First registration date	31 May 1999`,
    says: {
      additional_whois_email: ['info@laerche.example.ch'],
      registrar: 'Lärche AG',
      create_date: '1999-05-31',
    },
  },
  {
    layout: 'with names of contacts in keys, as in China',
    text: `Domain Name: songshu.example
ROID: 20030312s10001s00044494-ex
Domain Status: serverDeleteProhibited
Registrant: 松树有限公司
Registrant Contact Email: admin@songshu.example.cn
Sponsoring Registrar: 柏树公司
Registration Time: 2003-03-17 12:20:05
Expiration Time: 2027-03-17 12:48:36`,
    says: {
      registrant_contact: { name: '松树有限公司', email: ['admin@songshu.example.cn'] },
      registrar: '柏树公司',
      create_date: '2003-03-17',
      expiration_date: '2027-03-17',
      registrant_name: '松树有限公司',
      registrar_status: ['serverdeleteprohibited'],
    },
  },
];
