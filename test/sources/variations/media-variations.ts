import { toUtf16, type Variation, vary } from './variation.ts';

const cell = (product: string, body: string) =>
  `<div class="outer-cell mdl-cell mdl-cell--12-col mdl-shadow--2dp"><div class="mdl-grid"><div class="header-cell mdl-cell mdl-cell--12-col"><p class="mdl-typography--title">${product}<br></p></div><div class="content-cell mdl-cell mdl-cell--6-col mdl-typography--body-1">${body}</div><div class="content-cell mdl-cell mdl-cell--6-col mdl-typography--body-1 mdl-typography--text-right"></div><div class="content-cell mdl-cell mdl-cell--12-col mdl-typography--caption"><b>Produkte:</b><br>&emsp;YouTube<br></div></div></div>`;
const page = (body: string) =>
  `<html><head><title>Mein Aktivitätsverlauf</title><style>.x{}</style></head><body><div class="mdl-grid">${body}</div></body></html>`;
const link = (title: string) => `<a href="https://www.youtube.com/watch?v=abc">${title}</a>`;
const channel = '<a href="https://www.youtube.com/channel/UC1">Baker</a>';
const watched = (before: string, after: string, when: string) =>
  page(cell('YouTube', `${before}${link('How to bake')}${after}<br>${channel}<br>${when}<br>`));
const item = (title: string) =>
  JSON.stringify([
    {
      header: 'YouTube',
      title,
      titleUrl: 'https://www.youtube.com/watch?v\u003dabc',
      subtitles: [{ name: 'Baker', url: 'https://www.youtube.com/channel/UC1' }],
      time: '2024-06-05T13:45:22.123Z',
      products: ['YouTube'],
      activityControls: ['YouTube watch history'],
    },
  ]);

const plays = { plays: [{ title: 'One', artist: 'A', played_ms: 183_000 }] };

