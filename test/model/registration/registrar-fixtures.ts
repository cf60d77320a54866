/** Fictitious answers of registries whose registrar or creation date is not where most registries have it. */

export interface RegistrarFixture {
  readonly layout: string;
  readonly text: string;
  readonly registrar: string | undefined;
  readonly created?: string;
}

export const registrarFixtures: readonly RegistrarFixture[] = [
  {
    layout: 'whose technical contacts of the registrar come first, as in Belgium',
    registrar: 'Alder',
    created: '2000-12-12',
    text: `Domain:\toak.example
Status:\tNOT AVAILABLE
Registered:\tTue Dec 12 2000

Registrar Technical Contacts:
\tName:\tAlder Desk
\tOrganisation:\tAlder Desk Ltd
\tLanguage:\ten
\tPhone:\t+1.5550100

Registrar:
\tName:\tAlder
\tWebsite: https://alder.example
`,
  },
  {
    layout: 'with a registration URL below the registrar, as in Cameroon',
    registrar: 'Alder Names Inc.',
    created: '2009-10-07',
    text: `Domain Information
Query: oak.example
Status: Delegated
Created: 07 Oct 2009 10:02 WAT
Expires: 07 Oct 2028 10:02 WAT

Registrar Information
Registrar Name: Alder Names Inc.
Registration URL: https://alder.example
Address: 1 Alder Way
Beechtown, CA 90001
Country: US

Registrant:
Email Address: ann@oak.example
`,
  },
  {
    layout: 'with the type of person in each section, as in Latvia',
    registrar: 'Alder Names SIA',
    text: `[Domain]
Domain: oak.example
Status: active

[Holder]
Type: Legal person
Name: Oak Leaf SIA
Email: ann@oak.example

[Registrar]
Type: Legal person
Name: Alder Names SIA
Email: desk@alder.example
RegNr: 4711

[Nservers]
Nserver: ns1.oak.example
`,
  },
  {
    layout: 'with a service provider after the registrar, as of some resellers',
    registrar: 'ALDER, INC.',
    created: '2020-01-10',
    text: `Domain Name: OAK.EXAMPLE
Registrar WHOIS Server: whois.alder.example
Creation Date: 2020-01-10T09:26:25
Registrar: ALDER, INC.
Registrar IANA ID: 9999
Reseller: Beech

Registration Service Provider:
    Beech, support@beech.example
    +49.5550100
    This company may be contacted for domain login/passwords,
    DNS/Nameserver changes, and general domain support questions.
`,
  },
  {
    layout: 'with a service provider and no registrar',
    registrar: 'Beech',
    text: `Domain Name: OAK.EXAMPLE

Registration Service Provider:
    Beech, support@beech.example
    +49.5550100
    Please contact Beech for domain updates, DNS/Nameserver
    changes, and general domain support questions.
`,
  },
  {
    layout: 'with a zone contact and no registrar, as in Germany',
    registrar: 'Alder Names GmbH',
    text: `Domain: oak.example
Nserver: ns1.oak.example
Status: connect
Changed: 2021-03-30T19:36:27+02:00

[Tech-C]
Type: PERSON
Name: Ann Ash
Organisation: Oak Leaf KG
City: Buchen
CountryCode: DE

[Zone-C]
Type: PERSON
Name: Tom Tern
Organisation: Alder Names GmbH
City: Ulm
CountryCode: DE
`,
  },
  {
    layout: 'with persons by handle and no registrar, as in Ireland',
    registrar: 'Alder Names Ltd',
    created: '2002-03-21',
    text: `domain:       oak.example
descr:        Oak Leaf Limited
admin-c:      AA1-EXMP
tech-c:       AN2-EXMP
registration: 21-March-2002
renewal:      21-March-2028
ren-status:   Active
source:       EXMP

person:       Ann Ash
nic-hdl:      AA1-EXMP
source:       EXMP

person:       Alder Names Ltd
nic-hdl:      AN2-EXMP
source:       EXMP
`,
  },
  {
    layout: 'with roles by handle and no registrar, as in Iceland',
    registrar: 'Alder Hostmaster',
    created: '2002-05-22',
    text: `domain:       oak.example
registrant:   OL1-EX
admin-c:      OL1-EX
tech-c:       AH2-EX
zone-c:       AA3-EX
billing-c:    AH2-EX
created:      May 22 2002
expires:      May 22 2028

role:         Oak Leaf ehf
nic-hdl:      OL1-EX
address:      Skogargata 1
e-mail:       ann@oak.example
created:      May 22 2002

role:         Alder Hostmaster
nic-hdl:      AH2-EX
e-mail:       ops@alder.example
created:      July 22 2004

person:       Ann Ash
nic-hdl:      AA3-EX
e-mail:       ann@oak.example
`,
  },
  {
    layout: 'with a technical organization and no registrar, as in Croatia',
    registrar: 'Joha d.o.o.',
    text: `domain:    oak.example
descr:     Hrast d.o.o.
descr:     Sumska 2
tech-c:    C4711-EX
expires:   20280921

person:    Ana Jasen
org:       Joha d.o.o.
nic-hdl:   C4711-EX
`,
  },
  {
    layout: 'as a form with dots and no registrar, as once in Anguilla',
    registrar: 'Alder Names',
    text: `DOMAIN INFORMATION
Complete Domain Name........: oak.example
Organization Using Domain Name
 Organization Name..........: Oak Leaf Inc.
 Street Address.............: 1 Grove Road
Technical Contact
 NIC Handle (if known)......:
 (I)ndividual (R)ole........: R
 Name (Last, First).........: Administrator, Domain
 Organization Name..........: Alder Names
 E-Mailbox..................: ops@alder.example
Billing Contact
 Name (Last, First).........: Accounts
 Organization Name..........: Alder Names
`,
  },
  {
    layout: 'in Spanish without a registrar, as in Bolivia',
    registrar: 'Aliso SRL',
    created: '2004-10-01',
    text: `Dominio: oak.example

TITULAR:
Organizacion: Roble SA
Nombre: Ana Fresno
Pais: Bolivia
Ciudad: La Paz

CONTACTO TECNICO:
Organizacion: Roble SA
Nombre: Ana Fresno

CONTACTO FINANCIERO:
Organizacion: Aliso SRL
Nombre: Tomas Haya
Email: pagos en aliso.example

Fecha de registro: 2004-10-01
Fecha de vencimiento: 2028-10-01
`,
  },
  {
    layout: 'with a billing contact by handle and no registrar, as in Brazil',
    registrar: 'Amieiro do Brasil',
    created: '1999-05-18',
    text: `domain:      oak.example
owner:       Carvalho Ltda
ownerid:     00.000.000/0001-00
responsible: Ana Freixo
owner-c:     AFR1
tech-c:      AFR1
billing-c:   AMB2
created:     19990518 #162310
expires:     20280518
status:      published

nic-hdl-br:  AFR1
person:      Ana Freixo
e-mail:      ana@carvalho.example
created:     20100520

nic-hdl-br:  AMB2
person:      Amieiro do Brasil
e-mail:      mail@amieiro.example
created:     20020619
`,
  },
  {
    layout: 'whose contacts are named by their role, as in Puerto Rico',
    registrar: 'Alder Names Inc.',
    created: '2003-01-25',
    text: `Domain:       oak.example

Created On:   2003-01-25
Expires On:   2028-01-25

Contact:      Registrant
Organization: Oak Leaf Inc.
Name:         Ann Ash

Contact:      Technical
Organization: Oak Leaf Inc.
Name:         Ann Ash

Contact:      Billing
Organization: Alder Names Inc.
Name:         Tom Tern
`,
  },
  {
    layout: 'that names the registrar by its handle, as in Norway',
    registrar: 'REG4711-EXAMPLE',
    created: '2001-02-26',
    text: `Domain Information

NORID Handle...............: OAK1D-EXAMPLE
Domain Name................: oak.example
Domain Holder Handle.......: OLA2O-EXAMPLE
Registrar Handle...........: REG4711-EXAMPLE
Tech-c Handle..............: TT3R-EXAMPLE
Name Server Handle.........: NS1H-EXAMPLE

Additional information:
Created:         2001-02-26
Last updated:    2025-01-27
`,
  },
  {
    layout: 'with the day before the month, as in Luxembourg',
    registrar: 'Alder',
    created: '2003-06-04',
    text: `domainname:     oak.example
domaintype:     ACTIVE
ownertype:      ORGANISATION
registered:     04/06/2003
org-name:       Oak Leaf S.A.
registrar-name:         Alder
registrar-url:          https://alder.example/
`,
  },
  {
    layout: 'with dots after the colon, as in Togo',
    registrar: 'AULNE TELECOM',
    created: '2016-08-01',
    text: `Domain:.............oak.example
Registrar:..........AULNE TELECOM
Activation:.........2016-08-01
Expiration:.........2027-08-12
Status:.............ACTIVE
Contact Type:.......owner
Last Name:..........Ash
First Name:.........Ann
`,
  },
  {
    layout: 'with a misspelt key, as in Tunisia',
    registrar: 'Aulne Net',
    created: '2009-05-14',
    text: `Domain   \t: oak.example
Acivated \t: 2009-05-14 00:00:00
Registrar\t: Aulne Net

Owner Name \t: Oak Leaf SA
Owner Created\t: 2011-05-14 00:00:00
`,
  },
  {
    layout: 'that dates each change, as in Israel',
    registrar: 'Alon Names Ltd',
    created: '1999-06-05',
    text: `domain:       oak.example

descr:        Oak Leaf Ltd
tech-c:       TT-EX1-IL
validity:     05-06-2028
status:       Transfer Locked
changed:      registrar AT ns.example 19990605 (Assigned)
changed:      registrar AT ns.example 20170517 (Changed)

registrar name: Alon Names Ltd
registrar info: https://alon.example
`,
  },
  {
    layout: 'in Spanish with accents, as in Venezuela',
    registrar: undefined,
    created: '2003-03-06',
    text: `Titular:
Ana Fresno \t\tana@roble.example
   Roble CA
   Caracas, VE

   Nombre de Dominio: roble.example

   Fecha de Vencimiento: 2028-03-06 00:00:00
   Ultima Actualización: 2005-11-17 20:35:01
   Fecha de Creación: 2003-03-06 00:00:00

   Estatus del dominio: ACTIVO
`,
  },
  {
    layout: 'with a registrar number, as in Canada',
    registrar: 'Alder Canada Ltd.',
    text: `Domain name:           oak.example
Domain status:         registered

Registrar:
    Name:              Alder Canada Ltd.
    Number:            5000040

Registrant:
    Name:              Oak Leaf Inc.
`,
  },
  {
    layout: 'whose reseller comes before the registrar, as in the United Kingdom',
    registrar: 'Alder GmbH',
    text: `    Domain name:
        oak.example

    Registered through:
        Beech.example, Inc.
        URL: https://beech.example

    Registrar:
        Alder GmbH [Tag = ALDER-EX]
        URL: https://alder.example
`,
  },
  {
    layout: 'with a long registrar name that ends with a dot',
    registrar: 'Alder Names of the Old Wood Trading Co., Ltd.',
    text: `Domain Name: oak.example
Registrar: Alder Names of the Old Wood Trading Co., Ltd.
`,
  },
  {
    layout: 'with no registrar, whose technical contact is the registrant',
    registrar: undefined,
    text: `domain:       oak.example
registrant:   OL1-EX
tech-c:       OL2-EX

organization: Oak Leaf Ltd.
nic-hdl:      OL1-EX

person:       Ann Ash
org:          OAK LEAF Ltd
nic-hdl:      OL2-EX
`,
  },
  {
    layout: 'with no registrar, whose technical contact is a person',
    registrar: undefined,
    text: `domain:       oak.example
registrant:   OL1-EX
tech-c:       TT2-EX

organization: Oak Leaf Ltd.
nic-hdl:      OL1-EX

person:       Tom Tern
e-mail:       tom@beech.example
nic-hdl:      TT2-EX
`,
  },
];
