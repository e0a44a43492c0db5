import type { JsonObject } from '../values/json.ts';
import type { ChatEntry } from './chat-text.ts';

/** iPhones put this mark before texts that the app inserts. */
const MARK = '\u200e';
const MAX_TAG_CHARACTERS = 60;

export function readBody({ sender, text }: ChatEntry): JsonObject {
  const { rest, isEdited } = splitEditMark(text);
  const { body, attached } = splitAttachment(rest);
  const bare = body.replaceAll(MARK, '').trim();
  const isMarked = body.startsWith(MARK);
  const isOmitted =
    /^<[^<>\n]{3,60}>$/.test(bare) || (isMarked && OMITTED.test(bare) && bare.length < MAX_TAG_CHARACTERS);
  const kind =
    sender === undefined
      ? 'system'
      : attached !== undefined || isOmitted
        ? 'media'
        : (detectShared(body) ?? (isMarked ? 'system' : 'message'));
  return {
    kind,
    text: bare === '' ? undefined : bare,
    attachments:
      attached !== undefined ? [attached] : kind === 'media' ? [bare.replace(/[<>]/g, '')] : undefined,
    is_edited: isEdited ? true : undefined,
  };
}

/** Returns whether a text is a notice about the chat, not about a deleted message. */
export function isNotice(text: string): boolean {
  const body = text.replaceAll(MARK, '').trim();
  const { kind } = readBody({ sender: '', text } as ChatEntry);
  return text.startsWith(MARK) && kind === 'system' && !(body.length < 80 && DELETED.test(body));
}

/** Removes the edit mark at the end of a text: `Better now ‎<This message was edited>`. */
function splitEditMark(text: string): { rest: string; isEdited: boolean } {
  const found = /\s?(\u200e?)<([^<>\n]{5,60})>$/.exec(text);
  if (found === null || found.index === 0) return { rest: text, isEdited: false };
  const [, mark, words = ''] = found;
  const isAboutFile = /[:：]/.test(words) || OMITTED.test(words);
  // In unknown languages the mark shows that the text is the app's.
  const isEdited = EDITED.test(words) ? !/[:：].*\.\w{2,5}$/.test(words) : mark === MARK && !isAboutFile;
  return isEdited ? { rest: text.slice(0, found.index), isEdited } : { rest: text, isEdited };
}

/**
 * Finds the attached file: `Plan.pdf • ‎1 page ‎<attached: 00000003-Plan.pdf>`, on Android `IMG.jpg (file
 * attached)`.
 */
function splitAttachment(text: string): { body: string; attached: string | undefined } {
  const tag = /\s?\u200e<([^<>:\n]+[:：]\s?)([^<>\n]+)>$/.exec(text);
  if (tag !== null && tag.index > 0 && tag[0].length <= MAX_TAG_CHARACTERS + 4)
    return { body: text.slice(0, tag.index), attached: tag[2] };
  const bare = text.replaceAll(MARK, '').trim();
  const attached =
    /<[^<>:：\n]+[:：]\s?([^<>\n]+\.\w{2,5})>$/.exec(bare)?.[1] ??
    /^(\S[^\n]*?\.\w{2,5}) \([^()\n]{3,60}\)(?:\n|$)/.exec(bare)?.[1] ??
    findOmittedFile(text);
  return { body: text, attached };
}

/** Finds the name of an omitted file: `Plan.pdf • 3 pages document omitted`. The app's text follows the mark. */
function findOmittedFile(body: string): string | undefined {
  const [, name, words] = /^([^\u200e\n]+?)(?: •)? \u200e([^\n]{3,80})$/.exec(body) ?? [];
  return words !== undefined && OMITTED.test(words) ? name?.trim() : undefined;
}

/** `POLL:`, the question, then `OPTION: Monday (2 votes)` lines: the words are translated, the layout is not. */
const POLL =
  /^\u200e?([^\n:：]{2,30}?)\s?[:：]\s*\n[^\n]+(?:\n\s*\u200e?([^\n:：]{2,30}?)\s?[:：] ?[^\n]*[(（]\p{Nd}+[^()（）\n]*[)）])+\s*$/u;
const LOCATION =
  /^\u200e?[^\n:：]{3,40}[:：]\s(?:[^\n]{0,300}[\s(])?https?:\/\/(?:maps\.google\.com\/(?:maps)?\?q=|foursquare\.com\/v\/|maps\.apple\.com\/)/;

function detectShared(body: string): 'poll' | 'location' | undefined {
  const [, word] = POLL.exec(body) ?? [];
  // Without the mark, capitals distinguish a poll from a typed list.
  if (word !== undefined && word === word.toUpperCase() && (body.startsWith(MARK) || /\p{Lu}/u.test(word)))
    return 'poll';
  if (LOCATION.test(body)) return 'location';
  const words = body.replace(MARK, '').trim();
  const isLive = words.length < MAX_TAG_CHARACTERS && LIVE_LOCATION.test(words);
  return isLive && (body.startsWith(MARK) || /^live location shared$/i.test(words)) ? 'location' : undefined;
}

/** Parts of the texts that WhatsApp inserts, in the languages of its users. */

const OMITTED =
  /omitt?ed|omitid|oculto|weggelassen|ausgelassen|nicht enthalten|omis|absent|omess|weggelaten|udelad|utelämn|utelat|pominięt|пропущ|отсутств|省略|생략|略去|ausente|dihilangkan|çıkarıldı|vynechán|kihagyva|omisă|παραλείφθηκε|jätetty pois|השמט|تم استبعاد|حذف شد|छोड़ा|不包含|bỏ qua|ละเว้น/i;

const EDITED =
  /edited|bearbeitet|modifi|edit(?:ad|ó)|bewerkt|redigera|redigert|redigeret|edytowan|zmodyfikowan|düzenlen|diedit|disunting|редак|измен|змінен|upraven|uređen|szerkeszt|editat|επεξεργ|muokattu|編集|编辑|編輯|수정|נערכ|تعديل|ویرایش|एडिट|संपादित|সম্পাদ|এডিট|chỉnh sửa|แก้ไข/i;

const DELETED =
  /deleted|gelöscht|supprim|eliminad|eliminat|eliminó|eliminaste|apagad|verwijderd|slettet|raderat|raderad|poistettu|usunięt|smazán|odstránen|törölt|șters|διαγράφηκε|удал|видален|silindi|dihapus|dipadam|削除|삭제|删除|刪除|נמחק|حذف|हटा|মুছে|đã xóa|ลบ/i;

const LIVE_LOCATION =
  /live location|live-?standort|ubicación en (?:tiempo real|vivo)|(?:localisation|position) en direct|posizione (?:in tempo reale|attuale)|localização (?:em tempo real|atual)|live-?locatie|geodane|трансляция геоданных|canlı konum|リアルタイム位置情報|실시간 위치|实时位置|即時位置/i;
