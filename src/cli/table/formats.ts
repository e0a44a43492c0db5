/** Every format that `import --as` takes. A list of its own: the importers take longer to load than a shell waits. */
export const formats: readonly string[] =
  'amazon apple-health apple-notes bank-csv bear browser calendar camt chatgpt claude claude-code codex contacts day-one discord evernote facebook generic github gmail goodreads google-activity google-calendar google-keep google-location google-photos google-voice imessage instagram instapaper kindle lastfm letterboxd line linkedin listenbrainz mail markdown mastodon mt940 netflix notion ofx omnivore pinboard pocket qif raindrop readwise reddit signal slack sms-backup snapchat spotify strava telegram tiktok tracks trakt wallabag whatsapp x ynab'.split(
    ' ',
  );
