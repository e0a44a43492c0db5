import { declareSource, declareStream, hasMany, hasOne, oneOf } from '../declare.ts';
import { declareAttachments } from '../declare-attachments.ts';

const streams = declareSource('slack', 'Slack', [
  declareStream('channels', 'Channels', {
    description: 'Channels of the workspace that the owner is a member of.',
    detail: 'Names and purposes of the channels you are in.',
    cursor: 'created_at',
    view: { label: 'Names', fields: ['id', 'name'] },
    relations: [hasMany('messages', 'messages', 'channel_id')],
    fields: {
      id: 'text',
      name: 'text, search',
      purpose: 'text, search',
      is_private: 'flag',
      member_count: 'integer',
      created_at: 'time',
      kind: oneOf(['channel', 'private_channel', 'group_message', 'direct_message']),
      topic: 'text',
      is_archived: 'flag',
      members: 'list: Ids of the members',
    },
  }),
  declareStream('users', 'Members', {
    description: 'Members of the workspace.',
    detail: 'Names, roles and mail addresses of the people in the workspace.',
    view: { label: 'Names', fields: ['id', 'name'] },
    relations: [hasMany('messages', 'messages', 'user_id')],
    fields: {
      id: 'text',
      name: 'text, search',
      handle: 'text, search',
      title: 'text or null, search: Job or role',
      email: 'text or null, sensitive',
      time_zone: 'text',
      is_bot: 'flag',
      is_deleted: 'flag: Whether the account has been closed',
      phone: 'text or null, sensitive',
    },
  }),
  declareStream('messages', 'Messages', {
    description: 'Messages in channels, including the replies in threads.',
    detail: 'What was written in your channels, by whom and when.',
    semantics: 'append_only',
    key: ['channel_id', 'ts'],
    time: 'sent_at',
    views: [
      { id: 'basic', label: 'Text and time', fields: ['channel_id', 'ts', 'user_id', 'text', 'sent_at'] },
      {
        id: 'activity',
        label: 'Who wrote when, without texts',
        fields: ['channel_id', 'ts', 'user_id', 'sent_at'],
      },
    ],
    relations: [
      hasMany('replies', 'messages', 'parent_id'),
      hasOne('parent', 'messages', 'parent_id'),
      hasOne('user', 'users', 'user_id'),
      hasOne('channel', 'channels', 'channel_id'),
    ],
    fields: {
      channel_id: 'text',
      ts: 'text: Identifies the message within its channel',
      user_id: 'text',
      text: 'text, search',
      sent_at: 'time, required',
      parent_id: 'text or null: Key of the message that this one replies to',
      reply_count: 'integer',
      reactions: 'list: Names of the emoji others reacted with',
      is_edited: 'flag',
      language: 'text: ISO 639-1 code of the language of the text',
      sender: 'text: Name of the member or app that wrote it',
      channel: 'text: Name of the channel',
      subtype: 'text: Type of a message that is not plain text: channel_join, bot_message and the like',
      attachments: 'list: Names of files',
    },
  }),
]);

export const slackDeclaration = declareAttachments(streams, 'messages');
