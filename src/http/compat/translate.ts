/** Translates between the client's names and ours, by the tables of `words.ts`. Everything behind the HTTP layer uses ours. */
import {
  booleanParameters,
  fieldWords,
  parameterWords,
  pythonTimeParameters,
  queryMarks,
  recordMembers,
  valueWords,
  zuluMembers,
} from './words.ts';

const neutralParameter = new Map(parameterWords.map(([neutral, vendor]) => [vendor, neutral]));
const vendorField = new Map(fieldWords);
const neutralValue = new Map(valueWords.map(([name, neutral, vendor]) => [`${name}=${vendor}`, neutral]));
const vendorValue = new Map(valueWords.map(([name, neutral, vendor]) => [`${name}=${neutral}`, vendor]));

const pythonTime = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{6})?$/;

export function neutralName(parameter: string): string {
  return neutralParameter.get(parameter) ?? parameter;
}

export function neutralText(parameter: string, value: string): string {
  if ((value === 'True' || value === 'False') && booleanParameters.includes(parameter))
    return value.toLowerCase();
  if (pythonTimeParameters.includes(parameter) && pythonTime.test(value)) return `${value}Z`;
  return neutralValue.get(`${parameter}=${value}`) ?? value;
}

/** Whether a text that starts with this mark is written in the query language. */
export function isQueryMark(word: string): boolean {
  return queryMarks.some((mark) => mark.toLowerCase() === word.toLowerCase());
}

/** A response in the client's names: the same value with members renamed, in the same order. */
export function inVendorWords(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return vendorValue.get(`${name}=${value}`) ?? vendorTime(value, name);
  if (Array.isArray(value)) return value.map((item) => inVendorWords(item, name));
  if (typeof value !== 'object' || value === null) return value;
  const renamed = Object.fromEntries(
    Object.entries(value).map(([member, inner]) => [
      vendorField.get(member) ?? member,
      inVendorWords(inner, member),
    ]),
  );
  const { known, risk, unscored } = recordMembers;
  return known in renamed && !(risk in renamed) ? { ...renamed, [risk]: unscored } : renamed;
}

function vendorTime(value: string, name: string): string {
  return zuluMembers.includes(name) && /^\d{4}-\d\d-\d\dT[\d:.]+\+00:00$/.test(value)
    ? `${value.slice(0, -'+00:00'.length)}Z`
    : value;
}
