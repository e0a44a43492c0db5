import { describe, expect, it } from 'vitest';
import { findFieldReason } from '../../src/grants/sensitive.ts';
import { describeFields } from '../../src/schema-index/field.ts';
import { calendarDeclaration } from '../../src/sources/calendar/calendar-declaration.ts';
import { contactsDeclaration } from '../../src/sources/contacts/contacts-declaration.ts';
import { gmailDeclaration } from '../../src/sources/gmail/gmail-declaration.ts';
import { googleCalendarDeclaration } from '../../src/sources/google-calendar/google-calendar-declaration.ts';
import { slackDeclaration } from '../../src/sources/slack/slack-declaration.ts';

describe('mail addresses of other people', () => {
  it.each([
    [contactsDeclaration, 'people', ['emails', 'phones']],
    [googleCalendarDeclaration, 'events', ['attendee_emails', 'organizer_email']],
    [calendarDeclaration, 'events', ['attendee_emails', 'organizer_email']],
    [slackDeclaration, 'users', ['email', 'phone']],
  ] as const)('are marked as sensitive by their source, as phone numbers are', (source, name, wanted) => {
    const stream = source.streams.find((one) => one.name === name);
    const fields = stream === undefined ? [] : describeFields(stream);
    const marked = fields.filter(
      (field) => field.schema['x-pdpp-sensitive'] === true && findFieldReason(field) === 'contact',
    );
    expect(marked.map((field) => field.name).sort()).toEqual(expect.arrayContaining([...wanted]));
  });

  it.each([
    ['messages', ['bcc', 'cc', 'from_address', 'to']],
    ['threads', ['participants']],
  ])('are known in the %s of a mailbox by what is said of a field', (name, wanted) => {
    const stream = gmailDeclaration.streams.find((one) => one.name === name);
    const found = stream === undefined ? [] : describeFields(stream);
    const contacts = found.filter((field) => findFieldReason(field) === 'contact');
    expect(contacts.map((field) => field.name).sort()).toEqual(wanted);
  });
});
