/**
 * Zeek's dns.log (https://docs.zeek.org/en/master/logs/dns.html). Its answers have neither owner nor type, so RRsets are inferred
 * from the question, and only where that is unambiguous; the bailiwick is unknown, hence the root. CNAMEs lead from the question to
 * the owner of the data. Lines give nothing where answers are incomplete (MX and SRV numbers, SOA, DNSSEC), for errors, rejections
 * and truncation, and for traffic that is not DNS (NetBIOS, mDNS, LLMNR). Client addresses are never read.
 */
import { rootName } from '../../model/dns/name.ts';
import { parseRdata } from '../../model/dns/rdata-text.ts';
import { typeNumber, typeOf } from '../../model/dns/rr-type.ts';
import type { Rrset, WireName } from '../../model/dns/rrset.ts';
import { hasInvalidUtf8 } from '../input/invalid-utf8.ts';
import { loggedName } from './logged-name.ts';
import { canBeStored, type LineReader, malformed, nothing, type Outcome, observed } from './rrset-format.ts';
import { secondsOf } from './sighting-fields.ts';
import { unescaped, type ZeekFields, ZeekLog } from './zeek-log.ts';

const a = typeOf('A');
const aaaa = typeOf('AAAA');
const ns = typeOf('NS');
const cname = typeOf('CNAME');
const ptr = typeOf('PTR');
const txt = typeOf('TXT');
const otherPorts: ReadonlySet<string | undefined> = new Set(['137', '5353', '5355']);

type Sets = Pick<Rrset, 'owner' | 'type' | 'rdata'>[];

function isPlainAnswer(fields: ZeekFields): boolean {
  const isTrue = (name: string) => ['T', 'true'].includes(fields.text(name) ?? '');
  const rcode = fields.text('rcode') ?? fields.text('rcode_name');
  const qclass = fields.text('qclass') ?? '1';
  return (
    (rcode === '0' || rcode === 'NOERROR') &&
    qclass === '1' &&
    !isTrue('rejected') &&
    !isTrue('TC') &&
    !otherPorts.has(fields.text('id.resp_p')) &&
    !otherPorts.has(fields.text('id.orig_p'))
  );
}

function isAddress(text: string): boolean {
  return parseRdata(a, text) !== undefined || parseRdata(aaaa, text) !== undefined;
}

/** A name among the answers; signatures and the like contain spaces or brackets. */
function answeredName(text: string): WireName | undefined {
  return /[\s<>]/.test(text) || isAddress(text) ? undefined : loggedName(text);
}

/** `TXT <length> <text>` for each string; the length delimits the text. */
function textRdata(answer: string): Uint8Array | undefined {
  const bytes = unescaped(answer);
  const strings: Buffer[] = [];
  let at = 0;
  while (at < bytes.length) {
    const head = /^TXT (\d{1,3}) /.exec(bytes.toString('latin1', at, at + 8));
    const length = Number(head?.[1] ?? 256);
    const start = at + (head?.[0].length ?? 0);
    const end = start + length;
    const isEnded = end === bytes.length || (end < bytes.length && bytes[end] === 0x20);
    if (length > 255 || !isEnded) return undefined;
    strings.push(Buffer.from([length]), bytes.subarray(start, end));
    at = end + 1;
  }
  return strings.length === 0 ? undefined : new Uint8Array(Buffer.concat(strings));
}

/** CNAMEs first, then the data of the last target. Undefined when an answer can be neither. */
function followAliases(
  query: WireName,
  type: number,
  answers: readonly string[],
  read: (answer: string) => Uint8Array | undefined,
): Sets | undefined {
  const sets: Sets = [];
  const rdata: Uint8Array[] = [];
  let owner = query;
  for (const answer of answers) {
    const data = read(answer);
    if (data !== undefined) {
      rdata.push(data);
      continue;
    }
    const target = rdata.length === 0 ? answeredName(answer) : undefined;
    if (target === undefined) return undefined;
    sets.push({ owner, type: cname, rdata: [target] });
    owner = target;
  }
  if (rdata.length > 0) sets.push({ owner, type, rdata });
  return sets;
}

/** Names that may be data or CNAME targets. Members of one RRset share a TTL; a CNAME among them usually has another. */
function namesOfOneSet(
  query: WireName,
  type: number,
  answers: readonly string[],
  ttls: readonly unknown[],
): Sets | undefined {
  // A zone has at least two name servers; a single answer to an NS question is more likely a CNAME.
  if (answers.length < (type === ns ? 2 : 1)) return undefined;
  if (answers.length > 1 && (ttls.length < answers.length || new Set(ttls).size > 1)) return undefined;
  const rdata = answers.map(answeredName);
  return rdata.every((name) => name !== undefined) ? [{ owner: query, type, rdata }] : undefined;
}

function infer(query: WireName, type: number, answers: readonly string[], ttls: readonly unknown[]) {
  if (type === a || type === aaaa)
    return followAliases(query, type, answers, (answer) => parseRdata(type, answer));
  if (type === txt) return followAliases(query, type, answers, textRdata);
  if (type === cname) return followAliases(query, type, answers, () => undefined);
  if (type === ns || type === ptr) return namesOfOneSet(query, type, answers, ttls);
  return undefined;
}

/** Signatures are interleaved with the answers. */
function isSignature(answer: string): boolean {
  return answer.startsWith('RRSIG ') || answer === '<unknown type=46>';
}

function readAnswer(fields: ZeekFields): Outcome {
  const given = fields.list('answers');
  if (given.length === 0 || !isPlainAnswer(fields)) return nothing;
  const seconds = secondsOf(fields.text('ts'));
  if (seconds === undefined) return malformed('ts is not a time');
  const query = loggedName(fields.text('query'));
  const type = typeNumber(`TYPE${fields.text('qtype') ?? ''}`) ?? typeNumber(fields.text('qtype_name') ?? '');
  if (query === undefined || type === undefined) return nothing;
  if (!given.every((answer) => typeof answer === 'string')) return malformed('answers are not texts');
  const answers = given.filter((answer) => !isSignature(answer));
  const sets = infer(query, type, answers, answers.length === given.length ? fields.list('TTLs') : []);
  if (sets?.some((set) => !canBeStored(set.rdata))) return malformed('the RRset is too large');
  const sighting = { firstSeconds: seconds, lastSeconds: seconds, count: 1 };
  return observed(
    (sets ?? []).map((set) => ({ ...set, ...sighting, origin: 'sensor', bailiwick: rootName })),
  );
}

export function zeekReader(): LineReader {
  const log = new ZeekLog();
  return {
    line(text) {
      if (text.trim() === '') return nothing;
      const line = log.line(text);
      if (line === 'header') return nothing;
      if (typeof line === 'string') return malformed(line);
      if ((line.text('_path') ?? log.path ?? 'dns') !== 'dns') return nothing;
      return hasInvalidUtf8(text) ? malformed('not UTF-8') : readAnswer(line);
    },
  };
}
