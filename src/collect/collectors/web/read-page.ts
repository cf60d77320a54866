/**
 * Reads title, meta refresh and tracker codes from an HTML page. Works on tokens without building a DOM, whose depth a hostile page
 * controls, and in slices, yielding to the event loop in between.
 */

import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import { yieldToEventLoop } from '../../../concurrency/event-loop-slices.ts';
import { truncateText } from '../truncate-text.ts';
import { TrackerSearch, type Trackers } from './tracker-search.ts';

export interface Page {
  readonly title: string;
  /** The URL of a meta refresh as written, where its delay is short. */
  readonly refreshTo: string | undefined;
  readonly trackers: Trackers;
}

const sliceLength = 16_384;
/** As long as can be searched for. */
const titleLengthMax = 512;
const keptLengthMax = 4096;
const tagLengthMax = 32;
const refreshSecondsMax = 30;

/** Seconds, then the URL, quoted or not. */
const refreshPattern =
  /^\s{0,20}(\d{0,6})(?:\.\d{0,6})?\s{0,20}[;,\s]\s{0,20}(?:url\s{0,20}=\s{0,20})?(.+)$/is;

export async function readPage(text: string, host: string): Promise<Page> {
  const reader = new PageReader(text);
  const tokenizer = new Tokenizer({}, reader);
  for (let at = 0; at < text.length; at += sliceLength) {
    tokenizer.write(text.slice(at, at + sliceLength));
    await yieldToEventLoop();
  }
  tokenizer.end();
  return reader.page(host);
}

class PageReader implements TokenizerCallbacks {
  readonly #text: string;
  readonly #trackers = new TrackerSearch();
  #tag = '';
  #attribute = '';
  #value = '';
  #kind: string | undefined;
  #content: string | undefined;
  #isIn: 'title' | 'script' | undefined;
  #isTitleOver = false;
  #isInSvg = false;
  #isInNoscript = false;
  #title = '';
  #refreshTo: string | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  page(host: string): Page {
    const title = this.#title
      .toWellFormed()
      .replaceAll(/[\s\p{Cc}]+/gu, ' ')
      .trim();
    return {
      title: truncateText(title, titleLengthMax).trim(),
      refreshTo: this.#refreshTo,
      trackers: this.#trackers.end(host),
    };
  }

  onopentagname(start: number, end: number): void {
    this.#tag = this.#nameAt(start, end);
    this.#kind = undefined;
    this.#content = undefined;
  }

  onattribname(start: number, end: number): void {
    this.#attribute = this.#nameAt(start, end);
    this.#value = '';
  }

  onattribdata(start: number, end: number): void {
    this.#appendValue(this.#text.slice(start, end));
  }

  onattribentity(codePoint: number): void {
    this.#appendValue(String.fromCodePoint(codePoint));
  }

  onattribend(): void {
    if (this.#attribute === 'http-equiv') this.#kind ??= this.#value;
    else if (this.#attribute === 'content') this.#content ??= this.#value;
    this.#trackers.addBoundary();
  }

  onopentagend(): void {
    if (this.#tag === 'meta') this.#readMeta();
    else if (this.#tag === 'script') this.#isIn = 'script';
    else if (this.#tag === 'svg') this.#isInSvg = true;
    else if (this.#tag === 'noscript') this.#isInNoscript = true;
    else if (this.#tag === 'title' && !this.#isInSvg && !this.#isTitleOver) this.#isIn = 'title';
  }

  onselfclosingtag(): void {
    if (this.#tag !== 'svg') this.onopentagend();
  }

  onclosetag(start: number, end: number): void {
    const tag = this.#nameAt(start, end);
    if (tag === 'svg') this.#isInSvg = false;
    if (tag === 'noscript') this.#isInNoscript = false;
    if (tag === 'script') this.#trackers.addBoundary();
    if (tag === 'title' && this.#isIn === 'title') this.#isTitleOver = true;
    if (tag === this.#isIn) this.#isIn = undefined;
  }

  ontext(start: number, end: number): void {
    if (this.#isIn === 'script') this.#trackers.addText(this.#text.slice(start, end));
    else if (this.#isIn === 'title') this.#appendTitle(this.#text.slice(start, end));
  }

  ontextentity(codePoint: number): void {
    if (this.#isIn === 'title') this.#appendTitle(String.fromCodePoint(codePoint));
  }

  isInForeignContext(): boolean {
    return this.#isInSvg;
  }

  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}

  #nameAt(start: number, end: number): string {
    return end - start > tagLengthMax ? '' : this.#text.slice(start, end).toLowerCase();
  }

  #appendValue(text: string): void {
    this.#trackers.addText(text);
    if (this.#tag === 'meta' && this.#value.length < keptLengthMax)
      this.#value = truncateText(this.#value + text, keptLengthMax);
  }

  #appendTitle(text: string): void {
    if (this.#title.length < keptLengthMax) this.#title = truncateText(this.#title + text, keptLengthMax);
  }

  /** A refresh inside `noscript` hardly affects any visitor. */
  #readMeta(): void {
    if (this.#kind?.trim().toLowerCase() !== 'refresh' || this.#isInNoscript) return;
    const [, seconds = '', address = ''] = refreshPattern.exec(this.#content ?? '') ?? [];
    if (Number(seconds) > refreshSecondsMax) return;
    const quoted = /^\s*(["'])(.*?)\1/s.exec(address)?.[2];
    this.#refreshTo ??= (quoted ?? address).trim() || undefined;
  }
}
