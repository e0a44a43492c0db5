import { expect } from 'vitest';
import type { Variation } from './variation.ts';

/** Shift_JIS without kana: `取引日,入出金(円),取引後残高(円),入出金内容`, and two payments. */
const RAKUTEN = Buffer.from(
  '8ee688f893fa2c93fc8f6f8be028897e292c8ee688f88ce38e638d8228897e292c93fc8f6f8be093e097650a' +
    '32303235313233312c2d313233342c3130303030302cbaddcbdec60a' +
    '32303235313232352c3235303030302c3130313233342c8b8b975e0a',
  'hex',
);
const chatgptLine = (id: string) =>
  JSON.stringify({
    title: id,
    mapping: {
      a: {
        id: 'a',
        parent: null,
        children: [],
        message: {
          id: 'a',
          author: { role: 'user' },
          content: { content_type: 'text', parts: [`Hi ${id}`] },
        },
      },
    },
    current_node: 'a',
    conversation_id: id,
  });
const claudeLine = (uuid: string) =>
  JSON.stringify({
    uuid,
    name: uuid,
    created_at: '2025-12-31T10:00:00Z',
    account: { uuid: 'a1' },
    chat_messages: [{ uuid: `${uuid}m`, text: 'Hi', sender: 'human', created_at: '2025-12-31T10:00:00Z' }],
  });
const bank = (name: string, content: string | Uint8Array, ...transactions: object[]): Variation => ({
  name,
  format: 'bank-csv',
  files: { 'statement.csv': content },
  has: { transactions: transactions as Record<string, unknown>[] },
});

