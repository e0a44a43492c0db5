/**
 * Words of many scripts, some of each one letter or one sign apart: what a tokenizer that drops, splits or
 * folds too much would take for one another. Escapes stand where an editor would hide what is meant.
 */
export const SCRIPTS = {
  devanagari: [
    'किताब',
    'कताब',
    'किताबें',
    'विद्यालय',
    'विद्यालया',
    'नदियाँ',
    'नदिया',
    'हिन्दुस्तान',
    'दिन',
    'दान',
    'क्\u200dषेत्र',
  ],
  tamil: ['புத்தகம்', 'புத்தகம', 'பத்தகம்', 'விமானம்', 'வமானம்', 'மழைக்காலம்', 'மழைக்காலமே'],
  bengali: ['কিতাবখানা', 'কতাবখানা', 'নদীগুলি', 'নদীগুলো', 'বিদ্যালয়', 'বিদ্যালয়ে'],
  thai: ['ภาษาไทย', 'หนังสือ', 'หนังสีอ', 'น้ำตก', 'นำตก'],
  hebrew: ['שָׁלוֹם', 'שלום', 'שלומם', 'סֵפֶרִים', 'ספרים', 'ספורים'],
  arabic: ['كِتَابَان', 'كتابان', 'كتابات', 'مَدْرَسَة', 'مدرسة', 'مدرسات', 'الطـــريق', 'الطريق'],
  persian: ['می\u200cخواهم', 'میخواهم', 'می خواهم', 'کتاب\u200cها', 'کتابها', 'کتابهای'],
  cjk: [
    '東京都庁',
    '東京都',
    '京都',
    '日本語',
    'カタカナ',
    'ｶﾀｶﾅ',
    'ひらがな',
    '한국어',
    '한국말',
    '\u1112\u1161\u11ab국어',
  ],
  greek: ['καλημέρα', 'καλημερα', 'ΚΑΛΗΜΕΡΑ', 'καλησπέρα', 'οδυσσέας', 'οδυσσέασ'],
  cyrillic: ['чайник', 'чаиник', 'чаи\u0306ник', 'Чайники', 'ёлочка', 'елочка', 'елочки'],
  latin: [
    'straße',
    'strasse',
    'STRASSE',
    'istanbul',
    'İstanbul',
    'ıstanbul',
    'naïveté',
    'nai\u0308vete\u0301',
    'naivete',
    'ﬁnance',
    'finance',
    'o\u2019clock',
    'clocks',
  ],
  emoji: ['👩‍👩‍👧‍👦', '🏳️‍🌈', '👍🏽', 'party🎉time', 'partytime', 'x\u{1d400}bold', '１２３４'],
} as const;

export const SCRIPT_NAMES = Object.keys(SCRIPTS) as (keyof typeof SCRIPTS)[];
