import { expect } from 'vitest';
import { toUtf16, type Variation, vary } from './variation.ts';

const morning = {
  messages: [
    { sender: 'Anna', sent_at: '2024-01-15T08:41:00Z', text: 'Hi there' },
    { sender: 'Bo', text: 'Yes' },
  ],
};
const evening = {
  messages: [
    { sender: 'Anna', sent_at: '2024-01-15T20:41:00Z', text: 'Hi there' },
    { sender: 'Bo', text: 'Yes' },
  ],
};
const talk = (header: string) => `${header}Anna: Hi there\n${header}Bo: Yes\n`;
const talks = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, header]) => [name, talk(header)]));

const chatgpt = (parts: readonly unknown[]) =>
  JSON.stringify(
    [
      {
        title: 'Newest',
        create_time: 1767607200.5,
        update_time: 1767607300.5,
        mapping: {
          'client-created-root': { id: 'client-created-root', message: null, parent: null, children: ['m0'] },
          ...Object.fromEntries(
            parts.map((message, n) => [
              `m${n}`,
              {
                id: `m${n}`,
                message: {
                  id: `m${n}`,
                  create_time: 1767607200 + n,
                  status: 'finished_successfully',
                  metadata: {},
                  recipient: 'all',
                  ...(message as object),
                },
                parent: n === 0 ? 'client-created-root' : `m${n - 1}`,
                children: n === parts.length - 1 ? [] : [`m${n + 1}`],
              },
            ]),
          ),
        },
        moderation_results: [],
        current_node: `m${parts.length - 1}`,
        conversation_id: 'c1',
        id: 'c1',
        conversation_template_id: null,
        gizmo_type: null,
        memory_scope: 'global_enabled',
        async_status: null,
      },
    ],
    null,
    1,
  );

const newest = chatgpt([
  {
    author: { role: 'system', name: null, metadata: {} },
    content: { content_type: 'text', parts: [''] },
    metadata: { is_visually_hidden_from_conversation: true },
  },
  {
    author: { role: 'user' },
    content: { content_type: 'user_editable_context', user_profile: 'Likes tea', user_instructions: 'Short' },
    metadata: { is_user_system_message: true },
  },
  {
    author: { role: 'user' },
    content: {
      content_type: 'multimodal_text',
      parts: [
        {
          content_type: 'image_asset_pointer',
          asset_pointer: 'sediment://file_1',
          size_bytes: 3,
          width: 1,
          height: 1,
        },
        'What is this?',
      ],
    },
  },
  {
    author: { role: 'assistant' },
    content: {
      content_type: 'thoughts',
      thoughts: [{ summary: 'Look', content: 'A cat, I think.', chunks: [], finished: true }],
      source_analysis_msg_id: 'x',
    },
  },
  {
    author: { role: 'assistant' },
    content: { content_type: 'reasoning_recap', content: 'Thought for 3 seconds' },
  },
  {
    author: { role: 'assistant' },
    content: { content_type: 'code', language: 'python', text: 'print(1)' },
    recipient: 'python',
  },
  { author: { role: 'tool', name: 'python' }, content: { content_type: 'execution_output', text: '1' } },
  {
    author: { role: 'user' },
    content: {
      content_type: 'multimodal_text',
      parts: [
        { content_type: 'audio_transcription', text: 'Spoken words', direction: 'in' },
        { content_type: 'real_time_user_audio_video_asset_pointer' },
      ],
    },
  },
  {
    author: { role: 'assistant' },
    content: { content_type: 'text', parts: ['A cat.'] },
    metadata: { model_slug: 'gpt-5-thinking' },
  },
]);

const claude = (message: object, more: object = {}) =>
  JSON.stringify([
    {
      uuid: 'c1',
      name: '',
      summary: '',
      created_at: '2025-09-01T10:00:00.000000Z',
      updated_at: '2025-09-01T10:05:00.000000+00:00',
      account: { uuid: 'a1' },
      chat_messages: [
        {
          uuid: 'm1',
          text: '',
          sender: 'human',
          created_at: '2025-09-01T10:00:00.000000Z',
          updated_at: '2025-09-01T10:00:00.000000Z',
          attachments: [],
          files: [],
          ...message,
        },
      ],
      ...more,
    },
  ]);

