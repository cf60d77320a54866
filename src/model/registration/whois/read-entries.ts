/**
 * Splits a WHOIS record into entries: a key with the values beside and below it. Knows the layouts of registries (`key: value`,
 * `key....: value`, `[Key] value`, headings, sentences such as "Record created on …") but not their meaning.
 */
import { meaningOf } from './key-meaning.ts';
import type { Meaning } from './whois-keys.ts';

export interface Entry {
  /** Undefined for an unknown key. */
  readonly meaning: Meaning | undefined;
  /** The value on the same line; empty for a heading. */
  readonly beside: string;
  /** Lines below without a key of their own. */
  readonly below: readonly string[];
  /** Number of the paragraph; an empty line starts the next. */
  readonly paragraph: number;
}

interface OpenEntry extends Entry {
  readonly below: string[];
  readonly indent: number;
}

export const textLengthMax = 65_536;
const linesMax = 1000;
const lineLengthMax = 2000;
const keyLengthMax = 160;
const belowMax = 40;

const comment = /^(?:%+|#+|;+|\*+|\/\/|>>>|<<<|-{3,}|={3,}|REM\b)/;
const bracketed = /^(?:[a-z]\.?\s?)?\[([^\][]{1,60})\]\s*(.*)$/;
const dotted = /^([A-Za-z][A-Za-z /-]{1,39})\.{1,40}\s{1,40}(\S.*)$/;
/** A key with a hyphen, and its value in a column of its own. */
const columns = /^([A-Za-z]{1,30}[-_][A-Za-z_-]{1,30})\s{2,40}(\S.*)$/;
/** The class of the object before each key, as RWhois writes. */
const withClass = /^domain:(?=[A-Za-z-]{1,40}(?:;I)?:)/;
/** "Language: en" or "[Nservers]" */
const label = /^(?:\p{L}[\p{L}./-]{0,30}(?: [\p{L}./-]{1,30}){0,2}\s{0,9}:(?:\s|$)|\[[^\]]{1,60}\]$)/u;
const sentence =
  /^((?:record |domain )?(?:name )?(?:was )?(?:created|registered|expires?|will expire|commenced)(?: on| until)?)\s{1,3}(.+)$/i;

/** Of the part of a text that is read at all. */
export function readEntries(whole: string): readonly Entry[] {
  const text = whole.slice(0, textLengthMax);
  const entries: OpenEntry[] = [];
  let [paragraph, isAfterBlank] = [0, true];
  let open: OpenEntry | undefined;
  let section: OpenEntry | undefined;
  for (const raw of text.split(text.includes('\n') ? '\n' : '\r', linesMax)) {
    const line = raw.slice(0, lineLengthMax).trimEnd();
    const trimmed = line.trimStart();
    const content = (findCommentHeading(trimmed) ?? trimmed).replace(withClass, '');
    if (content === '' || comment.test(content)) {
      // A line of dashes underlines a heading.
      if (/^[-=]/.test(content)) continue;
      if (!isAfterBlank) paragraph += 1;
      isAfterBlank = true;
      continue;
    }
    const position = { indent: indentOf(line), isAfterBlank };
    // A continuation line may start with a colon.
    const isMore = content.startsWith(':');
    const keyed: Keyed | undefined = isMore ? undefined : splitLine(content, isAfterBlank, open);
    const found = [open, section].find((entry) => entry !== undefined && (isMore || holds(entry, position)));
    const holder = found === section && isStreet(open) ? open : found;
    if (keyed !== undefined && (keyed.meaning !== undefined || holder === undefined)) {
      const entry: OpenEntry = { ...keyed, below: [], paragraph, indent: position.indent };
      entries.push(entry);
      open = entry;
      if (startsSection(entry)) section = entry;
      else if (section?.paragraph !== paragraph) section = undefined;
    } else if (holder === undefined) open = undefined;
    else if (holder.below.length < belowMax && !isUnknownLabel(content))
      holder.below.push(content.replace(/^:\s*/, ''));
    isAfterBlank = false;
  }
  return entries;
}

