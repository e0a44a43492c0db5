import { declareSource, declareStream } from '../declare.ts';

export const googleActivityDeclaration = declareSource('google_activity', 'Google activity', [
  declareStream('activity', 'Google activity', {
    description:
      'What was done with Google: searches, pages and places visited, apps used, questions to Gemini.',
    detail: 'Your searches, visited pages and other activity, with times.',
    semantics: 'append_only',
    time: 'occurred_at',
    isSensitive: true,
    view: { label: 'What and when', fields: ['id', 'title', 'product', 'occurred_at'] },
    fields: {
      id: 'text',
      title: 'text, search: As Google writes it, in the language of the account',
      product: 'text: Search, Maps, Chrome, Gemini Apps, …',
      query: 'text, search: The words of a search',
      url: 'text',
      occurred_at: 'time',
      items: 'list, search: What else belongs to it: a channel, opened results',
      details: 'list: Remarks of Google, such as that it came from an ad',
      places: 'list, sensitive: Where it was done, as Google guessed it',
      response: 'text, search: What the assistant answered',
      files: 'list, search: Names of files that were attached to a prompt',
    },
  }),
  declareStream('watch_history', 'YouTube history', {
    description: 'Videos and songs played on YouTube and YouTube Music.',
    detail: 'The videos you watched, whose they are and when you watched them.',
    semantics: 'append_only',
    time: 'watched_at',
    view: { label: 'What and when', fields: ['id', 'title', 'channel', 'watched_at'] },
    fields: {
      id: 'text',
      title: 'text, search: Title of the video',
      channel: 'text, search: Who published it',
      channel_url: 'text',
      video_id: 'text',
      url: 'text',
      product: 'text: YouTube, YouTube Music or YouTube Kids',
      is_ad: 'flag: Whether it was shown as an ad',
      watched_at: 'time',
    },
  }),
  declareStream('subscriptions', 'YouTube subscriptions', {
    description: 'Channels on YouTube that the owner follows.',
    detail: 'The channels you follow.',
    fields: { id: 'text', title: 'text, search: Name of the channel', url: 'text' },
  }),
  declareStream('playlists', 'YouTube playlists', {
    description: 'Playlists that the owner keeps on YouTube.',
    detail: 'Your playlists and who can see them.',
    time: 'created_at',
    fields: {
      id: 'text',
      title: 'text, search',
      visibility: 'text: As YouTube calls it: private, unlisted, public',
      created_at: 'time',
      updated_at: 'time',
    },
  }),
  declareStream('playlist_videos', 'Videos in playlists', {
    description:
      'Videos in the playlists, among them what is to be watched later. Their titles are not exported.',
    detail: 'Which videos you put into playlists and when.',
    semantics: 'append_only',
    time: 'added_at',
    fields: {
      id: 'text',
      playlist: 'text, search: Name of the playlist',
      video_id: 'text',
      url: 'text',
      added_at: 'time',
    },
  }),
  declareStream('comments', 'YouTube comments', {
    description: 'Comments that the owner wrote on YouTube.',
    detail: 'What you wrote below videos.',
    semantics: 'append_only',
    time: 'commented_at',
    fields: {
      id: 'text',
      text: 'text, search',
      video_id: 'text',
      url: 'text: The video it is about',
      parent_id: 'text: The comment it answers',
      commented_at: 'time',
    },
  }),
]);
