import type { Importer } from '../import/importer.ts';
import { amazonImporter } from './amazon/amazon-importer.ts';
import { appleHealthImporter } from './apple-health/apple-health-importer.ts';
import { appleNotesImporter } from './apple-notes/apple-notes-importer.ts';
import { camtImporter } from './bank/camt-importer.ts';
import { bankCsvImporter } from './bank/csv-importer.ts';
import { mt940Importer } from './bank/mt940-importer.ts';
import { ofxImporter } from './bank/ofx-importer.ts';
import { qifImporter } from './bank/qif-importer.ts';
import { bearImporter } from './bear/bear-importer.ts';
import { browserImporter } from './browser/browser-importer.ts';
import { calendarImporter } from './calendar/calendar-importer.ts';
import { chatgptImporter } from './chatgpt/chatgpt-importer.ts';
import { claudeImporter } from './claude/claude-importer.ts';
import { claudeCodeImporter } from './claude-code/claude-code-importer.ts';
import { codexImporter } from './codex/codex-importer.ts';
import { contactsImporter } from './contacts/contacts-importer.ts';
import { dayOneImporter } from './day-one/day-one-importer.ts';
import { discordImporter } from './discord/discord-importer.ts';
import { evernoteImporter } from './evernote/evernote-importer.ts';
import { genericImporter } from './generic/generic-importer.ts';
import { githubImporter } from './github/github-importer.ts';
import { gmailImporter } from './gmail/gmail-importer.ts';
import { goodreadsImporter } from './goodreads/goodreads-importer.ts';
import { googleActivityImporter } from './google-activity/google-activity-importer.ts';
import { googleCalendarImporter } from './google-calendar/google-calendar-importer.ts';
import { googleKeepImporter } from './google-keep/google-keep-importer.ts';
import { googleLocationImporter } from './google-location/google-location-importer.ts';
import { googlePhotosImporter } from './google-photos/google-photos-importer.ts';
import { googleVoiceImporter } from './google-voice/google-voice-importer.ts';
import { imessageImporter } from './imessage/imessage-importer.ts';
import { kindleImporter } from './kindle/kindle-importer.ts';
import { letterboxdImporter } from './letterboxd/letterboxd-importer.ts';
import { lineImporter } from './line/line-importer.ts';
import { linkedinImporter } from './linkedin/linkedin-importer.ts';
import { mailImporter } from './mail/mail-importer.ts';
import { markdownImporter } from './markdown/markdown-importer.ts';
import { mastodonImporter } from './mastodon/mastodon-importer.ts';
import { facebookImporter, instagramImporter } from './meta/meta-importer.ts';
import { netflixImporter } from './netflix/netflix-importer.ts';
import { notionImporter } from './notion/notion-importer.ts';
import { readingListImporters } from './reading-list/reading-list-importers.ts';
import { redditImporter } from './reddit/reddit-importer.ts';
import { lastfmImporter } from './scrobbles/lastfm-importer.ts';
import { listenbrainzImporter } from './scrobbles/listenbrainz-importer.ts';
import { signalImporter } from './signal/signal-importer.ts';
import { slackImporter } from './slack/slack-importer.ts';
import { smsBackupImporter } from './sms-backup/sms-backup-importer.ts';
import { snapchatImporter } from './snapchat/snapchat-importer.ts';
import { spotifyImporter } from './spotify/spotify-importer.ts';
import { stravaImporter } from './strava/strava-importer.ts';
import { telegramImporter } from './telegram/telegram-importer.ts';
import { tiktokImporter } from './tiktok/tiktok-importer.ts';
import { tracksImporter } from './tracks/tracks-importer.ts';
import { traktImporter } from './trakt/trakt-importer.ts';
import { whatsappImporter } from './whatsapp/whatsapp-importer.ts';
import { xImporter } from './x/x-importer.ts';
import { ynabImporter } from './ynab/ynab-importer.ts';

/** All importers, specific ones first: if two are equally certain, the first one gets the file. */
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
  // The last resort: reads any file with rows.
  genericImporter,
];
