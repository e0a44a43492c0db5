import type { Format } from '../import-routes.tsx';
import { DropArea } from '../parts/drop-area.tsx';
import { type Frame, Page } from '../parts/layout.tsx';

/** Formats by topic. Other formats are in the last topic. */
export const TOPICS: readonly (readonly [title: string, formats: string])[] = [
  [
    'Chats',
    'whatsapp telegram signal imessage line sms-backup google-voice discord slack facebook instagram snapchat',
  ],
  ['Mail, calendar and contacts', 'gmail mail calendar google-calendar contacts'],
  ['Notes and journals', 'evernote notion day-one bear apple-notes google-keep markdown'],
  ['AI assistants', 'chatgpt claude claude-code codex'],
  ['Money and orders', 'bank-csv camt mt940 ofx qif ynab amazon'],
  ['Music, films and books', 'spotify lastfm listenbrainz netflix letterboxd trakt goodreads kindle'],
  ['Social networks', 'x mastodon reddit tiktok linkedin github'],
  [
    'Web and reading',
    'browser google-activity pocket raindrop readwise instapaper omnivore wallabag pinboard',
  ],
  ['Health, places and photos', 'apple-health strava tracks google-location google-photos'],
  ['Any other file', 'generic'],
];

/** Instructions for getting exports. */
export function FormatsPage({ formats, frame }: { formats: readonly Format[]; frame: Frame }) {
  return (
    <Page title="How to get an export" here="data" {...frame}>
      <p class="small">
        <a href="/dashboard/data">Data</a>
      </p>
      <h1>How to get an export</h1>
      <p class="lead">
        <span class="wide-only">
          Most services let you download your data. See where to find the export and how long it takes.
        </span>{' '}
        Upload the file as it is. You do not need to unzip or rename it.
      </p>
      <div class="card formats">
        {TOPICS.map(([title], at) => (
          <Topic title={title} formats={formats.filter(({ format }) => findTopicIndex(format) === at)} />
        ))}
      </div>
      <h2>Upload your export</h2>
      <DropArea csrf={frame.csrf} withGuide={false} />
    </Page>
  );
}

function findTopicIndex(format: string): number {
  const at = TOPICS.findIndex(([, names]) => names.split(' ').includes(format));
  return at === -1 ? TOPICS.length - 1 : at;
}

function Topic({ title, formats }: { title: string; formats: readonly Format[] }) {
  return (
    <details class="more">
      <summary>
        <h2>{title}</h2>
        <span class="end wide-only muted">{formats.map((one) => one.title).join(', ')}</span>
      </summary>
      {formats.map((one) => (
        <FormatGuide {...one} />
      ))}
    </details>
  );
}

function FormatGuide({ format, title, steps, waiting, choose }: Format) {
  return (
    <details class="more" id={format}>
      <summary>
        <h3>{title}</h3>
        <span class="end wide-only">{waiting}</span>
      </summary>
      <p class="muted">Waiting time: {waiting}</p>
      <ol>
        {steps.map((step) => (
          <li>{step}</li>
        ))}
      </ol>
      {choose !== undefined && <p>{choose}</p>}
    </details>
  );
}
