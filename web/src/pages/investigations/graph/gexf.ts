/** A graph as a GEXF 1.3 file, which Gephi and others read. */
import type { GraphModel } from './graph-model.ts';

export interface Position {
  readonly x: number;
  readonly y: number;
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** XML has no way to write control characters, nor halves of a pair. */
const xml = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[^\P{Cc}\t\n]|[\uFFFE\uFFFF]/gu, '\uFFFD')
    .replaceAll(/[&<>"']/g, (character) => escapes[character] ?? '');

export function gexfOf(
  { nodes, edges }: GraphModel,
  positions: ReadonlyMap<string, Position>,
  made: string,
): string {
  const nodeLines = nodes.map(({ key, kind, name, count, risk, domains }, index) => {
    const { x = 0, y = 0 } = positions.get(key) ?? {};
    return [
      `<node id="${index}" label="${xml(name)}">`,
      '<attvalues>',
      `<attvalue for="kind" value="${kind}"/><attvalue for="count" value="${count}"/>`,
      risk === null ? '' : `<attvalue for="risk" value="${risk}"/>`,
      kind === 'domain' && count > 1 ? `<attvalue for="members" value="${xml(domains.join(' '))}"/>` : '',
      '</attvalues>',
      `<viz:position x="${x.toFixed(3)}" y="${y.toFixed(3)}"/>`,
      '</node>',
    ].join('');
  });
  const edgeLines = edges.map(
    ([source, target], index) => `<edge id="${index}" source="${source}" target="${target}"/>`,
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<gexf xmlns="http://gexf.net/1.3" xmlns:viz="http://gexf.net/1.3/viz" version="1.3">',
    `<meta lastmodifieddate="${made.slice(0, 10)}"><creator>Nameglass</creator></meta>`,
    '<graph defaultedgetype="undirected">',
    '<attributes class="node">',
    '<attribute id="kind" title="kind" type="string"/><attribute id="count" title="count" type="integer"/>',
    '<attribute id="risk" title="risk" type="integer"/><attribute id="members" title="members" type="string"/>',
    '</attributes>',
    '<nodes>',
    ...nodeLines,
    '</nodes>',
    '<edges>',
    ...edgeLines,
    '</edges>',
    '</graph>',
    '</gexf>',
    '',
  ].join('\n');
}
