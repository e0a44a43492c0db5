import { toLatin1, toUtf16, type Variation, vary } from './variation.ts';

const mbox = (text: string) => `From anna@example.org Mon Jan 15 08:41:00 2024\n${text}\n`;
const headers =
  'Message-ID: <m1@x>\nFrom: Anna <anna@example.org>\nTo: bo@example.org\nDate: Mon, 15 Jan 2024 09:41:00 +0100\n';
const one = (body: string) => ({
  messages: [{ id: 'm1@x', body, sent_at: '2024-01-15T08:41:00Z', from_address: 'anna@example.org' }],
});
const bytes = (head: string, body: readonly number[]) =>
  Buffer.concat([Buffer.from(head), Buffer.from(body), Buffer.from('\n')]);

const event = (lines: string, around = '') =>
  `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//EN\r\n${around}BEGIN:VEVENT\r\nUID:e1\r\nDTSTAMP:20240101T000000Z\r\n${lines}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`;
const zone = (id: string) =>
  `BEGIN:VTIMEZONE\r\nTZID:${id}\r\nBEGIN:STANDARD\r\nDTSTART:16010101T030000\r\nTZOFFSETFROM:+0200\r\nTZOFFSETTO:+0100\r\nRRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10\r\nEND:STANDARD\r\nBEGIN:DAYLIGHT\r\nDTSTART:16010101T020000\r\nTZOFFSETFROM:+0100\r\nTZOFFSETTO:+0200\r\nRRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3\r\nEND:DAYLIGHT\r\nEND:VTIMEZONE\r\n`;
const card = (lines: string) => `BEGIN:VCARD\r\n${lines.trim().replaceAll('\n', '\r\n')}\r\nEND:VCARD\r\n`;