/** A key of no interest to us is not a line of an address. */
function isUnknownLabel(content: string): boolean {
  return label.test(content);
}

interface LinePosition {
  readonly indent: number;
  readonly isAfterBlank: boolean;
}

/** Whether a line without a key belongs to the entry above. */
function holds(open: OpenEntry, { indent, isAfterBlank }: LinePosition): boolean {
  const isWaiting = open.beside === '' && open.below.length === 0;
  if (isWaiting) return open.meaning !== undefined;
  if (isAfterBlank) return false;
  return indent > open.indent || open.meaning?.is === 'role' || open.beside === '';
}

/** The line after a street is of the same address. */
function isStreet(entry: OpenEntry | undefined): boolean {
  return entry?.meaning?.is === 'field' && entry.meaning.field === 'street';
}

/** Keys inside an address block do not end it. */
function startsSection({ meaning, beside }: Entry): boolean {
  return meaning?.is === 'role' && meaning.role !== 'none' && beside === '';
}

type Keyed = Pick<Entry, 'meaning' | 'beside'>;

function splitLine(content: string, isAfterBlank: boolean, open: OpenEntry | undefined): Keyed | undefined {
  const bracket = bracketed.exec(content);
  if (bracket) return { meaning: meaningOf(bracket[1] ?? ''), beside: (bracket[2] ?? '').trim() };
  const colon = content.slice(0, keyLengthMax).search(/[:：]/);
  if (colon > 0 && !content.startsWith('//', colon + 1) && /\p{L}/u.test(content.slice(0, colon))) {
    const meaning = meaningOf(content.slice(0, colon));
    if (meaning !== undefined) return { meaning, beside: valueIn(content.slice(colon + 1)) };
  }
  const [, said, when] = sentence.exec(content) ?? [];
  if (said !== undefined && when !== undefined && /\d/.test(when)) {
    const meaning = meaningOf(said);
    if (meaning !== undefined) return { meaning, beside: when.replace(/^[:. ]+/, '') };
  }
  const [, left, right] =
    /^([^\t]{2,40})\t+(.+)$/.exec(content) ?? columns.exec(content) ?? dotted.exec(content) ?? [];
  if (left !== undefined && right !== undefined) {
    const meaning = meaningOf(left);
    // A single dot more often ends a sentence than a key.
    const isSentence = content.startsWith('. ', left.length) && meaning?.is !== 'field';
    if (meaning !== undefined && !isSentence) return { meaning, beside: right.trim() };
  }
  return colon > 0
    ? { meaning: undefined, beside: content.slice(colon + 1).trim() }
    : headingIn(content, isAfterBlank, open);
}

/** Without the dots that some registries write after the colon. */
function valueIn(text: string): string {
  return text.trim().replace(/^\.{2,60}\s*/, '');
}

/** A line that consists of a role, at the start of a paragraph. */
function headingIn(content: string, isAfterBlank: boolean, open: OpenEntry | undefined): Keyed | undefined {
  const mayBeHeading = isAfterBlank || open?.meaning?.is !== 'role' || open.meaning.role === 'none';
  if (!mayBeHeading || content.length > 60) return undefined;
  const meaning = meaningOf(content);
  return meaning?.is === 'role' ? { meaning, beside: '' } : undefined;
}

/** Some registries write headings as comments: "% Registrant:". */
function findCommentHeading(content: string): string | undefined {
  const [, heading] = /^[%#] ?([A-Z][A-Za-z -]{3,30}:)$/.exec(content) ?? [];
  return heading !== undefined && meaningOf(heading)?.is === 'role' ? heading : undefined;
}

function indentOf(line: string): number {
  let indent = 0;
  for (const character of line) {
    if (character === '\t') indent += 8;
    else if (character === ' ') indent += 1;
    else break;
  }
  return indent;
}
