import type { CopiedTable } from '../copied-table.ts';

const desk = (name: string, distributed: string, ...key: string[]): CopiedTable => ({
  database: 'desk',
  embedded: name,
  distributed,
  key,
});

export const deskTables: readonly CopiedTable[] = [
  desk('investigation', 'investigation', 'id'),
  desk('node', 'investigation_node', 'number'),
  desk('item', 'investigation_item', 'number'),
  desk('change', 'investigation_change', 'id'),
];

/** Of streams whose lines are copied apart. */
export const streamTables: readonly CopiedTable[] = [
  {
    database: 'streams',
    embedded: 'mark',
    distributed: 'producer_mark',
    key: ['writer'],
    renamed: { writer: 'producer' },
  },
  {
    database: 'streams',
    embedded: 'reader',
    distributed: 'consumer_offset',
    key: ['stream', 'name'],
    renamed: { place: 'next_byte' },
  },
];

const images = (name: string, distributed: string, ...key: string[]): CopiedTable => ({
  database: 'images',
  embedded: name,
  distributed,
  key,
});

/** The bytes of images are copied with their rows. */
export const imageTable: CopiedTable = {
  ...images('image', 'image', 'hash'),
  leftOut: { distributed: ['object'] },
};

export const imageTables: readonly CopiedTable[] = [
  imageTable,
  { ...images('capture', 'capture', 'domain', 'captured_ms'), renamed: { replaced: 'is_replaced' } },
  images('failure', 'capture_failure', 'domain'),
  {
    ...images('tally', 'image_total', 'domains'),
    computed: { embedded: { id: () => 1 } },
    leftOut: { distributed: ['one'] },
    isNeverEmpty: true,
  },
  images('perceptual_quarter', 'perceptual_quarter', 'quarter', 'bits', 'perceptual_hash'),
  images('raw_body', 'raw_body', 'hash'),
  images('evidence_case', 'evidence_case', 'id'),
  images('evidence_part', 'evidence_part', 'case_id', 'number'),
  images('raw_answer', 'raw_answer', 'domain', 'kind', 'asked', 'hash'),
  {
    ...images('raw_total', 'raw_total', 'answers'),
    computed: { embedded: { id: () => 1 } },
    leftOut: { distributed: ['one'] },
    isNeverEmpty: true,
  },
];
