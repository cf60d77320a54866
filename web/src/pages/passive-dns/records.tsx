import { Link } from '@tanstack/react-router';
import { type Foreign, foreign, plain } from '../../data/foreign.ts';
import { Text } from '../../parts/text.tsx';
import { Moment } from '../../parts/time.tsx';
import { ValueMenu } from '../../parts/value-menu.tsx';
import { WideTable } from '../../parts/wide-table.tsx';
import { number } from '../../words/language.ts';
import { passiveDnsWords as words } from '../../words/passive-dns.ts';
import type { PassiveDnsRecord, PassiveDnsRecords } from './passive-dns-data.ts';
import type { PassiveDnsSearchState } from './passive-dns-search.ts';

interface RecordsProps {
  readonly found: PassiveDnsRecords;
  readonly search: PassiveDnsSearchState;
  readonly go: (search: PassiveDnsSearchState) => void;
}

export function Records({ found, search, go }: RecordsProps) {
  const { cursor: before, raw: _raw, ...rest } = search;
  const isFlexible = found.question.form === 'glob' || found.question.form === 'regex';
  return (
    <>
      <div className="pdns-options">
        <label className="field inline">
          {words.order}
          <select
            value={found.sort}
            onChange={(event) => {
              const { cursor: _cursor, ...asked } = search;
              go({ ...asked, sort: event.target.value as 'name' | 'newest' });
            }}
          >
            <option value="newest">{words.orders.newest}</option>
            <option value="name">{words.orders.name}</option>
          </select>
        </label>
        {!isFlexible && (
          <label className="choice" title={words.rawHint}>
            <input
              type="checkbox"
              checked={search.raw === true}
              onChange={(event) => go(event.target.checked ? { ...rest, raw: true } : rest)}
            />
            {words.raw}
          </label>
        )}
      </div>
      <RecordTable records={found.records} />
      {found.more && (
        <p className="banner">{found.sort === 'newest' ? words.moreExistNewest : words.moreExist}</p>
      )}
      <p className="buttons start">
        {before !== undefined && (
          <Link to="/pdns" search={search.raw ? { ...rest, raw: true } : rest} className="button">
            {words.firstPage}
          </Link>
        )}
        {found.cursor !== null && (
          <Link to="/pdns" search={{ ...search, cursor: found.cursor }} className="button">
            {words.next}
          </Link>
        )}
      </p>
    </>
  );
}

function RecordTable({ records }: { records: readonly PassiveDnsRecord[] }) {
  const hasNames = records.some(({ rrname }) => rrname !== null);
  const hasData = records.some(({ rdata }) => rdata.length > 0);
  const { columns } = words;
  return (
    <WideTable label={words.label}>
      <table className="data-table pdns">
        <thead>
          <tr>
            {hasNames && <th scope="col">{columns.name}</th>}
            <th scope="col">{columns.type}</th>
            {hasData && <th scope="col">{columns.data}</th>}
            <th scope="col" className="number">
              {columns.count}
            </th>
            <th scope="col">{columns.first}</th>
            <th scope="col">{columns.last}</th>
            <th scope="col">{columns.source}</th>
          </tr>
        </thead>
        <tbody>
          {records.map((record, index) => (
            <tr key={index}>
              {hasNames && (
                <td className="mono">
                  {record.rrname !== null && <NameValue field="domain" name={record.rrname} />}
                </td>
              )}
              <td>
                <Text of={record.rrtype} />
              </td>
              {hasData && (
                <td className="mono">
                  {record.rdata.map((one, at) => (
                    <span key={at} className="line">
                      <Data type={record.rrtype} data={one} />
                    </span>
                  ))}
                  {record.more_rdata > 0 && <small>{words.moreData(record.more_rdata)}</small>}
                </td>
              )}
              <td className="number">{number(record.count)}</td>
              <td>
                <Moment at={record.first} />
              </td>
              <td>
                <Moment at={record.last} />
              </td>
              <td>{words.origins[record.origin]}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </WideTable>
  );
}

/** Names have a final dot here and nowhere else. */
const withoutDot = (name: Foreign): Foreign => foreign(plain(name).replace(/(?<=.)\.$/, ''));

function NameValue({ field, name }: { field: string; name: Foreign }) {
  return (
    <ValueMenu field={field} value={withoutDot(name)}>
      <Text of={name} />
    </ValueMenu>
  );
}

const fields: Readonly<Record<string, string>> = {
  A: 'ip',
  AAAA: 'ip',
  NS: 'nameserver_host',
  CNAME: 'domain',
  PTR: 'domain',
};

function Data({ type, data }: { type: Foreign; data: Foreign }) {
  const field = fields[plain(type)];
  return field === undefined ? <Text of={data} /> : <NameValue field={field} name={data} />;
}
