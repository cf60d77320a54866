/**
 * A message for an incoming webhook of Slack (https://docs.slack.dev/messaging/formatting-message-text). What third parties wrote is code, in
 * which neither mentions nor links work, with the three characters escaped that begin and end them; `verbatim` turns off links from plain names.
 */
import { type EventSummary, summarizeCount, summarizeEvent } from './event-summary.ts';
import { type AlertMessage, testSentence } from './message.ts';

export function slackBody(message: AlertMessage): string {
  const { events, webUrl } = message;
  const title = events.length === 0 ? testSentence : summarizeCount(events);
  return JSON.stringify({
    // For notifications.
    text: title,
    mrkdwn: false,
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: title, emoji: false } },
      ...events.map((event) => section(lineOf(summarizeEvent(event, message)))),
      ...(webUrl === undefined ? [] : [section(`<${webUrl}/ui/triage|Open Nameglass>`)]),
    ],
  });
}

function section(text: string): object {
  return { type: 'section', text: { type: 'mrkdwn', text, verbatim: true } };
}

function lineOf({ title, time, name, about }: EventSummary): string {
  return `*${title}* ${code(name)}\n${time}${about === '' ? '' : `: ${code(about)}`}`;
}

function code(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `\`${escaped.replaceAll('`', "'")}\``;
}
