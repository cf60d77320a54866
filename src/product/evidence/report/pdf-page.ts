/**
 * Paper for a report: headings, paragraphs, tables and pictures, with page numbers. Everything written on it is plain text, without links, and
 * characters that the fonts lack are written by their number, so that nothing is invisible.
 */
import { createRequire } from 'node:module';
import { plainText } from '../plain-text.ts';

interface Box {
  readonly width?: number;
  readonly lineGap?: number;
  readonly lineBreak?: boolean;
  readonly fit?: readonly [number, number];
  readonly align?: 'center';
}

/** As much of pdfkit as is used. */
interface Pdf {
  x: number;
  y: number;
  readonly page: { readonly width: number; readonly height: number; margins: { bottom: number } };
  readonly _font: { readonly font: { hasGlyphForCodePoint(codePoint: number): boolean } };
  registerFont(name: string, path: string): Pdf;
  font(name: string): Pdf;
  fontSize(size: number): Pdf;
  fillColor(colour: string): Pdf;
  strokeColor(colour: string): Pdf;
  text(text: string, x?: number, y?: number, options?: Box): Pdf;
  heightOfString(text: string, options?: Box): number;
  moveTo(x: number, y: number): Pdf;
  lineTo(x: number, y: number): Pdf;
  lineWidth(width: number): Pdf;
  rect(x: number, y: number, width: number, height: number): Pdf;
  stroke(): Pdf;
  image(bytes: Buffer, x: number, y: number, options: Box): Pdf;
  addPage(): Pdf;
  bufferedPageRange(): { readonly start: number; readonly count: number };
  switchToPage(page: number): Pdf;
  on(event: 'data', listener: (chunk: Buffer) => void): Pdf;
  on(event: 'end', listener: () => void): Pdf;
  on(event: 'error', listener: (error: Error) => void): Pdf;
  end(): void;
}

// Not by import: it has no declarations.
const require = createRequire(import.meta.url);

const margin = 56;
const lineColour = '#b8c2cb';
const fonts = {
  regular: require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
  bold: require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'),
  mono: require.resolve('dejavu-fonts-ttf/ttf/DejaVuSansMono.ttf'),
};
/** A domain with hundreds of answers would fill hundreds of pages. */
const pagesMax = 400;

export class PdfPage {
  readonly #pdf: Pdf;
  readonly #finished: Promise<Buffer>;

