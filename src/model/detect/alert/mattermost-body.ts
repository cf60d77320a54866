/**
 * A message for an incoming webhook of Mattermost, in its Markdown. What third parties wrote is code: a mention, a channel, a hashtag, a link or
 * an emoji in it remains text.
 */
import { type EventSummary, summarizeCount, summarizeEvent } from './event-summary.ts';
import { type AlertMessage, testSentence } from './message.ts';

export function mattermostBody(message: AlertMessage): string {
  const { events, webUrl } = message;
  const lines = [
    events.length === 0 ? testSentence : `**${summarizeCount(events)}**`,
    ...events.map((event) => lineOf(summarizeEvent(event, message))),
    ...(webUrl === undefined ? [] : [`[Open Nameglass](${webUrl}/ui/triage)`]),
  ];
  return JSON.stringify({ text: lines.join('\n') });
}

function lineOf({ title, time, name, about }: EventSummary): string {
  return `- **${title}** ${code(name)}, ${time}${about === '' ? '' : `: ${code(about)}`}`;
}

/** Code ends at the next backtick, and has no escapes. */
function code(text: string): string {
  return `\`${text.replaceAll('`', "'")}\``;
}