/** Files of other languages and newer programs that were read as something else, or in part. */
export const localeVariations: readonly Variation[] = [
  {
    name: 'a conversation per line',
    format: 'chatgpt',
    files: { 'conversations.jsonl': `${chatgptLine('c1')}\n${chatgptLine('c2')}\n` },
    has: { conversations: [{ id: 'c1' }, { id: 'c2' }], messages: [{ text: 'Hi c1' }, { text: 'Hi c2' }] },
  },
  {
    name: 'a conversation per line',
    format: 'claude',
    files: { 'conversations.jsonl': `${claudeLine('c1')}\r\n${claudeLine('c2')}\r\n` },
    has: { conversations: [{ id: 'c1' }, { id: 'c2' }] },
  },
  {
    name: 'lists, contacts, places and kinds that Telegram itself cannot export',
    format: 'telegram',
    files: {
      'result.json': JSON.stringify({
        name: 'Bo',
        type: 'personal_chat',
        id: 1,
        messages: [
          {
            todo_list: {
              title: [{ type: 'plain', text: 'Trip' }],
              items: [{ id: 1, text: [{ type: 'plain', text: 'Tickets' }] }],
            },
          },
          { contact_information: { first_name: 'Cy', last_name: 'Lee', phone_number: '+49 30' } },
          {
            location_information: { latitude: 52.5, longitude: 13.4 },
            place_name: 'Café',
            address: 'Road 1',
          },
          { type: 'unsupported' },
        ].map((more, id) => ({ id, type: 'message', date: '2025-12-31T10:00:00', text: '', ...more })),
      }),
    },
    has: {
      messages: [
        { text: 'Trip\nTickets' },
        { text: 'Cy Lee +49 30', attachments: ['contact'] },
        { text: 'Café\nRoad 1\n52.5, 13.4', attachments: ['location'] },
        { media_type: 'unsupported' },
      ],
    },
  },
  {
    name: 'text files of imessage-exporter',
    format: 'imessage',
    files: {
      '+49301.txt':
        'Dec 31, 2025 11:58:10 PM (Read by them after 1 minute, 2 seconds)\nMe\nHello\n\nJan 01, 2026 12:01:00 AM\n+49301\nYou too\nattachments/IMG_1.heic\n\n    Jan 01, 2026  1:02:00 AM\n    Me\n    Thanks\n\nJan 01, 2026  1:02:00 AM\nMe\nThanks\nThis message responded to an earlier message.\n\nJan 01, 2026  1:03:00 AM Bo named the conversation Trip\n\n',
    },
    has: {
      messages: [
        { from_me: true, sender: 'Me', text: 'Hello', sent_at: '2025-12-31T22:58:10Z' },
        { from_me: false, sender: '+49301', text: 'You too', attachments: ['IMG_1.heic'] },
        { from_me: true, text: 'Thanks' },
        { kind: 'system', text: 'Bo named the conversation Trip' },
      ],
      chats: [{ name: '+49301', message_count: 4 }],
    },
  },
  {
    name: 'posts of Threads with their letters broken',
    format: 'instagram',
    files: {
      'your_threads_activity/threads_and_replies.json':
        '{"text_post_app_text_posts":[{"media":[{"uri":"","creation_timestamp":1767218400,"title":"sch\\u00c3\\u00b6n","text_app_post":{"is_spoiler_media":false}}]}]}',
    },
    has: { posts: [{ text: 'schön', created_at: '2025-12-31T22:00:00Z' }] },
  },
  {
    name: 'an iPhone that omits [LINE]',
    format: 'line',
    files: {
      'chat.txt':
        'Chat history with Yuki\nSaved on: 12/31/2025, 22:10\n\nWed, 12/31/2025\n22:10\tYuki\tHello\n',
    },
    has: { messages: [{ chat: 'Yuki', sender: 'Yuki', text: 'Hello', sent_at: '2025-12-31T21:10:00Z' }] },
  },
  {
    name: 'Korean',
    format: 'kindle',
    files: {
      'My Clippings.txt':
        '채식주의자 (한강)\n- 12페이지의 하이라이트 | 위치 170-172 | 추가된 날짜 2025년 12월 31일 수요일 오후 11:10:05\n\n아내가\n==========\n',
    },
    has: {
      highlights: [
        { kind: 'highlight', page: '12', location_start: 170, highlighted_at: '2025-12-31T22:10:05Z' },
      ],
    },
  },
  {
    name: 'Safari in its own file',
    format: 'browser',
    files: {
      'History.json':
        '{"metadata":{"browser_name":"Safari","browser_version":"26.0","data_type":"history","export_time_usec":1767218400000000,"schema_version":1},"history":[{"url":"https://example.org/a","title":"A","time_usec":1767218400000000,"visits_count":3}]}',
    },
    has: {
      visits: [{ url: 'https://example.org/a', browser: 'Safari', visited_at: '2025-12-31T22:00:00Z' }],
    },
  },
  {
    name: 'reviews of places on Google Maps',
    format: 'tracks',
    files: {
      'Reviews.json':
        '{"type":"FeatureCollection","features":[{"geometry":{"coordinates":[13.4,52.5],"type":"Point"},"properties":{"date":"2025-12-31T22:10:05Z","five_star_rating_published":4,"google_maps_url":"http://maps.google.com/?cid=1","location":{"name":"Café"},"review_text_published":"Good"},"type":"Feature"}]}',
    },
    has: { places: [{ name: 'Café', description: '4 of 5 stars\nGood' }] },
  },
  {
    name: 'Outlook in Japanese',
    format: 'calendar',
    files: {
      'calendar.csv':
        '"件名","開始日","開始時刻","終了日","終了時刻","終日イベント","会議の開催者","内容","場所","分類"\n"歯医者","2025/12/31","10:00:00","2025/12/31","11:00:00","FALSE","","検診","東京","標準"\n',
    },
    has: {
      events: [{ title: '歯医者', location: '東京', description: '検診', starts_at: '2025-12-31T09:00:00Z' }],
    },
  },
  {
    name: 'Japanese without a space in the name of the first column',
    format: 'strava',
    files: {
      'activities.csv':
        'アクティビティID,アクティビティ日,アクティビティ名,アクティビティタイプ,アクティビティの説明,経過時間,距離,最大心拍数,相対的エフォート,通勤,アクティビティの非公開メモ,アクティビティのギア,ファイル名\n123,"2025/12/31 22:10:05",夜のラン,ラン,,1800,5.10,180,50,false,,,activities/123.gpx\n',
    },
    has: { activities: [{ id: '123', name: '夜のラン', distance_m: 5100 }] },
  },
  {
    name: 'birthdays as Outlook in German writes them',
    format: 'contacts',
    files: {
      'Kontakte.csv':
        '"Vorname","Nachname","E-Mail-Adresse","Geburtstag"\n"Bo","Lee","b@example.org","01.02.1990"\n',
    },
    has: { people: [{ name: 'Bo Lee', birthday: '1990-02-01' }] },
  },
  bank(
    'Rakuten Bank in Shift_JIS without kana',
    RAKUTEN,
    { date: '2025-12-31', amount: -1234, currency: 'JPY', balance: 100000, merchant: 'ｺﾝﾋﾞﾆ' },
    { date: '2025-12-25', amount: 250000 },
  ),
  bank(
    'Rakuten Card',
    '"利用日","利用店名・商品名","利用者","支払方法","利用金額","手数料/利息","支払総額","1月支払金額","2月繰越残高","新規サイン"\n"2025/12/31","ローソン","本人","1回払い","1234","0","1234","1234","0","*"\n',
    { date: '2025-12-31', amount: -1234, merchant: 'ローソン', type: '1回払い' },
  ),
  bank(
    'ING in Belgium in French',
    'Numéro de compte;Nom du compte;Compte partie adverse;Numéro de mouvement;Date comptable;Date valeur;Montant;Devise;Libellés;Détails du mouvement;Message\nBE00 1234;Compte à vue;BE11 2222;123;31/12/2025;31/12/2025;-12,34;EUR;Paiement Bancontact;LIDL 1000 Bruxelles;\n',
    { date: '2025-12-31', amount: -12.34, currency: 'EUR', counterparty_iban: 'BE11 2222' },
  ),
  bank(
    'Intesa Sanpaolo',
    'Data,Operazione,Dettagli,Conto o carta,Contabilizzazione,Categoria,Valuta,Importo\n31/12/2025,Lidl,Pagamento,Conto 1000,CONTABILIZZATO,Alimentari,EUR,"-12,34"\n',
    { date: '2025-12-31', amount: -12.34, currency: 'EUR', merchant: 'Lidl', category: 'Alimentari' },
  ),
  bank(
    'Itaú, whose currency is R$',
    'data;lançamento;ag./origem;valor (R$);saldos (R$)\n31/12/2025;PIX JOAO;;-1.234,50;\n30/12/2025;PIX ANA;;20,00;1.334,50\n',
    { date: '2025-12-31', amount: -1234.5, currency: 'BRL', merchant: 'PIX JOAO' },
    { amount: 20, balance: 1334.5 },
  ),
  bank(
    'a currency after a word of its language',
    'Data;Descrição;Montante em EUR\n31/12/2025;Loja;-12,34\n',
    { date: '2025-12-31', amount: -12.34, currency: 'EUR' },
  ),
  bank(
    'Croatian',
    'Datum knjiženja;Datum valute;Opis plaćanja;Isplata;Uplata;Stanje\n31.12.2025;31.12.2025;Konzum;12,34;;100,00\n30.12.2025;30.12.2025;Plaća;;20,00;112,34\n',
    { date: '2025-12-31', amount: -12.34, merchant: 'Konzum', balance: 100 },
    { date: '2025-12-30', amount: 20 },
  ),
  bank(
    'HypoVereinsbank, whose column of payees has a number',
    'Kontonummer;Buchungsdatum;Valuta;Empfaenger 1;Empfaenger 2;Verwendungszweck;Betrag;Waehrung\nDE00;31.12.2025;31.12.2025;LIDL;;EINKAUF;-12,34;EUR\n',
    { merchant: 'LIDL', description: 'EINKAUF', amount: -12.34, currency: 'EUR' },
  ),
  bank(
    'Korean dates',
    '거래일시,적요,출금액,입금액,잔액\n2025년 12월 31일 오후 11시 05분,편의점,1234,,100000\n',
    { date: '2025-12-31', booked_at: '2025-12-31T22:05:00Z', amount: -1234, merchant: expect.any(String) },
  ),
];
