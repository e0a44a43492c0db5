/** Names that every JavaScript object answers to, and names that look like them. */
export const prototypeKeys = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
  '__defineGetter__',
];

const LONE_HIGH = '\ud83d';
const LONE_LOW = '\ude00';

/** Strings that mean something to some layer below: none of them may get there as more than text. */
export const hostileStrings: Record<string, string> = {
  ...Object.fromEntries(prototypeKeys.map((key) => [key, key])),
  'SQL that ends a string': "zq'; DROP TABLE records; --",
  'SQL that widens': "zq' OR '1'='1",
  'SQL union': "zq') UNION SELECT token_hash FROM tokens--",
  'a quoted identifier': 'zq"."data',
  'a JSON path': '$."secret"',
  'a column of ours': 'stream_id',
  'another column of ours': 'token_hash',
  'FTS column filter': 'c0 : zqword',
  'FTS near': 'NEAR(zqone zqtwo, 5)',
  'FTS operators': 'zqone AND NOT (zqtwo OR *) ^ "',
  'FTS unbalanced quotes': '"zqone "" *"',
  'a glob': '*',
  'a like pattern': '%zq_%',
  'NUL alone': '\0',
  'NUL inside': 'zq\0notes',
  'half a character': `zq${LONE_HIGH}`,
  'the other half': `${LONE_LOW}zq`,
  'control characters': 'zq\u0001\u001b[31m\u202e\u2066',
  'tag characters': 'zq\u{e0041}\u{e0042}',
  emoji: 'zq👩‍👩‍👧‍👦🏳️‍🌈',
  'percent escapes': 'zq%00%2f%2e%2e%ff%zz',
  'a path': '../../../../etc/passwd',
  'a script': '<script>zq()</script><mark>',
  'a template': '{{zq}}<%= zq %>',
  'only spaces': '   ',
  'a hundred kilobytes': `zqlong${'q'.repeat(100_000)}`,
  'a hundred kilobytes of emoji': `zq${'👩'.repeat(25_000)}`,
  'many words': Array.from({ length: 5_000 }, (_, index) => `zq${index}`).join(' '),
};

/** What a driver, a parser or the runtime would say. It belongs in the log. */
export const INSIDE_WORDS =
  /SQLITE|sqlite|fts5|no such column|syntax error|malformed MATCH|unterminated|node_modules|\/src\/|\.ts:\d|\bat [\w.<]+ \(|TypeError|RangeError|SyntaxError|ZodError|URIError|undefined is not|Cannot read|unexpected token/;
