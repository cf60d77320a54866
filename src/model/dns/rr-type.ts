/** Resource record types by number and mnemonic, from the IANA registry, including obsolete ones. */

/** Without `ANY`, which is a query type and not a record type. */
const numbers = {
  A: 1,
  NS: 2,
  MD: 3,
  MF: 4,
  CNAME: 5,
  SOA: 6,
  MB: 7,
  MG: 8,
  MR: 9,
  NULL: 10,
  WKS: 11,
  PTR: 12,
  HINFO: 13,
  MINFO: 14,
  MX: 15,
  TXT: 16,
  RP: 17,
  AFSDB: 18,
  X25: 19,
  ISDN: 20,
  RT: 21,
  NSAP: 22,
  'NSAP-PTR': 23,
  SIG: 24,
  KEY: 25,
  PX: 26,
  GPOS: 27,
  AAAA: 28,
  LOC: 29,
  NXT: 30,
  EID: 31,
  NIMLOC: 32,
  SRV: 33,
  ATMA: 34,
  NAPTR: 35,
  KX: 36,
  CERT: 37,
  A6: 38,
  DNAME: 39,
  SINK: 40,
  OPT: 41,
  APL: 42,
  DS: 43,
  SSHFP: 44,
  IPSECKEY: 45,
  RRSIG: 46,
  NSEC: 47,
  DNSKEY: 48,
  DHCID: 49,
  NSEC3: 50,
  NSEC3PARAM: 51,
  TLSA: 52,
  SMIMEA: 53,
  HIP: 55,
  NINFO: 56,
  RKEY: 57,
  TALINK: 58,
  CDS: 59,
  CDNSKEY: 60,
  OPENPGPKEY: 61,
  CSYNC: 62,
  ZONEMD: 63,
  SVCB: 64,
  HTTPS: 65,
  DSYNC: 66,
  HHIT: 67,
  BRID: 68,
  SPF: 99,
  UINFO: 100,
  UID: 101,
  GID: 102,
  UNSPEC: 103,
  NID: 104,
  L32: 105,
  L64: 106,
  LP: 107,
  EUI48: 108,
  EUI64: 109,
  NXNAME: 128,
  TKEY: 249,
  TSIG: 250,
  IXFR: 251,
  AXFR: 252,
  MAILB: 253,
  MAILA: 254,
  URI: 256,
  CAA: 257,
  AVC: 258,
  DOA: 259,
  AMTRELAY: 260,
  RESINFO: 261,
  WALLET: 262,
  CLA: 263,
  IPN: 264,
  TA: 32768,
  DLV: 32769,
} as const;

export type Mnemonic = keyof typeof numbers;

/** The number of a type whose mnemonic is known at compile time. */
export function typeOf(mnemonic: Mnemonic): number {
  return numbers[mnemonic];
}

const byMnemonic: ReadonlyMap<string, number> = new Map(Object.entries(numbers));
const byNumber: ReadonlyMap<number, string> = new Map(
  Object.entries(numbers).map(([mnemonic, number]) => [number, mnemonic]),
);

const typeMax = 65_535;

/** Parses a mnemonic or `TYPEnnn`, ignoring case. */
export function typeNumber(text: string): number | undefined {
  const known = byMnemonic.get(text);
  if (known !== undefined) return known;
  // ASCII only: some other letters have an ASCII upper case.
  if (!/^[A-Za-z0-9-]{1,16}$/.test(text)) return undefined;
  const upper = text.toUpperCase();
  const digits = /^TYPE(\d{1,5})$/.exec(upper)?.[1];
  if (digits === undefined) return byMnemonic.get(upper);
  return Number(digits) <= typeMax ? Number(digits) : undefined;
}

export function typeText(type: number): string {
  return byNumber.get(type) ?? `TYPE${type}`;
}

export const dnssecTypes: ReadonlySet<number> = new Set(
  (['DS', 'RRSIG', 'NSEC', 'DNSKEY', 'NSEC3', 'NSEC3PARAM', 'CDS', 'CDNSKEY', 'TA', 'DLV'] as const).map(
    typeOf,
  ),
);

/** The types that a query for any type excludes. */
export function isDnssecType(type: number): boolean {
  return dnssecTypes.has(type);
}

export const nameOnlyTypes = typesOf('NS', 'MD', 'MF', 'CNAME', 'MB', 'MG', 'MR', 'PTR', 'NSAP-PTR', 'DNAME');
export const textTypes = typesOf(
  'NS',
  'CNAME',
  'SOA',
  'PTR',
  'HINFO',
  'MX',
  'TXT',
  'RP',
  'SRV',
  'NAPTR',
  'SPF',
);
const severalNamesTypes = typesOf('SOA', 'MINFO', 'RP', 'PX');

function typesOf(...mnemonics: readonly Mnemonic[]): ReadonlySet<number> {
  return new Set(mnemonics.map(typeOf));
}

/** Whether the rdata of this type is a single name. */
export function isNameOnlyType(type: number): boolean {
  return nameOnlyTypes.has(type);
}

/** Whether flexible search covers the rdata of this type. */
export function isTextType(type: number): boolean {
  return textTypes.has(type);
}

/** Whether rdata of this type can contain several names. */
export function holdsSeveralNames(type: number): boolean {
  return severalNamesTypes.has(type);
}
