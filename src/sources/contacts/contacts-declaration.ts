import { declareSource, describeObject, flag, list, selection, sensitive, text, time } from '../declare.ts';

export const contactsDeclaration = declareSource('contacts', 'Contacts', [
  {
    name: 'people',
    description: 'An address book: people and companies, and how to reach them.',
    display: {
      label: 'Contacts',
      detail: 'Names, mail addresses, phone numbers and notes of your address book.',
    },
    semantics: 'mutable_state',
    schema: describeObject(['id'], {
      id: text(),
      name: text(),
      given_name: text(),
      family_name: text(),
      nickname: text(),
      organization: text(),
      job_title: text(),
      kind: text('group or org, where it is not a person'),
      emails: sensitive(list('Mail addresses, the first is the main one')),
      phones: sensitive(list('Phone numbers as they were written')),
      addresses: sensitive(list('Postal addresses, one line each')),
      birthday: sensitive(text('YYYY-MM-DD, or --MM-DD without a year')),
      dates: sensitive(list('Other days, with what they are: Anniversary: 1970-06-02')),
      related: list('People close to them, with what they are: Spouse: Ann'),
      urls: list('Web pages'),
      handles: list('Accounts elsewhere, with where: Skype: ann'),
      groups: list('Groups or labels of the address book'),
      note: text(),
      has_photo: flag('The picture itself is not kept'),
      updated_at: time('When the entry was last changed'),
      labelled_emails: sensitive(list('Mail addresses that have a label: work: ann@example.org')),
      labelled_phones: sensitive(list('Phone numbers that have a label: mobile: +1 555 0100')),
      labelled_addresses: sensitive(list('Postal addresses that have a label: home: 1 Road, Town')),
    }),
    primary_key: ['id'],
    selection,
    views: [
      { id: 'basic', label: 'Names and mail addresses', fields: ['id', 'name', 'organization', 'emails'] },
    ],
    query: {
      search: {
        lexical_fields: [
          'name',
          'nickname',
          'organization',
          'job_title',
          'emails',
          'phones',
          'note',
          'related',
        ],
      },
    },
  },
]);