  constructor(title: string, madeMs: number) {
    const Document = require('pdfkit') as new (options: object) => Pdf;
    this.#pdf = new Document({
      size: 'A4',
      margin,
      bufferPages: true,
      font: fonts.regular,
      info: { Title: plainText(title), Producer: 'Nameglass', CreationDate: new Date(madeMs) },
    });
    for (const [name, path] of Object.entries(fonts)) this.#pdf.registerFont(name, path);
    this.#finished = new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      this.#pdf.on('data', (chunk) => chunks.push(chunk));
      this.#pdf.on('end', () => resolve(Buffer.concat(chunks)));
      this.#pdf.on('error', reject);
    });
  }

  title(text: string, below: string): void {
    this.#use('bold', 20, '#10202e');
    this.#write(text, 300);
    this.#use('regular', 10, '#5a6772');
    this.#write(below, 300);
    this.gap(8);
  }

  /** `room`: for it and what must be on the same page. */
  heading(text: string, room = 100): void {
    this.#room(room);
    this.gap(8);
    this.#use('bold', 12, '#10202e');
    this.#write(text, 300);
    const { x, y } = this.#pdf;
    this.#pdf
      .lineWidth(0.5)
      .strokeColor(lineColour)
      .moveTo(x, y + 2)
      .lineTo(x + this.#width, y + 2)
      .stroke();
    this.gap(7);
  }

  paragraph(text: string): void {
    this.#use('regular', 9, '#10202e');
    this.#write(text, 2000);
    this.gap(4);
  }

  code(text: string): void {
    this.#use('mono', 8, '#10202e');
    this.#write(text, 500);
    this.gap(3);
  }

  /**
   * Rows of cells in columns, whose widths are shares of the page. A cell more than there are columns stands below the last one. On each
   * page the header is repeated.
   */
  table(shares: readonly number[], header: readonly string[], rows: readonly (readonly string[])[]): void {
    const sum = shares.reduce((all, share) => all + share, 0);
    const widths = shares.map((share) => (share / sum) * this.#width);
    if (header.length > 0) this.#row(widths, header, 'bold');
    for (const row of rows) this.#row(widths, row, 'regular', header);
    this.gap(4);
  }

  picture(bytes: Uint8Array, caption: string): void {
    const [width, height] = [this.#width, 330];
    this.#room(height + 30);
    const { x, y } = this.#pdf;
    try {
      this.#pdf.image(Buffer.from(bytes), x, y, { fit: [width, height], align: 'center' });
      this.#pdf.lineWidth(0.5).strokeColor(lineColour).rect(x, y, width, height).stroke();
      this.#pdf.x = x;
      this.#pdf.y = y + height + 6;
    } catch {
      this.paragraph('The picture is in the pack, but could not be drawn here.');
    }
    this.#use('regular', 8, '#5a6772');
    this.#write(caption, 600);
    this.gap(8);
  }

  newPage(): void {
    if (this.#pdf.bufferedPageRange().count < pagesMax) this.#pdf.addPage();
  }

  gap(points: number): void {
    this.#pdf.y += points;
  }

  /** Adds the foot of each page. */
  async finish(foot: string): Promise<Buffer> {
    const { start, count } = this.#pdf.bufferedPageRange();
    for (let page = start; page < start + count; page += 1) {
      this.#pdf.switchToPage(page);
      // Text below the margin would otherwise begin a page.
      this.#pdf.page.margins.bottom = 0;
      this.#use('regular', 7, '#5a6772');
      const text = this.#drawable(`${foot} · page ${page + 1} of ${count}`, 200);
      this.#pdf.text(text, margin, this.#pdf.page.height - 36, { width: this.#width, lineBreak: false });
    }
    this.#pdf.end();
    return this.#finished;
  }

  get #width(): number {
    return this.#pdf.page.width - 2 * margin;
  }

  #row(
    widths: readonly number[],
    cells: readonly string[],
    font: 'regular' | 'bold',
    header: readonly string[] = [],
  ): void {
    const drawn = cells.map((cell, at) =>
      this.#cell(cell, widths[Math.min(at, widths.length - 1)] ?? 0, font),
    );
    const [columns, below] = [drawn.slice(0, widths.length), drawn[widths.length]];
    const firstHeight = Math.max(...columns.map((cell) => cell.height));
    const height = below ? Math.max(firstHeight, (columns.at(-1)?.height ?? 0) + below.height) : firstHeight;
    if (this.#room(height + 4) && header.length > 0) this.#row(widths, header, 'bold');
    const { x: left, y: top } = this.#pdf;
    let x = left;
    for (const [at, cell] of columns.entries()) {
      cell.draw(x, top);
      if (below && at === widths.length - 1) below.draw(x, top + cell.height);
      x += widths[at] ?? 0;
    }
    this.#pdf.x = left;
    this.#pdf.y = top + height + 4;
    if (header.length === 0) return;
    const line = this.#pdf.y - 2.5;
    this.#pdf
      .lineWidth(0.25)
      .strokeColor('#e1e6ea')
      .moveTo(left, line)
      .lineTo(left + this.#width, line)
      .stroke();
  }

  /** A checksum is one line, as large as it fits. */
  #cell(cell: string, columnWidth: number, font: 'regular' | 'bold') {
    const width = columnWidth - 8;
    const isHash = /^[0-9a-f]{40,64}$/.test(cell);
    const use = () =>
      isHash
        ? this.#use('mono', Math.min(7, width / (cell.length * 0.61)), '#10202e')
        : this.#use(font, 8, font === 'bold' ? '#5a6772' : '#10202e');
    use();
    const text = this.#drawable(cell, 600);
    return {
      height: this.#pdf.heightOfString(text, { width, lineGap: 1 }),
      draw: (x: number, y: number) => {
        use();
        this.#pdf.text(text, x, y, { width, lineGap: 1 });
      },
    };
  }

  /** Whether a page was begun for it. */
  #room(height: number): boolean {
    const { y, page } = this.#pdf;
    const isFull = y + height > page.height - margin;
    if (isFull) this.newPage();
    return isFull;
  }

  #use(font: 'regular' | 'bold' | 'mono', size: number, colour: string): void {
    this.#pdf.font(font).fontSize(size).fillColor(colour);
  }

  #write(text: string, lengthMax: number): void {
    this.#pdf.text(this.#drawable(text, lengthMax), margin, this.#pdf.y, {
      width: this.#width,
      lineGap: 1.5,
    });
  }

  #drawable(text: string, lengthMax: number): string {
    // oxlint-disable-next-line no-underscore-dangle -- there is no other way to find out which characters a font has
    const { font } = this.#pdf._font;
    const drawn = Array.from(plainText(text, lengthMax), (character) => {
      const codePoint = character.codePointAt(0) ?? 0;
      return font.hasGlyphForCodePoint(codePoint) ? character : `[U+${codePoint.toString(16).toUpperCase()}]`;
    });
    return drawn.join('');
  }
}