export const mailVariations: readonly Variation[] = [
  ...vary(
    'mail',
    'Inbox.mbox',
    {
      'mboxo: From quoted once': mbox(`${headers}\nLine\n>From here\n`),
      'mboxrd: more quoted': mbox(`${headers}\nLine\n>From here\n`),
      'mboxcl: a length and From unquoted': mbox(`${headers}Content-Length: 15\n\nLine\nFrom here\n`),
      'with returns': mbox(`${headers}\nLine\n>From here\n`).replaceAll('\n', '\r\n'),
      'no empty line at its end': mbox(`${headers}\nLine\n>From here`).trimEnd(),
      'quoted-printable': mbox(
        `${headers}Content-Transfer-Encoding: quoted-printable\n\nLine\n=46rom here=\n\n`,
      ),
      base64: mbox(
        `${headers}Content-Type: text/plain; charset="utf-8"\nContent-Transfer-Encoding: base64\n\n${Buffer.from('Line\nFrom here').toString('base64')}\n`,
      ),
    },
    one('Line\nFrom here'),
  ),
  ...vary(
    'mail',
    'mail.mbox',
    {
      'KOI8-R': bytes(
        `${mbox(`${headers}Content-Type: text/plain; charset=koi8-r\n\n`).trimEnd()}\n\n`,
        [0xf0, 0xd2, 0xc9, 0xd7, 0xc5, 0xd4],
      ),
      'windows-1251': bytes(
        `${mbox(`${headers}Content-Type: text/plain; charset="windows-1251"\n\n`).trimEnd()}\n\n`,
        [0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2],
      ),
      'UTF-8 in 8 bits': mbox(
        `${headers}Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\nПривет\n`,
      ),
      'nested parts': mbox(
        `${headers}MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="a"\n\n--a\nContent-Type: multipart/related; boundary="b"\n\n--b\nContent-Type: multipart/alternative; boundary="c"\n\n--c\nContent-Type: text/plain; charset=utf-8\n\nПривет\n--c\nContent-Type: text/html; charset=utf-8\n\n<p>Привет</p>\n--c--\n--b\nContent-Type: image/png; name=a.png\nContent-Transfer-Encoding: base64\nContent-ID: <i>\n\nAAAA\n--b--\n--a--\n`,
      ),
      'HTML alone': mbox(
        `${headers}Content-Type: text/html; charset=utf-8\n\n<html><head><style>p{}</style></head><body><p>Привет</p></body></html>\n`,
      ),
    },
    one('Привет'),
  ),
  {
    name: 'ISO-2022-JP',
    format: 'mail',
    files: {
      'jp.eml': bytes(
        `${headers}Subject: =?ISO-2022-JP?B?GyRCRnxLXBsoQg==?=\nContent-Type: text/plain; charset=iso-2022-jp\n\n`,
        [0x1b, 0x24, 0x42, 0x46, 0x7c, 0x4b, 0x5c, 0x1b, 0x28, 0x42],
      ),
    },
    has: { messages: [{ subject: '日本', body: '日本' }] },
  },
  {
    name: 'subject in pieces and a name of a file by RFC 2231',
    format: 'mail',
    files: {
      'a.eml': `${headers}Subject: =?utf-8?Q?Gr=C3=BC?=\n =?utf-8?Q?=C3=9Fe_an?= alle\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: text/plain\n\nSee file\n--x\nContent-Type: application/pdf\nContent-Disposition: attachment; filename*=utf-8''Pl%C3%A4ne.pdf\nContent-Transfer-Encoding: base64\n\nAAAA\n--x--\n`,
    },
    has: { messages: [{ subject: 'Grüße an alle', attachment_names: ['Pläne.pdf'] }] },
  },
  {
    name: 'labels of Gmail in French, encoded',
    format: 'gmail',
    files: {
      'Takeout/Messagerie/Tous les messages.mbox': `From 1790000000000000001@xxx Mon Jan 15 08:41:00 +0000 2024\r\nX-GM-THRID: 1790000000000000001\r\nX-Gmail-Labels: =?UTF-8?Q?Bo=C3=AEte_de_r=C3=A9ception,Non_lus?=\r\n${headers.replaceAll('\n', '\r\n')}Subject: Salut\r\n\r\nBonjour\r\n`,
    },
    has: { messages: [{ subject: 'Salut', labels: ['Boîte de réception', 'Non lus'], is_unread: true }] },
  },
  ...vary(
    'calendar',
    'my.ics',
    {
      'a zone by its name': event(
        'DTSTART;TZID=Europe/Berlin:20240715T104100\r\nDTEND;TZID=Europe/Berlin:20240715T114100\r\nSUMMARY:Lunch\\, late',
      ),
      'a zone of Windows': event(
        'DTSTART;TZID=W. Europe Standard Time:20240715T104100\r\nDURATION:PT1H\r\nSUMMARY:Lunch\\, late',
      ),
      'a zone that the file describes': event(
        'DTSTART;TZID="(UTC+01:00) Amsterdam, Berlin":20240715T104100\r\nDTEND;TZID="(UTC+01:00) Amsterdam, Berlin":20240715T114100\r\nSUMMARY:Lunch\\, late',
        zone('(UTC+01:00) Amsterdam, Berlin'),
      ),
      floating: event('DTSTART:20240715T104100\r\nDTEND:20240715T114100\r\nSUMMARY:Lunch\\, late'),
      'in UTC': event(
        'DTSTART:20240715T084100Z\r\nDTEND:20240715T094100Z\r\nSUMMARY;LANGUAGE=de:Lunch\\, late',
      ),
      'folded lines': event(
        'DTSTART:20240715T084100Z\r\nDTEND:20240715T094100Z\r\nSUMMARY:Lun\r\n ch\\, \r\n\tlate',
      ),
      'lines without returns': event(
        'DTSTART:20240715T084100Z\r\nDTEND:20240715T094100Z\r\nSUMMARY:Lunch\\, late',
      ).replaceAll('\r\n', '\n'),
      'a mark before it': `\ufeff${event('DTSTART:20240715T084100Z\r\nDTEND:20240715T094100Z\r\nSUMMARY:Lunch\\, late')}`,
    },
    {
      events: [{ title: 'Lunch, late', starts_at: '2024-07-15T08:41:00Z', ends_at: '2024-07-15T09:41:00Z' }],
    },
  ),
  {
    name: 'a series with one moved',
    format: 'calendar',
    files: {
      'series.ics': event(
        'DTSTART;TZID=Europe/Berlin:20240108T180000\r\nRRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=10\r\nEXDATE;TZID=Europe/Berlin:20240122T180000\r\nSUMMARY:Choir\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nUID:e1\r\nRECURRENCE-ID;TZID=Europe/Berlin:20240115T180000\r\nDTSTART;TZID=Europe/Berlin:20240116T180000\r\nSUMMARY:Choir on Tuesday',
      ),
    },
    has: {
      events: [
        { title: 'Choir', starts_at: '2024-01-08T17:00:00Z' },
        { title: 'Choir on Tuesday', starts_at: '2024-01-16T17:00:00Z', series_id: 'e1' },
      ],
    },
  },
  {
    name: 'several calendars in one file, with an event without an id',
    format: 'calendar',
    files: {
      'all.ics': `${event('DTSTART;VALUE=DATE:20240715\r\nSUMMARY:One')}${event('DTSTART:20240716T080000Z\r\nSUMMARY:Two').replace('UID:e1\r\n', '')}`,
    },
    has: {
      events: [{ title: 'One', is_all_day: true, starts_at: '2024-07-14T22:00:00Z' }, { title: 'Two' }],
    },
  },
  ...vary(
    'contacts',
    'contacts.vcf',
    {
      '2.1 with quoted-printable': card(
        'VERSION:2.1\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=C3=BCrgen;;;\nFN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:J=C3=BCrgen M=C3=BC=\nller\nTEL;CELL;PREF:+49 30 123\nEMAIL;HOME:j@example.org',
      ),
      '3.0 of Apple': card(
        'VERSION:3.0\nPRODID:-//Apple Inc.//iOS 17.0//EN\nN:Müller;Jürgen;;;\nFN:Jürgen Müller\nitem1.EMAIL;type=INTERNET;type=pref:j@example.org\nitem1.X-ABLabel:_$!<Home>!$_\nTEL;type=CELL;type=VOICE;type=pref:+49 30 123',
      ),
      '4.0 with addresses': card(
        'VERSION:4.0\nN:Müller;Jürgen;;;\nFN:Jürgen Müller\nEMAIL;PID=1.1:j@example.org\nTEL;VALUE=uri;TYPE="voice,cell":tel:+49-30-123',
      ),
      'lines without returns': card(
        'VERSION:3.0\nN:Müller;Jürgen;;;\nFN:Jürgen Müller\nEMAIL:j@example.org\nTEL:+49 30 123',
      ).replaceAll('\r\n', '\n'),
      'in the letters of Windows': toLatin1(
        card(
          'VERSION:2.1\nN:Müller;Jürgen\nFN:Jürgen Müller\nEMAIL;INTERNET:j@example.org\nTEL;WORK;VOICE:+49 30 123',
        ),
      ),
      'in UTF-16': toUtf16(
        card('VERSION:3.0\nN:Müller;Jürgen;;;\nFN:Jürgen Müller\nEMAIL:j@example.org\nTEL:+49 30 123'),
      ),
      'small letters and no N': card(
        'version:3.0\nfn:Jürgen Müller\nn:Müller;Jürgen\nemail:j@example.org\ntel:+49 30 123',
      ),
    },
    { people: [{ name: 'Jürgen Müller', family_name: 'Müller', emails: ['j@example.org'] }] },
  ),
  ...vary(
    'contacts',
    'contacts.csv',
    {
      'Google of 2024':
        'First Name,Middle Name,Last Name,Phonetic First Name,Name Prefix,Organization Name,Organization Title,Notes,Labels,E-mail 1 - Label,E-mail 1 - Value,Phone 1 - Label,Phone 1 - Value\nAnn,,Lee,,,Lee & Sons,Owner,,* myContacts,* Home,ann@example.org,Mobile,+1 555\n',
      'Google of old in UTF-16': toUtf16(
        'Name,Given Name,Additional Name,Family Name,Group Membership,E-mail 1 - Type,E-mail 1 - Value,Phone 1 - Type,Phone 1 - Value\nAnn Lee,Ann,,Lee,* myContacts,* Home,ann@example.org,Mobile,+1 555\n',
      ),
      'Outlook in German':
        'Anrede;Vorname;Weitere Vornamen;Nachname;Firma;E-Mail-Adresse;Mobiltelefon\n;Ann;;Lee;Lee & Sons;ann@example.org;+1 555\n',
      'Outlook in French':
        '"Titre","Prénom","Nom","Société","Adresse de messagerie","Téléphone mobile"\n"","Ann","Lee","","ann@example.org","+1 555"\n',
      'a short one in German': 'Vorname;Nachname;E-Mail;Telefon\nAnn;Lee;ann@example.org;+1 555\n',
      Yahoo: 'First,Middle,Last,Nickname,Email,Home,Work,Mobile\nAnn,,Lee,,ann@example.org,,,+1 555\n',
      Thunderbird:
        'First Name,Last Name,Display Name,Nickname,Primary Email,Secondary Email,Screen Name,Work Phone,Mobile Number\nAnn,Lee,Ann Lee,,ann@example.org,,,,+1 555\n',
    },
    { people: [{ name: 'Ann Lee', emails: ['ann@example.org'], phones: ['+1 555'] }] },
  ),
];
