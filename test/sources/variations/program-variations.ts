import { expect } from 'vitest';
import { type Variation, vary } from './variation.ts';

const lines = (...values: object[]) => `${values.map((value) => JSON.stringify(value)).join('\n')}\n`;

const repository = {
  id: 1,
  name: 'grit',
  full_name: 'anna/grit',
  description: 'Reads it',
  created_at: '2007-10-29T14:37:16Z',
  stargazers_count: 3,
  html_url: 'https://github.com/anna/grit',
};

/** What other programs make of a source than its maker's own export, and older versions of the same. */
export const programVariations: readonly Variation[] = [
  ...vary(
    'discord',
    'general.json',
    {
      'a channel saved by DiscordChatExporter': JSON.stringify({
        guild: { id: '12', name: 'Choir' },
        channel: { id: '98', type: 'GuildTextChat', category: 'Text', name: 'general' },
        dateRange: { after: null, before: null },
        messages: [
          {
            id: '1001',
            type: 'Default',
            timestamp: '2024-01-15T10:30:00+00:00',
            timestampEdited: null,
            content: 'Hello',
            author: { id: '111', name: 'anna', nickname: 'Anna', isBot: false },
            attachments: [{ id: '5', url: 'https://example.org/a.png', fileName: 'a.png' }],
          },
          {
            id: '1002',
            type: 'Reply',
            timestamp: '2024-01-15T11:30:00+01:00',
            content: 'Hi',
            author: { id: '222', name: 'ben' },
            attachments: [],
            reference: { messageId: '1001', channelId: '98' },
          },
        ],
        messageCount: 2,
      }),
    },
    {
      messages: [
        {
          id: '1001',
          sender: 'Anna',
          text: 'Hello',
          server: 'Choir',
          chat: 'general',
          attachments: ['a.png'],
        },
        { id: '1002', sender: 'ben', sent_at: '2024-01-15T10:30:00Z', reply_to_id: '1001' },
      ],
      chats: [{ id: '98', name: 'general', message_count: 2, participants: ['Anna', 'ben'] }],
    },
  ),
  ...vary(
    'codex',
    'rollout-1.jsonl',
    {
      'only what was shown': lines(
        {
          timestamp: '2026-09-04T08:00:00Z',
          type: 'session_meta',
          payload: { id: 's1', timestamp: '2026-09-04T08:00:00Z', cwd: '/code/shop' },
        },
        {
          timestamp: '2026-09-04T08:00:00Z',
          type: 'event_msg',
          payload: { type: 'user_message', message: 'Go' },
        },
        {
          timestamp: '2026-09-04T08:00:01Z',
          type: 'event_msg',
          payload: { type: 'agent_message', message: 'Done' },
        },
      ),
      'no time but at the beginning': lines(
        { id: 's1', timestamp: '2026-09-04T08:00:00Z', instructions: null },
        { record_type: 'state' },
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Go' }] },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Done' }] },
      ),
    },
    {
      messages: [
        { role: 'user', text: 'Go', from_me: true, sent_at: '2026-09-04T08:00:00Z' },
        { role: 'assistant', text: 'Done', sent_at: expect.stringMatching(/^2026-09-04T08:00:0[01]Z$/) },
      ],
      sessions: [{ id: 's1', title: 'Go', message_count: 2 }],
    },
  ),
  ...vary(
    'github',
    'repos.json',
    { 'repositories without who owns them': JSON.stringify([repository]) },
    { repositories: [{ id: 'anna/grit', description: 'Reads it' }] },
  ),
  ...vary(
    'github',
    'starred.json',
    {
      'stars with the repository around them': JSON.stringify([
        { ...repository, starred_at: '2024-01-15T10:30:00Z' },
      ]),
    },
    { stars: [{ id: 'anna/grit', starred_at: '2024-01-15T10:30:00Z' }] },
  ),
  ...vary(
    'mail',
    'lunch.eml',
    {
      'a mail whose only part is an invitation':
        'From: anna@example.org\r\nTo: ben@example.org\r\nSubject: Lunch\r\nDate: Mon, 15 Jul 2024 08:41:00 +0000\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nCome!\r\n--b\r\nContent-Type: text/calendar\r\n\r\nBEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART:20240715T084100Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n--b--\r\n',
      'a mail with a card attached':
        'From: anna@example.org\r\nTo: ben@example.org\r\nSubject: Lunch\r\nDate: Mon, 15 Jul 2024 08:41:00 +0000\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nCome!\r\n--b\r\nContent-Type: text/vcard\r\n\r\nBEGIN:VCARD\r\nVERSION:3.0\r\nFN:Anna\r\nEND:VCARD\r\n--b--\r\n',
    },
    { messages: [{ subject: 'Lunch', sent_at: '2024-07-15T08:41:00Z' }] },
  ),
  ...vary(
    'line',
    '[LINE]Choir.txt',
    {
      'saved on a computer':
        '2024.01.14 Sunday\n16:23 Anna Hello\nin two lines\n16:24 Ben Hi\n2024.01.15 Monday\n09:00 Anna Morning\n',
      'in Thai':
        '[LINE] ประวัติการสนทนากับ Choir\nบันทึกวันที่: 2024/01/15 10:00\n\n2024/01/14(อา.)\n16:23\tAnna\tHello\nin two lines\n16:24\tBen\tHi\n\n2024/01/15(จ.)\n09:00\tAnna\tMorning\n',
    },
    {
      chats: [{ id: 'Choir', name: 'Choir', message_count: 3 }],
      messages: [
        { sender: 'Anna', text: 'Hello\nin two lines', sent_at: '2024-01-14T15:23:00Z' },
        { sender: 'Ben' },
        { text: 'Morning', sent_at: '2024-01-15T08:00:00Z' },
      ],
    },
  ),
  ...vary(
    'mail',
    'euro.eml',
    {
      'the letters of Windows in one part':
        'From: anna@example.org\r\nSubject: =?windows-1252?Q?5_=80?=\r\nDate: Mon, 15 Jul 2024 08:41:00 +0000\r\nContent-Type: text/plain; charset=windows-1252\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nIt=92s 5 =80\r\n',
      'and in one of several parts, under the name of Latin-1':
        'From: anna@example.org\r\nSubject: =?iso-8859-1?Q?5_=80?=\r\nDate: Mon, 15 Jul 2024 08:41:00 +0000\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\nContent-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nIt=92s 5 =80\r\n--b--\r\n',
    },
    { messages: [{ subject: '5 €', body: 'It’s 5 €' }] },
  ),
  ...vary(
    'contacts',
    'card.vcf',
    {
      'the letters of Windows':
        'BEGIN:VCARD\r\nVERSION:2.1\r\nFN;CHARSET=windows-1252;ENCODING=QUOTED-PRINTABLE:Anna =96 Lee\r\nEND:VCARD\r\n',
    },
    { people: [{ name: 'Anna – Lee' }] },
  ),
  ...vary(
    'calendar',
    'lunch.vcs',
    {
      'of the time of phones':
        'BEGIN:VCALENDAR\r\nVERSION:1.0\r\nBEGIN:VEVENT\r\nUID:e1\r\nDTSTART:20240715T084100Z\r\nSUMMARY;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:Gr=C3=BC=C3=9Fe\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n',
      'a zone as the page of Exchange shows it':
        'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:e1\r\nDTSTART;TZID="(UTC-05:00) Eastern Time, Toronto":20240715T044100\r\nSUMMARY:Grüße\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n',
    },
    { events: [{ title: 'Grüße', starts_at: '2024-07-15T08:41:00Z' }] },
  ),
  ...vary(
    'calendar',
    'lunch.ics',
    {
      'an event without a calendar around it':
        'BEGIN:VEVENT\r\nUID:e1\r\nDTSTART:20240715T084100Z\r\nSUMMARY:Lunch\r\nEND:VEVENT\r\n',
    },
    { events: [{ title: 'Lunch', starts_at: '2024-07-15T08:41:00Z' }] },
  ),
];
