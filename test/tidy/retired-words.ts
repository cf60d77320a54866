/**
 * Words of the private vocabulary of 0.1.0, and what to write instead (docs/glossary.md). Each pattern is applied line by line to code,
 * comments, messages, test titles, file names and documents; `isFine` names the few legitimate uses.
 */

export interface RetiredWord {
  readonly word: string;
  readonly instead: string;
  readonly pattern: RegExp;
  readonly isFine?: (line: string, file: string) => boolean;
}

/** SQL keeps its historical table and column names, and so do stored names; renaming them would be a migration without benefit. */
const isStoredName = (line: string, file: string): boolean =>
  /stream: 'news', name: 'teller'/.test(line) ||
  (file === 'src/store-copy/tables/pipeline.ts' && line.includes("'untold'")) ||
  (file.startsWith('src/store/embedded/') &&
    /\b(?:select|insert|update|delete|from|into|where|create)\b|row\.told|readonly told|`untold`|walks?\.db|`walk`|'walks?'/.test(
      line,
    ));

export const retiredWords: readonly RetiredWord[] = [
  {
    word: 'tell, told, untold, teller',
    instead: 'publish, report, notify, say',
    pattern:
      /\b(?:tells?|told|untold|telling|teller)\b|[a-z](?:Told|Tell|Teller)\b|\b(?:tell|told|untold)[A-Z]/i,
    isFine: isStoredName,
  },
  {
    word: 'news',
    instead: 'changes, newly observed',
    pattern: /\bnews\b|[a-z]News\b|\bnews[A-Z]|\bNews[A-Z]/,
    // The world has news sites, and lists name them.
    isFine: (line, file) =>
      isStoredName(line, file) ||
      /^(?:world|test\/world|bench)\/|news[.-]|[.-]news|'news'/.test(file + line) ||
      file.includes('common-affixes'),
  },
  {
    word: 'a look, to look at',
    instead: 'a probe, to probe, to poll, to read',
    // To look like something, and to look something up, are plain English.
    pattern:
      /\b(?:looks?|looked|looking)\b(?! (?:like|alike|up|generated|wrong|right|for\b.*\bup)\b)|\btakeLook|\bLookOutcome|[a-z]Looks?\b/i,
    isFine: (line) =>
      /\b(?:looks? (?:it|them|things|one|what) up|looked[- ]up|look(?:s|ed)? (?:the same|similar|different|identical|valid|ordinary))\b|overlook|outlook|\/looked/i.test(
        line,
      ),
  },
  { word: 'to hear of', instead: 'to be notified, a callback', pattern: /\b(?:hears?|heard|hearing)\b/i },
  {
    word: 'place, mark (of a reader or writer)',
    instead: 'checkpoint, offset, position, producer mark',
    pattern:
      /\b(?:find|hold|move|release|remove|set|take|list|known|held|reader|news)Places?\b|\bremoveIdleMarks\b|\bMarkMove\b/,
  },
  {
    word: 'Sent, Asked, Asking, Wishes',
    instead: 'RawParameters, OperationContext, QueryHandler, ResponseOptions',
    pattern: /\b(?:Sent|SentValue|readSent|Asked|Asking|Wishes|wishes)\b/,
    // A sentence may begin with them.
    isFine: (line) => /(?:\*|\/\/|\.|^|')\s*(?:Sent|Asked|Asking)\s+[a-z]/.test(line),
  },
  {
    word: 'offer, understand, draw (of an operation)',
    instead: 'defineOperation, parse, charge',
    pattern:
      /\b(?:offerRest|createOffer(?!\(\))|Offer\b(?=[<,;)])|understand:|DrawOutcome|productDraw|[a-z]Draw\()/,
  },
  {
    word: 'walk',
    instead: 'scan, traversal, result snapshot',
    pattern: /\bwalk(?:s|ed|ing)?\b|\bwalk[A-Z]|[a-z]Walks?\b|\bWalks?\b/i,
    // A key that is derived with the old word, and a technique of the field.
    isFine: (line, file) => isStoredName(line, file) || /#keyed\('walk'|zone-walk/.test(line),
  },
  { word: 'standing', instead: 'AccessWatch, ListMembership', pattern: /\bstanding\b|Standing/ },
  {
    word: 'pace, politeness',
    instead: 'rate, time slice, host throttle',
    pattern: /\bpace\b|\bPace\b|politeness|PoliteTurns/i,
  },
  {
    word: 'turn (of work)',
    instead: 'time slice, mutex, yield to the event loop',
    pattern:
      /\b(?:its|their|own|next|a|each|takes?|took|whose|has|have|one's) turns?\b|\b(?:Session|Polite)Turns\b|\bnextTurn\b|[a-z]Turns?\b(?!\()|\bturnMs\b/,
  },
  {
    word: 'lane',
    instead: 'thread, leased workers',
    pattern: /\blanes?\b|\bLane\b|[a-z]Lane\b/,
    isFine: (_, file) => /^(?:world|test)\//.test(file),
  },
  {
    word: 'ServerLine, Starts, Passing',
    instead: 'CircuitBreaker, RateLimiter, isTransient',
    pattern: /\bServerLine\b|\bStarts\b(?=[({ ]*(?:per|\{|\())|\bisPassing\b/,
  },
  {
    word: 'EndedKeys, MissingLookup, LabelSums',
    instead: 'BloomFilter, DeletionNeighbourhood, RollingHash',
    pattern: /\b(?:EndedKeys|MissingLookup|LabelSums)\b/,
  },
  {
    word: 'Course, harmless, truth, Refusal',
    instead: 'ReadPlan, escapeForTerminal, booleanValue, InvalidValue',
    pattern: /\bCourse\b|\bharmless\(|\bharmless[A-Z]|harmless-text|\bRefusal\b|\btruth\(/,
  },
  {
    word: 'known lists, lone network, door, Outside',
    instead: 'reputation lists, network namespace, endpoint, egress',
    pattern:
      /\b[Kk]nown[- ]lists?\b|\bKnownLists?\b|\b[Ll]one\b(?! surrogate)|lone-network|\b[Dd]oors?\b|\bOutside\b(?=[ ,;)]*[{,;)])/,
    // The directory of data keeps its name.
    isFine: (line, file) =>
      /'known-lists'|known-lists\/misp|known-list-\$/.test(line) || /^(?:world|test)\//.test(file),
  },
  {
    word: 'take() as a catch-all',
    instead: 'a verb that says what is done: ingest, add, apply, acquire',
    pattern: /^\s*(?:async )?#?take(?:<[^>]*>)?\(|\.#?take\(/,
    // Iterators of the language have one.
    isFine: (line) => /\.values\(\)\.take\(|\.keys\(\)\.take\(/.test(line),
  },
  { word: 'whoever', instead: 'any process, every caller, a client that', pattern: /\bwhoever\b/i },
  { word: 'bears repetition', instead: 'is idempotent', pattern: /\bbears? (?:repetition|being done)/i },
  {
    word: 'goes on where it was',
    instead: 'resumes from its checkpoint',
    pattern: /\bgo(?:es)? on (?:where|from where)\b/i,
  },
  { word: 'of late, lately', instead: 'recently', pattern: /\bof late\b(?!\))|\blately\b/i },
];
