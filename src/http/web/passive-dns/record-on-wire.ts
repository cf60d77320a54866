/** Passive DNS in the words of the web UI. */
import { nameText } from '../../../model/dns/name.ts';
import { rdataText } from '../../../model/dns/rdata-text.ts';
import { typeText } from '../../../model/dns/rr-type.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import { addressOf, dnsdbqLine } from '../../../product/pdns/question/question-lines.ts';
import type { QuestionOptions } from '../../../product/pdns/question/question-query.ts';
import type { Question } from '../../../product/pdns/question/read-question.ts';
import type { Row, TextRow } from '../../../store/rrset-store.ts';
import { humanTime } from '../../pdns/record-text.ts';
import type { PassiveDnsRecord, QuestionView } from './passive-dns-wire.ts';

const rdataMax = 50;

export function recordOfRow(row: Row): PassiveDnsRecord {
  const { type, bailiwick, rdata } = row;
  return {
    rrname: nameText(row.owner),
    rrtype: typeText(type),
    bailiwick: bailiwick === undefined ? null : nameText(bailiwick),
    rdata: rdata.slice(0, rdataMax).map((member) => rdataText(type, member)),
    more_rdata: Math.max(0, rdata.length - rdataMax),
    count: row.count,
    first: humanTime(row.firstSeconds),
    last: humanTime(row.lastSeconds),
    origin: row.origin === 'zone' ? 'zone' : 'sensor',
  };
}

export function recordOfText(row: TextRow, over: 'names' | 'rdata'): PassiveDnsRecord {
  return {
    rrname: over === 'names' ? row.text : null,
    rrtype: typeText(row.type),
    bailiwick: null,
    rdata: over === 'names' ? [] : [row.text],
    more_rdata: 0,
    count: row.count,
    first: humanTime(row.firstSeconds),
    last: humanTime(row.lastSeconds),
    origin: 'any',
  };
}

export function questionOnWire(
  question: Question,
  options: QuestionOptions,
  { http, compat }: Pick<Settings, 'http' | 'compat'>,
): QuestionView {
  const { form, side, value } = question;
  return {
    form,
    side,
    value,
    address: http.mountPrefix + addressOf(question, options),
    dnsdbq: compat.profile === 'vendor' ? dnsdbqLine(question, options) : null,
  };
}
