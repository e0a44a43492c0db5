import type { Fields } from '../declare.ts';

/** The first of them; `attachments` has all. */
export const attachment = {
  type: ['object', 'null'],
  properties: { name: { type: 'string' }, media_type: { type: 'string' }, size_bytes: { type: 'integer' } },
  required: ['name', 'media_type', 'size_bytes'],
};

/** Fields that every kind of mail has, beyond those Gmail was first declared with. */
export const addedMessageFields: Fields = {
  cc: 'list: Mail addresses of those who got a copy',
  bcc: 'list: Mail addresses of those who got a copy unseen by the others',
  is_from_me: 'flag: Whether the owner wrote it',
  folder: 'text: The folder or file it was kept in',
  in_reply_to: 'text: The id of the mail it answers',
  attachments: {
    type: 'array',
    description: 'Names, kinds and sizes of the files that came with it; their content is not kept',
    items: { ...attachment, type: 'object' },
  },
  attachment_names: 'list, search: File names of all attachments',
  to_names: 'list, search: Names of the recipients, where the mail has them',
  cc_names: 'list, search: Names of those who got a copy',
  bcc_names: 'list: Names of those who got a copy unseen by the others',
};