export const chatVariations: readonly Variation[] = [
  ...vary(
    'whatsapp',
    'WhatsApp Chat with Bo.txt',
    talks({
      'Android, British': '15/01/2024, 09:41 - ',
      'Android, American with a narrow space': '1/15/24, 9:41\u202fAM - ',
      'iPhone, American': '[1/15/24, 9:41:00\u202fAM] ',
      'iPhone with marks of direction': '\u200e[15/01/2024, 09:41:00] ',
      'Android, German': '15.01.24, 09:41 - ',
      'iPhone, German': '[15.01.24, 09:41:00] ',
      'Android, German of old': '15.01.24 um 09:41 - ',
      'Android, French': '15/01/2024 à 09:41 - ',
      'Android, Spanish': '15/1/24 9:41 - ',
      'Android, Spanish with half days': '15/1/24, 9:41\u00a0a.\u00a0m. - ',
      'Android, Portuguese': '15/01/2024 09:41 - ',
      'Android, Dutch': '15-01-2024 09:41 - ',
      'iPhone, Dutch': '[15-01-2024 09:41:00] ',
      'Android, Swedish': '2024-01-15 09:41 - ',
      'iPhone, Swedish': '[2024-01-15, 09:41:00] ',
      'Android, South African': '2024/01/15, 09:41 - ',
      'Android, Japanese': '2024/01/15 9:41 - ',
      'Android, Chinese': '2024/1/15 上午9:41 - ',
      'iPhone, Chinese': '[2024/1/15 上午9:41:00] ',
      'Android, Korean': '2024. 1. 15. 오전 9:41 - ',
      'Android, Finnish': '15.1.2024 klo 9.41 - ',
      'Android, Danish': '15.01.2024 09.41 - ',
      'Android, Indonesian': '15/01/24 09.41 - ',
      'Android, Hungarian': '2024. 01. 15. 9:41 - ',
      'Android, Bulgarian': '15.01.24 г., 9:41 ч. - ',
      'Android, Russian': '15.01.2024, 09:41 - ',
      'Android, Arabic digits': '١٥\u200f/١\u200f/٢٠٢٤، ٩:٤١ ص - ',
      'Android, Thai year': '15/1/2567 09:41 - ',
      'Android, Indian': '15/01/24, 9:41 am - ',
      'Android, Bengali digits': '১৫/১/২৪, ৯:৪১ AM - ',
      'Android, Hindi digits': '१५/१/२४, ९:४१ am - ',
      'Android, Vietnamese with the time first': '09:41, 15/01/2024 - ',
      'iPhone, Vietnamese with the time first': '[09:41:00, 15/01/2024] ',
      'iPhone, year of an emperor': '[1/15/R6, 9:41:00] ',
      'iPhone, year of an emperor first': '[R6/1/15 9:41:00] ',
      'iPhone, Thai year with its name': '[1/15/2567 BE, 09:41:00] ',
      'Android, Persian digits': '۱۵/۱/۲۰۲۴،\u200f ۹:۴۱ - ',
      'iPhone, year of Iran': '[۱۴۰۲/۱۰/۲۵،\u200f ۹:۴۱:۰۰] ',
      'iPhone, year of Arabia': '[٣‏/٧‏/١٤٤٥، ٩:٤١:٠٠ ص] ',
      'Android, Canadian': '2024-01-15 09 h 41 - ',
      'iPhone, Canadian': '[2024-01-15, 09 h 41 min 00 s] ',
      'Android, Hebrew with half days': '15.1.2024, 9:41 לפנה״צ - ',
      'Android, Hindi with half days': '15/1/24, 9:41 पूर्वाह्न - ',
      'Android, Marathi with half days': '१५/१/२४, ९:४१ म.पू. - ',
      'Android, Tamil with half days': '15/1/24, முற்பகல் 9:41 - ',
      'Android, Malay with half days': '15/01/2024, 9:41 PG - ',
      'Android, Albanian with half days': '15.1.24, 9:41 p.d. - ',
      'Android, Burmese': '၁၅/၁/၂၄၊ ၉:၄၁ - ',
    }),
    morning,
  ),
  ...vary(
    'whatsapp',
    'WhatsApp Chat with Bo.txt',
    {
      ...talks({
        'iPhone, Spanish evening': '[15/1/24, 9:41:00\u202fp.\u00a0m.] ',
        'Android, Greek evening': '15/1/24, 9:41 μ.μ. - ',
        'Android, Chinese evening': '2024/1/15 下午9:41 - ',
        'Android, Hebrew evening': '15.1.2024, 9:41 אחה״צ - ',
        'Android, Turkish evening': '15.01.2024 21:41 - ',
        'Android, American evening': '1/15/24, 9:41 PM - ',
      }),
      'with a mark and returns': `\ufeff${talk('[15/01/2024, 21:41:00] ').replaceAll('\n', '\r\n')}`,
      'in UTF-16': toUtf16(talk('15/01/2024, 21:41 - ')),
    },
    evening,
  ),
  {
    name: 'newest kinds of content',
    format: 'chatgpt',
    files: { 'conversations.json': newest },
    has: {
      conversations: [{ id: 'c1', title: 'Newest' }],
      messages: [
        { role: 'user', is_hidden: true },
        { role: 'user', text: 'What is this?', from_me: true },
        { role: 'assistant', text: 'Look\nA cat, I think.', is_hidden: true },
        { role: 'assistant', is_hidden: true },
        { role: 'assistant', text: 'print(1)' },
        { role: 'tool', text: '1' },
        { role: 'user', text: 'Spoken words', from_me: true },
        { role: 'assistant', text: 'A cat.', model: 'gpt-5-thinking', on_current_branch: true },
      ],
    },
  },
  {
    name: 'a list inside of an object',
    format: 'chatgpt',
    files: {
      'export/conversations.json': `{"conversations": ${chatgpt([{ author: { role: 'user' }, content: { content_type: 'text', parts: ['Hi'] } }])}}`,
    },
    has: { messages: [{ text: 'Hi' }] },
  },
  {
    name: 'text only in its blocks',
    format: 'claude',
    files: {
      'conversations.json': claude({
        content: [
          {
            start_timestamp: null,
            stop_timestamp: null,
            flags: null,
            type: 'text',
            text: 'In a block',
            citations: [],
          },
        ],
      }),
    },
    has: { conversations: [{ id: 'c1' }], messages: [{ text: 'In a block', from_me: true }] },
  },
  {
    name: 'without blocks, as in 2023',
    format: 'claude',
    files: { 'conversations.json': claude({ text: 'Plain' }) },
    has: { messages: [{ text: 'Plain', role: 'user' }] },
  },
  {
    name: 'one chat alone',
    format: 'telegram',
    files: {
      'ChatExport_2024-01-15/result.json': JSON.stringify({
        name: 'Bo',
        type: 'personal_chat',
        id: 4_352_345_234,
        messages: [
          {
            id: 1,
            type: 'message',
            date: '2024-01-15T09:41:00',
            date_unixtime: '1705308060',
            from: 'Anna',
            from_id: 'user1',
            text: ['Hi ', { type: 'bold', text: 'there' }],
            text_entities: [
              { type: 'plain', text: 'Hi ' },
              { type: 'bold', text: 'there' },
            ],
          },
          { id: 2, type: 'message', date: '2024-01-15T09:42:00', from: null, from_id: 'user2', text: 'Gone' },
        ],
      }),
    },
    has: {
      messages: [
        { text: 'Hi there', sent_at: '2024-01-15T08:41:00Z' },
        { text: 'Gone', sent_at: '2024-01-15T08:42:00Z' },
      ],
    },
  },
  {
    name: 'messages of a channel with threads, files and blocks',
    format: 'slack',
    files: {
      'ws/channels.json':
        '[{"id":"C1","name":"general","created":1704067200,"members":["U1"],"purpose":{"value":""}}]',
      'ws/users.json':
        '[{"id":"U1","team_id":"T1","name":"anna","profile":{"real_name":"Anna B","display_name":""}}]',
      'ws/general/2024-01-15.json': JSON.stringify([
        {
          type: 'message',
          user: 'U1',
          ts: '1705308060.000100',
          text: '',
          blocks: [
            {
              type: 'rich_text',
              elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'In a block' }] }],
            },
          ],
        },
        {
          type: 'message',
          subtype: 'channel_join',
          user: 'U1',
          ts: '1705308061.000100',
          text: '<@U1> has joined the channel',
        },
        {
          type: 'message',
          subtype: 'bot_message',
          bot_id: 'B1',
          username: 'ci',
          ts: '1705308062.000100',
          text: '',
          attachments: [{ fallback: 'Build is green', text: 'Build is *green*' }],
        },
      ]),
    },
    has: {
      messages: [
        { sender: 'Anna B', text: 'In a block' },
        { text: '@Anna B has joined the channel' },
        { sender: 'ci', text: expect.stringContaining('green') },
      ],
    },
  },
  {
    name: 'an archive of 2024 with wrapped and long posts',
    format: 'x',
    files: {
      'data/tweets.js': `window.YTD.tweets.part0 = [ {"tweet":{"edit_info":{},"retweeted":false,"source":"<a href=\\"https://x.com\\">X</a>","id_str":"1746800000000000001","id":"1746800000000000001","created_at":"Mon Jan 15 08:41:00 +0000 2024","full_text":"Hi &lt;there&gt;","favorite_count":"2","retweet_count":"0","lang":"en","entities":{"hashtags":[],"user_mentions":[{"name":"Bo","screen_name":"bo","id_str":"222","id":"222"}],"urls":[]}}}]`,
      'data/account.js': `window.YTD.account.part0 = [{"account":{"email":"a@example.org","createdVia":"web","username":"anna","accountId":"111","createdAt":"2010-01-01T00:00:00.000Z","accountDisplayName":"Anna"}}]`,
      'data/direct-messages.js': `window.YTD.direct_messages.part0 = [{"dmConversation":{"conversationId":"111-222","messages":[{"messageCreate":{"recipientId":"111","reactions":[],"urls":[],"text":"Hello you","mediaUrls":[],"senderId":"222","id":"9","createdAt":"2024-01-15T08:41:00.000Z","editHistory":[]}}]}}]`,
      'data/follower.js':
        'window.YTD.follower.part0 = [{"follower":{"accountId":"222","userLink":"https://twitter.com/intent/user?user_id=222"}}]',
    },
    has: {
      posts: [{ text: 'Hi <there>', created_at: '2024-01-15T08:41:00Z', like_count: 2 }],
      direct_messages: [{ sender: 'bo', recipient: 'anna', from_me: false, text: 'Hello you' }],
      followers: [{ id: '222', name: 'bo' }],
    },
  },
  {
    name: 'the package of 2024 in a folder of small letters',
    format: 'discord',
    files: {
      'package/messages/index.json': '{"900719925474099301":"general in Garden"}',
      'package/messages/c900719925474099301/channel.json':
        '{"id":"900719925474099301","type":0,"name":"general","guild":{"id":"1","name":"Garden"}}',
      'package/messages/c900719925474099301/messages.csv':
        'ID,Timestamp,Contents,Attachments\r\n900719925474099777,2022-06-01 10:00:00.123000+00:00,"Hello, ""you""",\r\n',
    },
    has: {
      messages: [
        {
          id: '900719925474099777',
          text: 'Hello, "you"',
          chat: 'general',
          sent_at: '2022-06-01T10:00:00.123Z',
        },
      ],
    },
  },
  {
    name: 'a thread of Facebook with its letters broken',
    format: 'facebook',
    files: {
      'your_facebook_activity/messages/inbox/jurgen_1/message_1.json':
        '{"participants":[{"name":"J\\u00c3\\u00bcrgen"},{"name":"Anna"}],"messages":[{"sender_name":"J\\u00c3\\u00bcrgen","timestamp_ms":1705308060123,"content":"Sch\\u00c3\\u00b6n \\u00f0\\u009f\\u0098\\u008a","is_geoblocked_for_viewer":false,"is_unsent_image_by_messenger_kid_parent":false}],"title":"J\\u00c3\\u00bcrgen","is_still_participant":true,"thread_path":"inbox/jurgen_1","magic_words":[]}',
    },
    has: { messages: [{ sender: 'Jürgen', text: 'Schön 😊', sent_at: '2024-01-15T08:41:00.123Z' }] },
  },
  {
    name: 'LINE in Japanese',
    format: 'line',
    files: {
      '[LINE] Yukiとのトーク.txt':
        '[LINE] Yukiとのトーク履歴\n保存日時：2024/01/15 10:00\n\n2024/01/15(月)\n09:41\tYuki\tおはよう\n09:42\tAnna\t[スタンプ]\n',
    },
    has: {
      messages: [{ sender: 'Yuki', text: 'おはよう', sent_at: '2024-01-15T08:41:00Z' }, { sender: 'Anna' }],
    },
  },
];
