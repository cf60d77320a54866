/**
 * An adaptive card for a workflow of Microsoft Teams that posts what a webhook receives. The runs of a rich text block are shown as they are:
 * unlike in a text block, nothing in them is markup.
 */
import { type EventSummary, summarizeCount, summarizeEvent } from './event-summary.ts';
import { type AlertMessage, testSentence } from './message.ts';

export function teamsBody(message: AlertMessage): string {
  const { events, webUrl } = message;
  const title = events.length === 0 ? testSentence : summarizeCount(events);
  const card = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    msteams: { width: 'Full' },
    body: [
      { type: 'TextBlock', text: title, weight: 'Bolder', size: 'Medium', wrap: true },
      ...events.map((event) => blockOf(summarizeEvent(event, message))),
    ],
    ...(webUrl === undefined
      ? {}
      : { actions: [{ type: 'Action.OpenUrl', title: 'Open Nameglass', url: `${webUrl}/ui/triage` }] }),
  };
  const contentType = 'application/vnd.microsoft.card.adaptive';
  return JSON.stringify({ type: 'message', attachments: [{ contentType, contentUrl: null, content: card }] });
}

function blockOf({ title, time, name, about }: EventSummary): object {
  return {
    type: 'RichTextBlock',
    inlines: [
      run(`${title} `, { weight: 'Bolder' }),
      run(withoutTags(name), { fontType: 'Monospace' }),
      run(` ${time}${about === '' ? '' : ': '}`, { isSubtle: true }),
      ...(about === '' ? [] : [run(withoutTags(about), { fontType: 'Monospace' })]),
    ],
  };
}

function run(text: string, style: object): object {
  return { type: 'TextRun', text, ...style };
}

/** A mention is `<at>name</at>`, wherever it is. */
function withoutTags(text: string): string {
  return text.replaceAll('<', '‹').replaceAll('>', '›');
}
