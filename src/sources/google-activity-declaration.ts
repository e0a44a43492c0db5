import { declareSource, describeObject, flag, list, selection, sensitive, text, time } from './declare.ts';

export const googleActivityDeclaration = declareSource('google_activity', 'Google activity', [
  {
    name: 'activity',
    description:
      'What was done with Google: searches, pages and places visited, apps used, questions to Gemini.',
    display: {
      label: 'Google activity',
      detail: 'Your searches, visited pages and other activity, with times.',
    },
    semantics: 'append_only',
    schema: sensitive(
      describeObject(['id'], {
        id: text(),
        title: text('As Google writes it, in the language of the account'),
        product: text('Search, Maps, Chrome, Gemini Apps, …'),
        query: text('The words of a search'),
        url: text(),
        occurred_at: time(),
        items: list('What else belongs to it: a channel, opened results'),
        details: list('Remarks of Google, such as that it came from an ad'),
        places: sensitive(list('Where it was done, as Google guessed it')),
        response: text('What the assistant answered'),
      }),
    ),
    primary_key: ['id'],
    cursor_field: 'occurred_at',
    consent_time_field: 'occurred_at',
    selection,
    views: [{ id: 'basic', label: 'What and when', fields: ['id', 'title', 'product', 'occurred_at'] }],
    query: { search: { lexical_fields: ['title', 'query', 'items', 'response'] } },
  },
  {
    name: 'watch_history',
    description: 'Videos and songs played on YouTube and YouTube Music.',
    display: {
      label: 'YouTube history',
      detail: 'The videos you watched, whose they are and when you watched them.',
    },
    semantics: 'append_only',
    schema: describeObject(['id'], {
      id: text(),
      title: text('Title of the video'),
      channel: text('Who published it'),
      channel_url: text(),
      video_id: text(),
      url: text(),
      product: text('YouTube, YouTube Music or YouTube Kids'),
      is_ad: flag('Whether it was shown as an ad'),
      watched_at: time(),
    }),
    primary_key: ['id'],
    cursor_field: 'watched_at',
    consent_time_field: 'watched_at',
    selection,
    views: [{ id: 'basic', label: 'What and when', fields: ['id', 'title', 'channel', 'watched_at'] }],
    query: { search: { lexical_fields: ['title', 'channel'] } },
  },
]);
