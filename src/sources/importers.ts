import type { Importer } from '../import/importer.ts';
import { amazonImporter } from './amazon/amazon-importer.ts';
import { appleHealthImporter } from './apple-health/apple-health-importer.ts';
import { appleNotesImporter } from './apple-notes-importer.ts';
import { camtImporter } from './bank/camt-importer.ts';
import { bankCsvImporter } from './bank/csv-importer.ts';
import { mt940Importer } from './bank/mt940-importer.ts';
import { ofxImporter } from './bank/ofx-importer.ts';
import { qifImporter } from './bank/qif-importer.ts';
import { bearImporter } from './bear-importer.ts';
import { browserImporter } from './browser-importer.ts';
import { calendarImporter } from './calendar-importer.ts';
import { chatgptImporter } from './chatgpt-importer.ts';
import { claudeCodeImporter } from './claude-code-importer.ts';
import { claudeImporter } from './claude-importer.ts';
import { codexImporter } from './codex-importer.ts';
import { contactsImporter } from './contacts-importer.ts';
import { dayOneImporter } from './day-one/day-one-importer.ts';
import { discordImporter } from './discord-importer.ts';
import { evernoteImporter } from './evernote/evernote-importer.ts';
import { genericImporter } from './generic-importer.ts';
import { githubImporter } from './github/github-importer.ts';
import { gmailImporter } from './gmail-importer.ts';
import { goodreadsImporter } from './goodreads-importer.ts';
import { googleActivityImporter } from './google-activity-importer.ts';
import { googleCalendarImporter } from './google-calendar-importer.ts';
import { googleKeepImporter } from './google-keep-importer.ts';
import { googleLocationImporter } from './google-location-importer.ts';
import { googlePhotosImporter } from './google-photos-importer.ts';
import { googleVoiceImporter } from './google-voice-importer.ts';
import { imessageImporter } from './imessage-importer.ts';
import { kindleImporter } from './kindle/kindle-importer.ts';
import { letterboxdImporter } from './letterboxd/letterboxd-importer.ts';
import { lineImporter } from './line-importer.ts';
import { linkedinImporter } from './linkedin-importer.ts';
import { mailImporter } from './mail-importer.ts';
import { markdownImporter } from './markdown/markdown-importer.ts';
import { mastodonImporter } from './mastodon/mastodon-importer.ts';
import { facebookImporter, instagramImporter } from './meta-importer.ts';
import { netflixImporter } from './netflix/netflix-importer.ts';
import { notionImporter } from './notion/notion-importer.ts';
import { readingListImporters } from './reading-list/reading-list-importers.ts';
import { redditImporter } from './reddit-importer.ts';
import { lastfmImporter } from './scrobbles/lastfm-importer.ts';
import { listenbrainzImporter } from './scrobbles/listenbrainz-importer.ts';
import { signalImporter } from './signal-importer.ts';
import { slackImporter } from './slack-importer.ts';
import { smsBackupImporter } from './sms-backup-importer.ts';
import { snapchatImporter } from './snapchat/snapchat-importer.ts';
import { spotifyImporter } from './spotify/spotify-importer.ts';
import { stravaImporter } from './strava-importer.ts';
import { telegramImporter } from './telegram-importer.ts';
import { tiktokImporter } from './tiktok/tiktok-importer.ts';
import { tracksImporter } from './tracks-importer.ts';
import { traktImporter } from './trakt/trakt-importer.ts';
import { whatsappImporter } from './whatsapp-importer.ts';
import { xImporter } from './x-importer.ts';
import { ynabImporter } from './ynab/ynab-importer.ts';

/** Every format that is read, the more particular before the more general: of two that are as certain, the first has the file. */
export const importers: readonly Importer[] = [
  chatgptImporter,
  claudeImporter,
  claudeCodeImporter,
  codexImporter,
  slackImporter,
  telegramImporter,
  xImporter,
  discordImporter,
  instagramImporter,
  facebookImporter,
  tiktokImporter,
  snapchatImporter,
  mastodonImporter,
  linkedinImporter,
  redditImporter,
  imessageImporter,
  smsBackupImporter,
  googleVoiceImporter,
  lineImporter,
  signalImporter,
  whatsappImporter,
  gmailImporter,
  mailImporter,
  googleCalendarImporter,
  calendarImporter,
  contactsImporter,
  googleActivityImporter,
  googleKeepImporter,
  appleNotesImporter,
  bearImporter,
  evernoteImporter,
  notionImporter,
  dayOneImporter,
  googleLocationImporter,
  googlePhotosImporter,
  kindleImporter,
  ...readingListImporters,
  browserImporter,
  tracksImporter,
  amazonImporter,
  ynabImporter,
  ofxImporter,
  camtImporter,
  mt940Importer,
  qifImporter,
  lastfmImporter,
  listenbrainzImporter,
  traktImporter,
  spotifyImporter,
  appleHealthImporter,
  githubImporter,
  stravaImporter,
  goodreadsImporter,
  letterboxdImporter,
  netflixImporter,
  bankCsvImporter,
  markdownImporter,
  // The last resort: it reads anything that has rows.
  genericImporter,
];
