import type { Variation } from './variation.ts';

/** What files of the known formats looked like that were found in public places. */
export const gatheredVariations: readonly Variation[] = [
  {
    name: 'names with the marks that Hebrew has inside of words, and with a nickname',
    format: 'whatsapp',
    files: {
      '_chat.txt':
        '[15.1.2024, 9:41:00] ד"ר כהן: שלום\n[15.1.2024, 9:42:00] Bo "Bobby" Lee: Yes <ההודעה נערכה>\n[15.1.2024, 9:43:00] Anna changed the subject to "Rome: in May"\n',
    },
    has: {
      messages: [
        { sender: 'ד"ר כהן', text: 'שלום', kind: 'message' },
        { sender: 'Bo "Bobby" Lee', text: 'Yes', is_edited: true },
        { kind: 'system', text: 'Anna changed the subject to "Rome: in May"' },
      ],
    },
  },
  {
    name: 'quotes in what others wrote',
    format: 'x',
    files: {
      'like.js':
        'window.YTD.like.part0 = [{"like":{"tweetId":"11","fullText":"He says &quot;it&#39;s &amp;lt; 3&quot;"}}]',
    },
    has: { likes: [{ id: '11', text: 'He says "it\'s &lt; 3"' }] },
  },
  {
    name: 'a thread that names neither people nor itself',
    format: 'facebook',
    files: {
      'family.json':
        '{"messages":[{"sender_name":"Bo","timestamp_ms":1705308060123,"content":"Hi","type":"Generic"}]}',
    },
    has: { messages: [{ chat: 'family', sender: 'Bo' }], chats: [{ name: 'family' }] },
  },
  {
    name: 'stars that a program has made shorter',
    format: 'github',
    files: {
      'stars.json':
        '[{"id":1,"name":"lamp","full_name":"bo/lamp","description":"Light","starred_at":"2024-01-15T08:41:00Z","private":false}]',
    },
    has: { stars: [{ name: 'bo/lamp', starred_at: '2024-01-15T08:41:00Z' }] },
  },
  {
    name: 'a list of few columns',
    format: 'goodreads',
    files: {
      'books.csv': 'Book Id,Title,Author,Date Added,Date Read\n1,Book One,Ann,2024/01/15,\n',
    },
    has: { books: [{ id: '1', title: 'Book One', added_on: '2024-01-15' }] },
  },
  {
    name: 'lists in lists, of which none names the columns',
    format: 'generic',
    files: {
      'steps.json': '[["2024-01-15T08:41:00+00:00","Anna"],["2024-01-16T08:41:00+00:00","Bo"]]',
    },
    has: {
      rows: [
        { column_1: '2024-01-15T08:41:00Z', column_2: 'Anna' },
        { column_1: '2024-01-16T08:41:00Z', column_2: 'Bo' },
      ],
    },
  },
  {
    name: 'a table without names of columns, whose times are written with a T',
    format: 'generic',
    files: { 'log.csv': '2024-01-15T08:41:00Z,Anna,home\n2024-01-16T08:41:00Z,Bo,away\n' },
    has: { rows: [{ column_2: 'Anna' }, { column_2: 'Bo' }] },
  },
  {
    name: 'Knab, where a letter says which way the money went',
    format: 'bank-csv',
    files: {
      'knab.csv':
        'KNAB EXPORT;;;;;;;;;\nRekeningnummer;Transactiedatum;Valutacode;CreditDebet;Bedrag;Tegenrekeningnummer;Tegenrekeninghouder;Valutadatum;Betaalwijze;Omschrijving;\n"NL99KNAB9999999999";"15-04-2024";"EUR";"D";"827,75";"FR9999999999999999999999999";"Gert Jansen";"15-04-2024";"Overboeking";"Dak";\n"NL99KNAB9999999999";"16-04-2024";"EUR";"C";"20";"99999999";"Ben";"16-04-2024";"Ontvangen betaling";"";\n',
    },
    has: {
      transactions: [
        { merchant: 'Gert Jansen', description: 'Dak', amount: -827.75, currency: 'EUR' },
        { merchant: 'Ben', amount: 20 },
      ],
    },
  },
  {
    name: 'a column of any name that says which way the money went',
    format: 'bank-csv',
    files: {
      'bank.csv':
        'Date,Description,Amount,Balance,Zzz\n2024-04-15,Shop,5.00,10.00,D\n2024-04-16,Ben,7.00,17.00,C\n',
    },
    has: { transactions: [{ amount: -5 }, { amount: 7 }] },
  },
  {
    name: 'Swedbank in Lithuania, with balances and sums among the payments',
    format: 'bank-csv',
    files: {
      'swedbank.csv':
        '"Sąskaitos Nr.","","Data","Gavėjas","Paaiškinimai","Suma","Valiuta","D/K","Įrašo Nr.","Kodas",\n"LT797300010000000000","10","2024-04-01","","Likutis pradžiai","2123.82","EUR","K","","AS",\n"LT797300010000000000","20","2024-04-15","Shop","Pirkinys","14.34","EUR","D","1","K",\n"LT797300010000000000","20","2024-04-16","Company","Salary","1600.00","EUR","K","2","MK",\n"LT797300010000000000","82","2024-04-30","","Apyvarta","806.52","EUR","D","","K2",\n',
    },
    has: {
      transactions: [
        { merchant: 'Shop', amount: -14.34 },
        { merchant: 'Company', amount: 1600 },
      ],
    },
  },
  {
    name: 'Revolut of 2018, where a reference is all that is said',
    format: 'bank-csv',
    files: {
      'revolut.csv':
        'Completed Date ; Reference ; Paid Out (EUR) ; Paid In (EUR) ; Exchange Out; Exchange In; Balance (EUR); Category\nApr 8, 2024 ; Shop A  ; 11.00 ;  ;  ;  ; 189.10; utilities\nApr 2, 2024 ; Top-Up by *1234  ;  ; 200.00 ;  ;  ; 418.94; general\n',
    },
    has: {
      transactions: [
        { merchant: 'Shop A', amount: -11 },
        { merchant: 'Top-Up by *1234', amount: 200 },
      ],
    },
  },
  {
    name: 'ASN, which names no columns and leaves many empty',
    format: 'bank-csv',
    files: {
      'asn.csv':
        '17-04-2024,NL00ASNB9999999999,NL99ASNB0000000000,Bakery Jansen,,,,EUR,130.44,EUR,223.77,17-04-2024,NGM,51,,,26\n17-04-2024,NL00ASNB9999999999,NL11ABNA0000000000,Card Services B V,,,,EUR,354.21,EUR,-200.00,17-04-2024,IDM,52,,Betaling van de rekening van april,26\n25-04-2024,NL00ASNB9999999999,,,,,,EUR,154.21,EUR,-2.20,25-04-2024,MSC,53,,Kosten gebruik betaalrekening,26\n',
    },
    has: {
      transactions: [
        { merchant: 'Bakery Jansen', amount: 223.77 },
        { merchant: 'Card Services B V', description: 'Betaling van de rekening van april', amount: -200 },
        { merchant: 'Kosten gebruik betaalrekening', amount: -2.2 },
      ],
    },
  },
  {
    name: 'a dot after the time',
    format: 'whatsapp',
    files: { 'chat.txt': '2024/01/15, 9:41. - Anna: Hi there\n2024/01/15, 9:42. - Bo: Yes\n' },
    has: {
      messages: [
        { sender: 'Anna', sent_at: '2024-01-15T08:41:00Z' },
        { sender: 'Bo', text: 'Yes' },
      ],
    },
  },
  {
    name: 'what was on the account before and at the beginning of one day, and a bank that pays',
    format: 'camt',
    files: {
      'camt.xml':
        '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt><Acct><Id><IBAN>CH2801234000123456789</IBAN></Id></Acct><Bal><Tp><CdOrPrtry><Cd>PRCD</Cd></CdOrPrtry></Tp><Amt Ccy="CHF">2.02</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2024-04-01</Dt></Dt></Bal><Bal><Tp><CdOrPrtry><Cd>OPBD</Cd></CdOrPrtry></Tp><Amt Ccy="CHF">1.01</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2024-04-01</Dt></Dt></Bal><Ntry><Amt Ccy="CHF">8.85</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2024-04-15</Dt></BookgDt><NtryDtls><TxDtls><RltdPties><Dbtr><Agt><FinInstnId><Nm>Harbour Bank</Nm></FinInstnId></Agt></Dbtr></RltdPties></TxDtls></NtryDtls></Ntry></Stmt></BkToCstmrStmt></Document>',
    },
    has: {
      balances: [
        { kind: 'previous', amount: 2.02 },
        { kind: 'opening', amount: 1.01 },
      ],
      transactions: [{ merchant: 'Harbour Bank', amount: 8.85 }],
    },
  },
  {
    name: 'a group of 2022, whose messages have no kind',
    format: 'instagram',
    files: {
      'message_1.json':
        '{"participants":[{"name":"Anna"},{"name":"Bo"}],"messages":[{"sender_name":"Bo","timestamp_ms":1646025943621,"content":"Hi"}],"title":"Trip","thread_type":"RegularGroup","thread_path":"inbox/trip_1"}',
    },
    has: { messages: [{ sender: 'Bo', chat: 'Trip' }] },
  },
  {
    name: 'a zone that begins on a day, and blanks between the days of a rule',
    format: 'calendar',
    files: {
      'court.ics':
        'BEGIN:VCALENDAR\nBEGIN:VTIMEZONE\nTZID:UTC+11\nBEGIN:STANDARD\nDTSTART;VALUE=DATE:20170101\nTZOFFSETFROM:+1100\nTZOFFSETTO:+1100\nEND:STANDARD\nEND:VTIMEZONE\nBEGIN:VEVENT\nUID:1\nSUMMARY:Court 4\nDTSTART;TZID=UTC+11:20240115T230000\nRRULE:FREQ=WEEKLY;BYDAY=MO, TU\nEND:VEVENT\nEND:VCALENDAR\n',
    },
    has: {
      events: [{ starts_at: '2024-01-15T12:00:00Z', repeats: 'every week on Monday and Tuesday' }],
    },
  },
  {
    name: 'lines with a comma and no seconds, in which the owner has a name',
    format: 'signal',
    files: {
      'Anna/chat.md': '[2024-01-15, 09:41] Anna: Hello\n[2024-01-15, 09:42] Bo: Hi\n',
    },
    has: {
      messages: [
        { sender: 'Anna', sent_at: '2024-01-15T08:41:00Z' },
        { sender: 'Bo', text: 'Hi' },
      ],
    },
  },
  {
    name: 'a group of an iPhone, which is none of its people',
    format: 'whatsapp',
    files: {
      '_chat.txt':
        '[15.01.24, 09:41:00] Trip: \u200eMessages and calls are end-to-end encrypted.\n[15.01.24, 09:42:00] Anna: Hi\n[15.01.24, 09:43:00] Bo: \u200eimage omitted\n',
    },
    has: {
      messages: [{ kind: 'system' }, { sender: 'Anna' }, { sender: 'Bo', kind: 'media' }],
      chats: [{ name: 'Trip', participants: ['Anna', 'Bo'] }],
    },
  },
];
