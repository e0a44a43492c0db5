import { type Variation, vary } from './variation.ts';

const ytd = (name: string, ...values: object[]) => `window.YTD.${name}.part0 = ${JSON.stringify(values)}`;
const lines = (...values: object[]) => `${values.map((value) => JSON.stringify(value)).join('\n')}\n`;
const labels = (...pairs: [string, string][]) => pairs.map(([label, value]) => ({ label, value }));
const owner = {
  title: 'Owner',
  dict: [{ title: '', dict: labels(['URL', ''], ['Name', 'Bo L'], ['Username', 'bo.l']) }],
};
const reel = 'https://www.instagram.com/reel/X/';
const slack = (second: number, more: object) => ({
  type: 'message',
  user: 'U1',
  ts: `17053080${second}.000100`,
  ...more,
});
const voice = (people: string, sender: string, text: string) =>
  `<html><head><title>Group Conversation</title></head><body><div class="participants">With: ${people
    .split(' ')
    .map(
      (name) =>
        `<cite class="sender vcard"><a class="tel" href="tel:+1"><span class="fn">${name}</span></a></cite>`,
    )
    .join(
      ', ',
    )}</div><div class="hChatLog hfeed"><div class="message"><abbr class="dt" title="2024-01-15T09:41:00.000+01:00">x</abbr>: <cite class="sender vcard"><a class="tel" href="tel:+2"><span class="fn">${sender}</span></a></cite>: <q>${text}</q></div></div></body></html>`;

const posted = {
  posts: [
    { id: '5', text: 'Salt & pepper', created_at: '2015-03-04T05:06:07Z', is_repost: false },
    { is_repost: true },
  ],
};

