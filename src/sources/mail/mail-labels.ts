import { decodeWords } from 'postal-mime';
import { recall } from './mime/recall.ts';

/** What Gmail calls the owner's own mail, in the languages people have it in. */
const SENT = new Set(
  'sent|gesendet|messages envoyés|envoyés|enviados|enviado|posta inviata|inviati|verzonden|wysłane|отправленные|skickat|sendt|lähetetyt|odeslaná|gönderilmiş postalar|送信済み|已发送邮件|已发邮件|寄件備份|보낸편지함|надіслані'.split(
    '|',
  ),
);
const UNREAD = new Set(
  'unread|ungelesen|non lus|no leídos|no leído|não lidas|não lidos|da leggere|ongelezen|nieprzeczytane|непрочитанные|oläst|ulest|未読|未读|읽지 않음'.split(
    '|',
  ),
);

/** The labels of an X-Gmail-Labels header: encoded words, commas between, quotes around what holds a comma. */
export const parseLabels: (header: string) => readonly string[] = recall((header) => {
  const found = decodeWords(header).matchAll(/"((?:[^"\\]|\\.)*)"|([^,]+)/g);
  const labels = [...found].map(([, quoted, plain]) =>
    (quoted?.replace(/\\(.)/g, '$1') ?? plain ?? '').replace(/\s+/g, ' ').trim(),
  );
  return [...new Set(labels.filter((label) => label !== ''))];
});

export const isSentLabel = (label: string) => SENT.has(label.toLowerCase());
export const isUnreadLabel = (label: string) => UNREAD.has(label.toLowerCase());