export const mediaVariations: readonly Variation[] = [
  ...vary(
    'google-activity',
    'Takeout/YouTube und YouTube Music/Verlauf/Wiedergabeverlauf.html',
    {
      'a page in English': watched('Watched\u00a0', '', 'Jun 5, 2024, 3:45:22\u202fPM CEST'),
      'a page in German': watched('', '\u00a0angesehen', '05.06.2024, 15:45:22 MESZ'),
      'a page in French': watched('Vous avez regardé\u00a0', '', '5 juin 2024, 15:45:22 CEST'),
      'a page in Spanish': watched('Has visto\u00a0', '', '5 jun 2024, 15:45:22 CEST'),
      'a page in Italian': watched('Hai guardato\u00a0', '', '5 giu 2024, 15:45:22 CEST'),
      'a page in Japanese': watched('', '\u00a0を視聴しました', '2024/06/05 15:45:22 CEST'),
      'a page in Portuguese': watched('Você assistiu a\u00a0', '', '5 de jun. de 2024, 15:45:22 CEST'),
      'a page in British English': watched('Watched\u00a0', '', '5 Jun 2024, 15:45:22 CEST'),
      'a page in Polish': watched('Obejrzano:\u00a0', '', '5 cze 2024, 15:45:22 CEST'),
      'a page in Czech': watched('Zhlédnuto:\u00a0', '', '5. 6. 2024 15:45:22 SELČ'),
      'a page in Danish': watched('Du så\u00a0', '', '5. jun. 2024 15.45.22 CEST'),
      'a page in Finnish': watched('Katsottu\u00a0', '', '5. kesäk. 2024 klo 16.45.22 EEST'),
      'a page in Russian': watched('Вы посмотрели\u00a0', '', '5 июн. 2024 г., 16:45:22 MSK'),
      'a page in Chinese': watched('观看了\u00a0', '', '2024年6月5日 21:45:22 CST'),
      'a page in Korean': watched('', '을(를) 시청했습니다', '2024. 6. 5. 오후 10:45:22 KST'),
      'a page in Arabic': watched('تمت مشاهدة\u00a0', '', '05\u200f/06\u200f/2024، 4:45:22\u00a0م EEST'),
      'a page from India': watched('Watched\u00a0', '', '5 Jun 2024, 19:15:22 IST'),
      'a page from Brazil': watched('Assistiu a\u00a0', '', '5 de jun. de 2024, 10:45:22 BRT'),
      'a page in Dutch': watched('', '\u00a0bekeken', '5 jun 2024 15:45:22 CEST'),
    },
    { watch_history: [{ title: 'How to bake', channel: 'Baker', watched_at: '2024-06-05T13:45:22Z' }] },
  ),
  ...vary(
    'google-activity',
    'Takeout/YouTube/history/watch-history.json',
    {
      English: item('Watched How to bake'),
      German: item('How to bake angesehen'),
      French: item('Vous avez regardé How to bake'),
      Spanish: item('Has visto How to bake'),
      Japanese: item('How to bake を視聴しました'),
      'with a mark': `\ufeff${item('Watched How to bake')}`,
    },
    { watch_history: [{ title: 'How to bake', channel: 'Baker', watched_at: '2024-06-05T13:45:22.123Z' }] },
  ),
  ...vary(
    'netflix',
    'NetflixViewingHistory.csv',
    {
      American: 'Title,Date\n"Dark: Season 1: Secrets","12/25/23"\n"Roma","2/1/23"\n',
      German: 'Titel,Datum\n"Dark: Season 1: Secrets","25.12.23"\n"Roma","01.02.23"\n',
      French: 'Titre,Date\n"Dark: Season 1: Secrets","25/12/2023"\n"Roma","01/02/2023"\n',
      Spanish: 'Título,Fecha\n"Dark: Season 1: Secrets","25/12/2023"\n"Roma","01/02/2023"\n',
      Swedish: 'Titel,Datum\n"Dark: Season 1: Secrets","2023-12-25"\n"Roma","2023-02-01"\n',
      'with a mark and returns':
        '\ufeffTitle,Date\r\n"Dark: Season 1: Secrets","12/25/23"\r\n"Roma","2/1/23"\r\n',
      Japanese: 'タイトル,日付\n"Dark: Season 1: Secrets","2023/12/25"\n"Roma","2023/02/01"\n',
      Portuguese: 'Título,Data\n"Dark: Season 1: Secrets","25/12/2023"\n"Roma","01/02/2023"\n',
      Korean: '제목,날짜\n"Dark: Season 1: Secrets","23. 12. 25."\n"Roma","23. 2. 1."\n',
      Turkish: 'Başlık,Tarih\n"Dark: Season 1: Secrets","25.12.2023"\n"Roma","01.02.2023"\n',
      Hungarian: 'Cím,Dátum\n"Dark: Season 1: Secrets","2023. 12. 25."\n"Roma","2023. 02. 01."\n',
      Chinese: '片名,日期\n"Dark: Season 1: Secrets","2023/12/25"\n"Roma","2023/2/1"\n',
      Arabic: 'العنوان,التاريخ\n"Dark: Season 1: Secrets","25/12/2023"\n"Roma","01/02/2023"\n',
      'without quotes': 'Title,Date\nDark: Season 1: Secrets,12/25/23\nRoma,2/1/23\n',
    },
    {
      viewing: [
        { title: 'Dark: Season 1: Secrets', series: 'Dark', watched_on: '2023-12-25' },
        { title: 'Roma', watched_on: '2023-02-01' },
      ],
    },
  ),
  ...vary(
    'spotify',
    'MyData/StreamingHistory_music_0.json',
    {
      'account data':
        '[\n  {\n    "endTime" : "2024-03-01 20:15",\n    "artistName" : "A",\n    "trackName" : "One",\n    "msPlayed" : 183000\n  }\n]',
      'extended of 2021':
        '[{"ts":"2024-03-01T20:15:30Z","username":"anna","platform":"ios","ms_played":183000,"conn_country":"DE","ip_addr_decrypted":"1.2.3.4","user_agent_decrypted":"unknown","master_metadata_track_name":"One","master_metadata_album_artist_name":"A","master_metadata_album_album_name":"X","spotify_track_uri":"spotify:track:1","episode_name":null,"episode_show_name":null,"spotify_episode_uri":null,"reason_start":"x","reason_end":"y","shuffle":false,"skipped":null,"offline":false,"offline_timestamp":0,"incognito_mode":false}]',
      'extended of 2025':
        '[{"ts":"2024-03-01T20:15:30Z","platform":"ios","ms_played":183000,"conn_country":"DE","ip_addr":"1.2.3.4","master_metadata_track_name":"One","master_metadata_album_artist_name":"A","master_metadata_album_album_name":"X","spotify_track_uri":"spotify:track:1","episode_name":null,"episode_show_name":null,"spotify_episode_uri":null,"audiobook_title":null,"audiobook_uri":null,"audiobook_chapter_uri":null,"audiobook_chapter_title":null,"reason_start":"x","reason_end":"y","shuffle":false,"skipped":false,"offline":false,"offline_timestamp":null,"incognito_mode":false}]',
    },
    plays,
  ),
  {
    name: 'a library whose first list fills all that is looked at, and an address alone',
    format: 'spotify',
    files: {
      'MyData/YourLibrary.json': JSON.stringify({
        tracks: Array.from({ length: 900 }, (_, n) => ({
          artist: 'A',
          album: 'B',
          track: `T${n}`,
          uri: `spotify:track:${n}`,
        })),
        albums: [{ artist: 'A', album: 'B', uri: 'spotify:album:1' }],
        other: ['spotify:user:anna:collection'],
      }),
    },
    has: {
      library: [
        ...Array.from({ length: 900 }, () => ({ kind: 'tracks' })),
        { kind: 'albums', title: 'B' },
        { kind: 'other', track_id: 'spotify:user:anna:collection' },
      ],
    },
  },
  {
    name: 'a playlist of 2019',
    format: 'spotify',
    files: {
      'Playlist1.json':
        '{"playlists":[{"name":"Old","lastModifiedDate":"2019-05-01","tracks":[{"trackName":"One","artistName":"A","albumName":"X"}],"description":null,"numberOfFollowers":0}]}',
    },
    has: { playlists: [{ name: 'Old', track_count: 1 }], playlist_tracks: [{ title: 'One', artist: 'A' }] },
  },
  {
    name: 'what was deleted is not among what was watched',
    format: 'letterboxd',
    files: {
      'lb/diary.csv':
        'Date,Name,Year,Letterboxd URI,Rating,Rewatch,Tags,Watched Date\n2024-02-03,Roma,2018,https://boxd.it/1,4.5,,,2024-02-02\n',
      'lb/deleted/diary.csv':
        'Date,Name,Year,Letterboxd URI,Rating,Rewatch,Tags,Watched Date\n2024-02-03,Gone,2018,https://boxd.it/2,4.5,,,2024-02-02\n',
    },
    has: { diary: [{ title: 'Roma' }] },
  },
  ...vary(
    'goodreads',
    'goodreads_library_export.csv',
    {
      'as it is':
        'Book Id,Title,Author,Author l-f,Additional Authors,ISBN,ISBN13,My Rating,Average Rating,Publisher,Binding,Number of Pages,Year Published,Original Publication Year,Date Read,Date Added,Bookshelves,Bookshelves with positions,Exclusive Shelf,My Review,Spoiler,Private Notes,Read Count,Owned Copies\n77,Emma,Jane Austen,"Austen, Jane",,"=""0141439580""","=""9780141439587""",5,4.03,Penguin,Paperback,474,2003,1815,2024/02/03,2023/12/24,,,read,,,,1,0\n',
      'saved again by a spreadsheet': toUtf16(
        'Book Id\tTitle\tAuthor\tAuthor l-f\tAdditional Authors\tISBN\tISBN13\tMy Rating\tAverage Rating\tPublisher\tBinding\tNumber of Pages\tYear Published\tOriginal Publication Year\tDate Read\tDate Added\tBookshelves\tBookshelves with positions\tExclusive Shelf\tMy Review\tSpoiler\tPrivate Notes\tRead Count\tOwned Copies\r\n77\tEmma\tJane Austen\t"Austen, Jane"\t\t0141439580\t9780141439587\t5\t4.03\tPenguin\tPaperback\t474\t2003\t1815\t2024/02/03\t2023/12/24\t\t\tread\t\t\t\t1\t0\r\n',
      ),
    },
    {
      books: [
        {
          id: '77',
          title: 'Emma',
          author: 'Jane Austen',
          isbn13: '9780141439587',
          read_on: '2024-02-03',
          rating: 5,
        },
      ],
    },
  ),
  {
    name: 'a diary alone',
    format: 'letterboxd',
    files: {
      'diary.csv':
        'Date,Name,Year,Letterboxd URI,Rating,Rewatch,Tags,Watched Date\n2024-02-02,Whiplash,2014,https://boxd.it/d1,4.5,,"a, b",2024-02-01\n',
    },
    has: { diary: [{ title: 'Whiplash', rating: 4.5, watched_on: '2024-02-01', tags: ['a', 'b'] }] },
  },
  ...vary(
    'browser',
    'Chrome/History.json',
    {
      'History of 2024':
        '{"Browser History":[{"favicon_url":"https://x/f.ico","page_transition_qualifier":"CLIENT_REDIRECT","title":"Bread","url":"https://example.org/","time_usec":1700000000123456,"client_id":"abc=="}],"Typed Url":[],"Session":[]}',
      'BrowserHistory of old':
        '{\n  "Browser History": [\n {"page_transition": "LINK","title": "Bread","url": "https://example.org/","client_id": "abc","time_usec": 1700000000123456}]}',
    },
    { visits: [{ title: 'Bread', url: 'https://example.org/', visited_at: '2023-11-14T22:13:20.123Z' }] },
  ),
  ...vary(
    'browser',
    'bookmarks.html',
    {
      Chrome:
        '<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">\n<TITLE>Bookmarks</TITLE>\n<H1>Bookmarks</H1>\n<DL><p>\n    <DT><H3 ADD_DATE="1700000000" PERSONAL_TOOLBAR_FOLDER="true">Bar</H3>\n    <DL><p>\n        <DT><A HREF="https://example.org/" ADD_DATE="1700000000" ICON="data:image/png;base64,AAAA">Bread</A>\n    </DL><p>\n</DL><p>\n',
      Safari:
        '<!DOCTYPE NETSCAPE-Bookmark-file-1>\n\t<HTML>\n\t<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">\n\t<Title>Bookmarks</Title>\n\t<H1>Bookmarks</H1>\n\t<DT><H3 FOLDED>Bar</H3>\n\t<DL><p>\n\t\t<DT><A HREF="https://example.org/">Bread</A>\n\t</DL><p>\n\t</HTML>',
      Pinboard:
        '<!DOCTYPE NETSCAPE-Bookmark-file-1><META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8"><TITLE>Pinboard Bookmarks</TITLE><H1>Bookmarks</H1><DL><p><DT><A HREF="https://example.org/" ADD_DATE="1700000000" PRIVATE="1" TOREAD="0" TAGS="food,bread">Bread</A><DD>On bread</DL></p>',
      Pocket:
        '<!DOCTYPE html>\n<html><head><meta http-equiv="Content-Type" content="text/html; charset=UTF-8" /><title>Pocket Export</title></head><body><h1>Unread</h1><ul><li><a href="https://example.org/" time_added="1700000000" tags="">Bread</a></li></ul><h1>Read Archive</h1><ul></ul></body></html>',
    },
    { bookmarks: [{ title: 'Bread', url: 'https://example.org/' }] },
  ),
];
