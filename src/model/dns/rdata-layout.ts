/**
 * The fields of the rdata of each type. Types that are not listed are opaque bytes, presented in the generic form of RFC 3597.
 */
import { gateway, ipv4, ipv6 } from './rdata-field/address-fields.ts';
import { addressHalf, base64, eui48, eui64, hash, hex, salt } from './rdata-field/binary-fields.ts';
import { hostIdentity } from './rdata-field/host-identity-field.ts';
import { location } from './rdata-field/location-field.ts';
import { name, signer } from './rdata-field/name-fields.ts';
import {
  algorithm,
  certificateType,
  dsyncScheme,
  seconds,
  time,
  typeField,
  u8,
  u16,
  u32,
} from './rdata-field/number-fields.ts';
import { prefixList } from './rdata-field/prefix-list-field.ts';
import type { RdataField } from './rdata-field/rdata-field.ts';
import { serviceParameters } from './rdata-field/service-parameters-field.ts';
import { longText, optionalString, string, strings, tag } from './rdata-field/string-fields.ts';
import { nxtBitmap, typeBitmap } from './rdata-field/type-bitmap-fields.ts';
import { type Mnemonic, typeOf } from './rr-type.ts';

export type RdataLayout = readonly RdataField[];

const signature: RdataLayout = [typeField, algorithm, u8, seconds, time, time, u16, signer, base64];
const delegation: RdataLayout = [u16, algorithm, u8, hex];
const key: RdataLayout = [u16, u8, algorithm, base64];

const layouts: Partial<Record<Mnemonic, RdataLayout>> = {
  A: [ipv4],
  AAAA: [ipv6],
  AFSDB: [u16, name],
  APL: [prefixList],
  AVC: [strings],
  CAA: [u8, tag, longText],
  CDNSKEY: key,
  CDS: delegation,
  CERT: [certificateType, u16, algorithm, base64],
  CLA: [strings],
  CNAME: [name],
  CSYNC: [u32, u16, typeBitmap],
  DHCID: [base64],
  DLV: delegation,
  DNAME: [name],
  DNSKEY: key,
  DS: delegation,
  DSYNC: [typeField, dsyncScheme, u16, name],
  EUI48: [eui48],
  EUI64: [eui64],
  GPOS: [string, string, string],
  HINFO: [string, string],
  HIP: [hostIdentity],
  HTTPS: [u16, name, serviceParameters],
  IPSECKEY: [u8, u8, u8, gateway, base64],
  ISDN: [string, optionalString],
  KEY: key,
  KX: [u16, name],
  L32: [u16, ipv4],
  L64: [u16, addressHalf],
  LOC: [location],
  LP: [u16, name],
  MB: [name],
  MD: [name],
  MF: [name],
  MG: [name],
  MINFO: [name, name],
  MR: [name],
  MX: [u16, name],
  NAPTR: [u16, u16, string, string, string, name],
  NID: [u16, addressHalf],
  NINFO: [strings],
  NS: [name],
  'NSAP-PTR': [name],
  NSEC: [name, typeBitmap],
  NSEC3: [u8, u8, u16, salt, hash, typeBitmap],
  NSEC3PARAM: [u8, u8, u16, salt],
  NXT: [name, nxtBitmap],
  OPENPGPKEY: [base64],
  PTR: [name],
  PX: [u16, name, name],
  RESINFO: [strings],
  RKEY: key,
  RP: [name, name],
  RRSIG: signature,
  RT: [u16, name],
  SIG: signature,
  SMIMEA: [u8, u8, u8, hex],
  SOA: [name, name, u32, seconds, seconds, seconds, seconds],
  SPF: [strings],
  SRV: [u16, u16, u16, name],
  SSHFP: [u8, u8, hex],
  SVCB: [u16, name, serviceParameters],
  TA: delegation,
  TALINK: [name, name],
  TLSA: [u8, u8, u8, hex],
  TXT: [strings],
  URI: [u16, u16, longText],
  WALLET: [strings],
  X25: [string],
  ZONEMD: [u32, u8, u8, hex],
};

export const layoutsByType: ReadonlyMap<number, RdataLayout> = new Map(
  Object.entries(layouts).map(([mnemonic, layout]) => [typeOf(mnemonic as Mnemonic), layout]),
);