/** Networks and messengers of other years and layouts, and what programs save of them. */
export const socialVariations: readonly Variation[] = [
  {
    name: 'channels without a name, dates, lists and boxes of apps',
    format: 'slack',
    files: {
      'ws/channels.json': '[{"id":"C1","name":"general","members":["U1"]}]',
      'ws/users.json': '[{"id":"U1","profile":{"real_name":"Anna"}}]',
      'ws/general/2024-01-15.json': JSON.stringify([
        slack(60, { text: 'in <#C1|> on <!date^1392734382^{date}|18 Feb>' }),
        slack(61, {
          text: '',
          blocks: [
            {
              type: 'rich_text',
              elements: [
                {
                  type: 'rich_text_section',
                  elements: [
                    { type: 'user', user_id: 'U1' },
                    { type: 'text', text: ' ' },
                    { type: 'link', url: 'https://example.org', text: 'site' },
                  ],
                },
                {
                  type: 'rich_text_list',
                  elements: ['one', 'two'].map((text) => ({
                    type: 'rich_text_section',
                    elements: [{ type: 'text', text }],
                  })),
                },
              ],
            },
          ],
        }),
        slack(62, { text: '', blocks: [{ type: 'section', fields: [{ type: 'mrkdwn', text: 'Field' }] }] }),
        slack(63, {
          text: '',
          attachments: [{ fallback: 'no', fields: [{ title: 'Build', value: 'green' }] }],
        }),
        slack(64, { text: '', user: 'USLACKBOT', comment: { comment: 'Nice' } }),
      ]),
    },
    has: {
      messages: [
        { text: 'in #general on 18 Feb' },
        { text: '@Anna site (https://example.org)\none\ntwo' },
        { text: 'Field' },
        { text: 'Build: green' },
        { text: 'Nice', sender: 'Slackbot' },
      ],
    },
  },
  {
    name: 'messages of 2019, and posts in a community',
    format: 'x',
    files: {
      'direct-message.js': ytd('direct_message', {
        dmConversation: {
          conversationId: '1-2',
          messages: [
            {
              messageCreate: {
                id: '9',
                senderId: '1',
                recipientId: '2',
                text: 'Yo',
                createdAt: '2018-01-15T08:41:00.000Z',
              },
            },
          ],
        },
      }),
      'community-tweet.js': ytd('community_tweet', { tweet: { id_str: '3', full_text: 'Among us' } }),
    },
    has: {
      direct_messages: [{ id: '9', text: 'Yo', sent_at: '2018-01-15T08:41:00Z' }],
      posts: [{ id: '3', text: 'Among us' }],
    },
  },
  ...vary(
    'x',
    'tweets.csv',
    {
      'the table of an archive before 2019':
        '"tweet_id","in_reply_to_status_id","in_reply_to_user_id","timestamp","source","text","retweeted_status_id","expanded_urls"\n"5","","","2015-03-04 05:06:07 +0000","web","Salt &amp; pepper","","http://example.org"\n"6","","","2015-03-05 05:06:07 +0000","web","RT @bo: so","4",""\n',
    },
    posted,
  ),
  {
    name: 'a channel in which only the app has spoken, and words with an address',
    format: 'telegram',
    files: {
      'a.json': JSON.stringify({
        name: 'News',
        type: 'public_channel',
        id: 5,
        messages: [
          { id: 1, type: 'service', date: '2024-01-15T09:41:00', actor: 'News', action: 'create_channel' },
        ],
      }),
      'b.json': JSON.stringify({
        name: 'Bo',
        type: 'personal_chat',
        id: 6,
        messages: [
          {
            id: 1,
            type: 'message',
            date: '2024-01-15T09:41:00',
            edited: '1970-01-01T01:00:00',
            from: 'Bo',
            from_id: 6,
            text: ['See ', { type: 'text_link', text: 'here', href: 'https://example.org' }],
          },
        ],
      }),
    },
    has: {
      messages: [
        { chat: 'News', kind: 'service', sent_at: '2024-01-15T08:41:00Z' },
        { chat: 'Bo', text: 'See here (https://example.org)' },
      ],
    },
  },
  {
    name: 'likes, saves and posts in labels, as since 2025',
    format: 'instagram',
    files: {
      'ig/your_instagram_activity/likes/liked_posts.json': JSON.stringify([
        {
          timestamp: 1705308060,
          media: [],
          label_values: [
            { label: 'URL', value: reel, href: reel },
            ...labels(['Caption', 'Caf\u00c3\u00a9'], ['Title', '']),
            owner,
          ],
          fbid: '1',
        },
      ]),
      'ig/your_instagram_activity/saved/saved_posts.json': JSON.stringify([
        { timestamp: 1705308061, label_values: [{ label: 'URL', href: reel }, owner] },
      ]),
      'ig/your_instagram_activity/media/posts.json': JSON.stringify([
        {
          timestamp: 1705308062,
          media: [{ uri: 'media/1.jpg', creation_timestamp: 1705308062 }],
          label_values: labels(['Bildunterschrift', 'Mine']),
        },
      ]),
      // What was only shown is no act of the owner, and no source of its own either.
      'ig/ads_information/posts_viewed.json': JSON.stringify([
        { timestamp: 1, label_values: labels(['URL', reel]) },
      ]),
    },
    has: {
      likes: [
        { kind: 'like', owner: 'bo.l', title: 'Café', url: reel, created_at: '2024-01-15T08:41:00Z' },
        { kind: 'save', owner: 'bo.l', url: reel },
      ],
      posts: [{ text: 'Mine', media: ['media/1.jpg'], created_at: '2024-01-15T08:41:02Z' }],
    },
  },
  {
    name: 'the layout of 2019',
    format: 'facebook',
    files: {
      'profile_information/profile_information.json':
        '{"profile":{"name":{"full_name":"Anna B"},"username":"annab"}}',
      'posts/your_posts_1.json':
        '[{"timestamp":1705308060,"data":[{"post":"Hello"}],"title":"Anna shared a link."}]',
      'messages/inbox/bo_1/message_1.json':
        '{"participants":[{"name":"Bo"},{"name":"Anna B"}],"messages":[{"sender_name":"Anna B","timestamp_ms":1705308060000,"content":"Hi","type":"Generic"}],"title":"Bo","thread_path":"inbox/bo_1"}',
      'groups/group_posts.json': '{"group_posts_v2":[{"timestamp":1705308061,"data":[{"post":"To all"}]}]}',
    },
    has: {
      posts: [{ text: 'To all' }, { text: 'Hello', title: 'Anna shared a link.' }].reverse(),
      messages: [{ text: 'Hi', from_me: true }],
    },
  },
  {
    name: 'a channel as a table of DiscordChatExporter',
    format: 'discord',
    files: {
      'Garden - Talk - general [900719925474099301].csv':
        'AuthorID,Author,Date,Content,Attachments,Reactions\n"111","anna","2024-01-15T09:41:00.0000000+01:00","Hello, all","https://example.org/1/a.png",""\n',
    },
    has: {
      messages: [
        {
          sender: 'anna',
          sender_id: '111',
          text: 'Hello, all',
          sent_at: '2024-01-15T08:41:00Z',
          attachments: ['a.png'],
        },
      ],
      chats: [{ id: '900719925474099301', name: 'general', server: 'Garden' }],
    },
  },
  {
    name: 'what programs say in boxes, and stickers',
    format: 'discord',
    files: {
      'general.json': JSON.stringify({
        guild: { id: '1', name: 'Garden' },
        channel: { id: '9', name: 'general' },
        messages: [
          {
            id: '1',
            timestamp: '2024-01-15T08:41:00+00:00',
            content: '',
            author: { id: '2', name: 'ci' },
            embeds: [{ title: 'Build', description: 'Green', fields: [{ name: 'Took', value: '3 s' }] }],
          },
          {
            id: '2',
            timestamp: '2024-01-15T08:41:01+00:00',
            content: '',
            author: { id: '2', name: 'ci' },
            stickers: [{ name: 'wave' }],
          },
        ],
      }),
    },
    has: { messages: [{ text: 'Build\nGreen\nTook: 3 s' }, { attachments: ['wave'] }] },
  },
  {
    name: 'messages of 2018, times without a zone, and a piece of a page',
    format: 'linkedin',
    files: {
      'Connections.csv':
        'First Name,Last Name,Email Address,Company,Position,Connected On\nBo,Lind,,Acme,CEO,"1/15/18, 8:41 AM"\n',
      'Messages.csv':
        'From,To,Date,Subject,Content,Direction,Folder\nBo Lind,Anna,"1/15/18, 8:41 AM",Hi,<p>Hello &amp; you</p>,INCOMING,INBOX\n',
      'Shares.csv':
        'Date,ShareLink,ShareCommentary,SharedUrl,MediaUrl,Visibility\n2024-01-15 08:41:00,https://l,Post,,,X\n',
    },
    has: {
      messages: [
        { chat_id: 'Bo Lind', from_me: false, text: 'Hello & you', sent_at: '2018-01-15T08:41:00Z' },
      ],
      posts: [{ created_at: '2024-01-15T08:41:00Z' }],
    },
  },
  {
    name: 'tables that come a second time without what was said',
    format: 'reddit',
    files: {
      'posts.csv':
        'id,permalink,date,ip,subreddit,gildings,title,url,body\np1,https://www.reddit.com/r/tea/comments/p1/t/,2024-01-15 08:41:00 UTC,,tea,0,T,,Words\n',
      'post_headers.csv':
        'id,permalink,date,ip,subreddit,gildings,url\np1,https://www.reddit.com/r/tea/comments/p1/t/,2024-01-15 08:41:00 UTC,,tea,0,\n',
      'comments.csv':
        'id,permalink,date,ip,subreddit,gildings,link,parent,body\nc1,https://www.reddit.com/r/tea/comments/p1/t/c1/,2024-01-15 08:41:00 UTC,,tea,0,https://l,,Mine\n',
      'z_comment_headers.csv':
        'id,permalink,date,ip,subreddit,gildings,link,parent\nc1,https://www.reddit.com/r/tea/comments/p1/t/c1/,2024-01-15 08:41:00 UTC,,tea,0,https://l,\n',
      'message_headers.csv':
        'id,permalink,thread_id,date,ip,from,to\nm1,https://www.reddit.com/m/m1,,2024-01-15 08:41:00 UTC,,bo,anna\n',
    },
    has: {
      posts: [{ id: 'p1', text: 'Words' }],
      comments: [{ id: 'c1', text: 'Mine' }],
      messages: [{ id: 'm1', sender: 'bo' }],
      saved: [],
    },
  },
  {
    name: 'lines of JSON, read where the chat is not there as text',
    format: 'signal',
    files: {
      'Bo/data.json': lines(
        {
          date: '2024-01-15 09:41:00',
          sender: 'Me',
          body: 'Hi',
          quote: '',
          sticker: '',
          reactions: [],
          attachments: [],
        },
        {
          date: '2024-01-15 09:42:00',
          sender: 'Bo',
          body: 'Yo',
          quote: '',
          sticker: '',
          attachments: [{ name: 'a.png' }],
        },
      ),
      'Cy/data.json': lines({
        date: '2024-01-15 09:41:00',
        sender: 'Me',
        body: 'Same',
        quote: '',
        sticker: '',
      }),
      'Cy/chat.md': '[2024-01-15 09:41:00] Me: Same\n',
    },
    has: {
      messages: [
        { chat: 'Bo', text: 'Hi', from_me: true, sent_at: '2024-01-15T08:41:00Z' },
        { chat: 'Bo', text: 'Yo', attachments: ['a.png'] },
        { chat: 'Cy', text: 'Same' },
      ],
    },
  },
  {
    name: 'two groups, which are called alike',
    format: 'google-voice',
    files: {
      'Calls/Group Conversation - 2024-01-15T08_41_00Z.html': voice('Bo Cy', 'Cy', 'Hey'),
      'Calls/Group Conversation - 2024-02-15T08_41_00Z.html': voice('Di Ed', 'Ed', 'Ho'),
    },
    has: {
      messages: [
        { chat: 'Bo, Cy', sender: 'Cy', text: 'Hey' },
        { chat: 'Di, Ed', text: 'Ho' },
      ],
      chats: [{ id: 'Bo, Cy' }, { id: 'Di, Ed' }],
    },
  },
  {
    name: 'a group of an iPhone, with a document left out and words changed on Android',
    format: 'whatsapp',
    files: {
      '_chat.txt':
        '[15/01/2024, 09:41:00] Choir: \u200eMessages and calls are end-to-end encrypted.\n[15/01/2024, 09:41:01] Anna: Plan.pdf • \u200e3 pages \u200edocument omitted\n[15/01/2024, 09:41:02] Bo: New <This message was edited>\n',
    },
    has: {
      messages: [
        { chat: 'Choir', kind: 'system' },
        { kind: 'media', attachments: ['Plan.pdf'] },
        { text: 'New', is_edited: true },
      ],
    },
  },
];
