import { toLatin1, type Variation, vary } from './variation.ts';

/** One purchase and one payment that came in, as banks of many countries write them, some of them without names of columns. */
export const worldBankVariations: readonly Variation[] = [
  ...vary(
    'bank-csv',
    'statement.csv',
    {
      'American Express in German':
        'Datum,Beschreibung,Karteninhaber,Konto #,Betrag,Weitere Details,Erscheint auf Ihrer Abrechnung als,Adresse,Stadt,PLZ,Land,Betreff\n15/04/2024,Shop,ANNA LEE,-12345,"1234,50",,SHOP,,,,,\'1\'\n02/04/2024,ZAHLUNG ERHALTEN. BESTEN DANK.,ANNA LEE,-12345,"-20,00",,ZAHLUNG,,,,,\'2\'\n',
      'American Express in Britain, where only paying the bill tells':
        'Date,Reference,Amount,Description\n15/04/2024,AT1,1234.50,SHOP\n02/04/2024,AT2,-20.00,PAYMENT RECEIVED - THANK YOU\n',
      'Citi, whose credits have a minus':
        'Status,Date,Description,Debit,Credit\nCleared,04/15/2024,"SHOP",1234.50,\nCleared,04/02/2024,"PAYMENT",,-20.00\n',
      NatWest:
        '\n\nDate, Type, Description, Value, Balance, Account Name, Account Number\n\n15/04/2024,POS,"\'SHOP",-1234.50,100.00,"\'ANNA","\'123456-12345678",\n02/04/2024,BAC,"\'BEN",20.00,1334.50,"\'ANNA","\'123456-12345678",\n',
      'Cash App':
        '"Transaction ID","Date","Transaction Type","Currency","Amount","Fee","Net Amount","Asset Type","Asset Price","Asset Amount","Status","Notes","Name of sender/receiver","Account"\n"a1","2024-04-15 10:00:00 EDT","Sent P2P","USD","-$1,234.50","$0","-$1,234.50","","","","PAYMENT SENT","x","Shop","Visa"\n"a2","2024-04-02 10:00:00 EDT","Received P2P","USD","$20","$0","$20","","","","PAYMENT DEPOSITED","y","Ben","Cash"\n',
      Venmo:
        'Account Statement - (@anna) ,,,,,,,,,,,,,,,,,,,,,\nAccount Activity,,,,,,,,,,,,,,,,,,,,,\n,ID,Datetime,Type,Status,Note,From,To,Amount (total),Amount (tip),Amount (tax),Amount (fee),Tax Rate,Tax Exempt,Funding Source,Destination,Beginning Balance,Ending Balance,Statement Period Venmo Fees,Terminal Location,Year to Date Venmo Fees,Disclaimer\n,,,,,,,,,,,,,,,,$100.00,,,,,\n,3001,2024-04-15T10:00:00,Payment,Complete,Lunch,Anna,Shop,"- $1,234.50",,0,,0,,Visa,,,,,Venmo,,\n,3002,2024-04-02T10:00:00,Payment,Complete,thx,Ben,Anna,+ $20.00,,0,,0,,,Venmo balance,,,,Venmo,,\n,,,,,,,,,,,,,,,,,$120.00,$0.00,,$0.00,"In case of errors"\n',
      'Revolut of old':
        'Completed Date ; Description ; Paid Out (EUR) ; Paid In (EUR) ; Exchange Out; Exchange In; Balance (EUR); Category; Notes\n15 Apr 2024 ; Shop  ; 1,234.50 ;  ;  ;  ; 100.00 ; shopping ; \n2 Apr 2024 ; Ben  ;  ; 20.00 ;  ;  ; 1,334.50 ; general ; \n',
      'Revolut in German':
        'Art,Produkt,Datum des Beginns,Datum des Abschlusses,Beschreibung,Betrag,Gebühr,Währung,Status,Kontostand\nKartenzahlung,Girokonto,2024-04-15 10:00:00,2024-04-15 12:00:00,Shop,-1234.50,0.00,EUR,ABGESCHLOSSEN,100.00\nAufladung,Girokonto,2024-04-02 10:00:00,2024-04-02 10:00:01,Ben,20.00,0.00,EUR,ABGESCHLOSSEN,1334.50\n',
      'RBC with a column for each currency':
        '"Account Type","Account Number","Transaction Date","Cheque Number","Description 1","Description 2","CAD$","USD$"\nChequing,12345-1234567,4/15/2024,,"SHOP","",-1234.50,,\nChequing,12345-1234567,4/2/2024,,"BEN","",20.00,,\n',
      Scotiabank:
        'Filter,Date,Description,Sub-description,Status,Type of Transaction,Amount\n,2024-04-15,SHOP,TORONTO,posted,Debit,1234.50\n,2024-04-02,BEN,,posted,Credit,20.00\n',
      'Raiffeisen in Switzerland':
        'IBAN;Booked At;Text;Credit/Debit Amount;Balance;Valuta Date\nCH00;2024-04-15 00:00:00.0;Shop;-1234.5;100;2024-04-15 00:00:00.0\nCH00;2024-04-02 00:00:00.0;Ben;20;1334.5;2024-04-02 00:00:00.0\n',
      PostFinance:
        'Datum von:;01.04.2024\nDatum bis:;30.04.2024\nBuchungsart:;Alle\nKonto:;CH00\nWährung:;CHF\n\nDatum;Bewegungstyp;Avisierungstext;Gutschrift in CHF;Lastschrift in CHF;Label;Kategorie\n15.04.2024;Buchung;"SHOP";;-1234.5;;\n02.04.2024;Buchung;"BEN";20;;;\n\nDisclaimer:;\nDies ist kein durch PostFinance AG erstelltes Dokument.\n',
      'La Banque Postale': toLatin1(
        'Num\u00e9ro Compte   ;1234567A\nType         ;CCP\nCompte tenu en  ;euros\nDate            ;30/04/2024\nSolde (EUROS)   ;100,00\nSolde (FRANCS)  ;655,96\n\nDate;Libell\u00e9;Montant(EUROS);Montant(FRANCS)\n15/04/2024;"ACHAT CB SHOP";-1234,50;-8097,79\n02/04/2024;"VIREMENT BEN";20,00;131,19\n',
      ),
      'OP in Finland': toLatin1(
        '"Kirjausp\u00e4iv\u00e4";"Arvop\u00e4iv\u00e4";"M\u00e4\u00e4r\u00e4 EUROA";"Laji";"Selitys";"Saaja/Maksaja";"Saajan tilinumero";"Saajan pankin BIC";"Viite";"Viesti";"Arkistointitunnus"\n2024-04-15;2024-04-15;-1234,50;162;PKORTTIMAKSU;Shop;;;;;A1\n2024-04-02;2024-04-02;+20,00;588;VIITESIIRTO;Ben;;;;;A2\n',
      ),
      'OTP in Hungary':
        'Könyvelés dátuma;Értéknap;Összeg;Devizanem;Egyenleg;Partner neve;Közlemény\n2024.04.15.;2024.04.15.;-1 234,50;HUF;100,00;Shop;x\n2024.04.02.;2024.04.02.;20,00;HUF;1 334,50;Ben;y\n',
      İşbank:
        'Tarih/Saat;Kanal/Şube;İşlem Tutarı*;Bakiye;Ek Hesap Kullanılabilir;İşlem;İşlem Tipi;Açıklama;Referans\n15/04/2024-10:00:00;X;-1.234,50;100,00;;Alışveriş;;Shop;1\n02/04/2024-10:00:00;X;20,00;1.334,50;;Havale;;Ben;2\n',
      'Leumi in Hebrew':
        "תאריך,תאריך ערך,תיאור,אסמכתא,בחובה,בזכות,היתרה בש'ח\n15/04/24,15/04/24,Shop,1,1234.50,,100.00\n02/04/24,02/04/24,Ben,2,,20.00,1334.50\n",
      'SMBC in Shift JIS': toLatin1(
        '\u0094N\u008c\u008e\u0093\u00fa,\u0082\u00a8\u0088\u00f8\u008fo\u0082\u00b5,\u0082\u00a8\u0097a\u0093\u00fc\u0082\u00ea,\u0082\u00a8\u008e\u00e6\u0082\u00e8\u0088\u00b5\u0082\u00a2\u0093\u00e0\u0097e,\u008ec\u008d\u0082,\u0083\u0081\u0083\u0082,\u0083\u0089\u0083x\u0083\u008b\n2024/4/15,1234.50,,\u0083V\u0083\u0087\u0083b\u0083v,100,,\n2024/4/2,,20,\u0083t\u0083\u008a\u0083R\u0083~ \u0083x\u0083\u0093,1334,,\n',
      ),
      'Rakuten in Shift JIS': toLatin1(
        '\u008e\u00e6\u0088\u00f8\u0093\u00fa,\u0093\u00fc\u008fo\u008b\u00e0(\u0089~),\u008ec\u008d\u0082(\u0089~),\u0093\u00fc\u008fo\u008b\u00e0\u0090\u00e6\u0093\u00e0\u0097e\n20240415,-1234.50,100,\u0083V\u0083\u0087\u0083b\u0083v\n20240402,20,1334,\u0083x\u0083\u0093\n',
      ),
      'Alipay in GB18030': toLatin1(
        '\u00d6\u00a7\u00b8\u00b6\u00b1\u00a6\u00bd\u00bb\u00d2\u00d7\u00bc\u00c7\u00c2\u00bc\u00c3\u00f7\u00cf\u00b8\u00b2\u00e9\u00d1\u00af\n\u00d5\u00cb\u00ba\u00c5:[a@example.org]\n\u00c6\u00f0\u00ca\u00bc\u00c8\u00d5\u00c6\u00da:[2024-04-01 00:00:00]    \u00d6\u00d5\u00d6\u00b9\u00c8\u00d5\u00c6\u00da:[2024-04-30 00:00:00]\n---------------------------------\u00bd\u00bb\u00d2\u00d7\u00bc\u00c7\u00c2\u00bc\u00c3\u00f7\u00cf\u00b8\u00c1\u00d0\u00b1\u00ed------------------------------------\n\u00bd\u00bb\u00d2\u00d7\u00ba\u00c5                  ,\u00c9\u00cc\u00bc\u00d2\u00b6\u00a9\u00b5\u00a5\u00ba\u00c5               ,\u00bd\u00bb\u00d2\u00d7\u00b4\u00b4\u00bd\u00a8\u00ca\u00b1\u00bc\u00e4              ,\u00b8\u00b6\u00bf\u00ee\u00ca\u00b1\u00bc\u00e4                ,\u00d7\u00ee\u00bd\u00fc\u00d0\u00de\u00b8\u00c4\u00ca\u00b1\u00bc\u00e4              ,\u00bd\u00bb\u00d2\u00d7\u00c0\u00b4\u00d4\u00b4\u00b5\u00d8     ,\u00c0\u00e0\u00d0\u00cd              ,\u00bd\u00bb\u00d2\u00d7\u00b6\u00d4\u00b7\u00bd            ,\u00c9\u00cc\u00c6\u00b7\u00c3\u00fb\u00b3\u00c6                ,\u00bd\u00f0\u00b6\u00ee\u00a3\u00a8\u00d4\u00aa\u00a3\u00a9   ,\u00ca\u00d5/\u00d6\u00a7     ,\u00bd\u00bb\u00d2\u00d7\u00d7\u00b4\u00cc\u00ac    ,\u00b7\u00fe\u00ce\u00f1\u00b7\u00d1\u00a3\u00a8\u00d4\u00aa\u00a3\u00a9   ,\u00b3\u00c9\u00b9\u00a6\u00cd\u00cb\u00bf\u00ee\u00a3\u00a8\u00d4\u00aa\u00a3\u00a9  ,\u00b1\u00b8\u00d7\u00a2                  ,\u00d7\u00ca\u00bd\u00f0\u00d7\u00b4\u00cc\u00ac     ,\n1\t,\t,2024-04-15 10:00:00 ,2024-04-15 10:00:00 ,2024-04-15 10:00:00 ,\u00c6\u00e4\u00cb\u00fb,\u00bc\u00b4\u00ca\u00b1\u00b5\u00bd\u00d5\u00cb\u00bd\u00bb\u00d2\u00d7,Shop,Einkauf,1234.50,\u00d6\u00a7\u00b3\u00f6      ,\u00bd\u00bb\u00d2\u00d7\u00b3\u00c9\u00b9\u00a6    ,0.00    ,0.00    ,\t,\u00d2\u00d1\u00d6\u00a7\u00b3\u00f6      ,\n2\t,\t,2024-04-02 10:00:00 ,2024-04-02 10:00:00 ,2024-04-02 10:00:00 ,\u00c6\u00e4\u00cb\u00fb,\u00bc\u00b4\u00ca\u00b1\u00b5\u00bd\u00d5\u00cb\u00bd\u00bb\u00d2\u00d7,Ben,Danke,20.00,\u00ca\u00d5\u00c8\u00eb      ,\u00bd\u00bb\u00d2\u00d7\u00b3\u00c9\u00b9\u00a6    ,0.00    ,0.00    ,\t,\u00d2\u00d1\u00ca\u00d5\u00c8\u00eb      ,\n------------------------------------------------------------------------------------\n\u00b9\u00b22\u00b1\u00ca\u00bc\u00c7\u00c2\u00bc\n',
      ),
      'WeChat Pay':
        '微信支付账单明细,,,,,,,,\n微信昵称：[Anna],,,,,,,,\n起始时间：[2024-04-01 00:00:00] 终止时间：[2024-04-30 23:59:59],,,,,,,,\n,,,,,,,,\n----------------------微信支付账单明细列表--------------------,,,,,,,,\n交易时间,交易类型,交易对方,商品,收/支,金额(元),支付方式,当前状态,交易单号,商户单号,备注\n2024-04-15 10:00:00,商户消费,Shop,"x",支出,¥1234.50,零钱,支付成功,"1\t","1\t","/"\n2024-04-02 10:00:00,转账,Ben,"/",收入,¥20.00,/,已存入零钱,"2\t","2\t","/"\n',
      'ČSOB in the letters of Windows': toLatin1(
        'Datum za\u00fa\u00e8tov\u00e1n\u00ed;\u00c8\u00e1stka;M\u00ecna;Z\u00f9statek;\u00c8\u00edslo \u00fa\u00e8tu proti\u00fa\u00e8tu;K\u00f3d banky;N\u00e1zev proti\u00fa\u00e8tu;Konstantn\u00ed symbol;Variabiln\u00ed symbol;Ozna\u00e8en\u00ed operace;Pozn\u00e1mka\n15.04.2024;-1234,50;CZK;100,00;1;0300;Shop;;;Platba kartou;\n02.04.2024;20,00;CZK;1334,50;2;0300;Ben;;;P\u00f8\u00edchoz\u00ed;\n',
      ),
      'ING in Poland in the letters of Windows': toLatin1(
        '"Lista transakcji";;;"ING Bank \u008cl\u00b9ski S.A."\n\n"Dokument nr 1";\n"Wygenerowany dnia: 2024-04-30"\n\n"Dane U\u00bfytkownika:"\n"ANNA"\n\n"Data transakcji";"Data ksi\u00eagowania";"Dane kontrahenta";"Tytu\u00b3";"Nr rachunku";"Nazwa banku";"Szczeg\u00f3\u00b3y";"Nr transakcji";"Kwota transakcji (waluta rachunku)";"Waluta";"Kwota blokady/zwolnienie blokady";"Waluta";"Kwota p\u00b3atno\u009cci w walucie";"Waluta";"Konto";"Saldo po transakcji";"Waluta"\n2024-04-15;2024-04-15;"Shop";"Zakup";;;TR.KART;\'1\';-1234,50;PLN;;;;;"KONTO";100,00;PLN\n2024-04-02;2024-04-02;"Ben";"Przelew";;;PRZELEW;\'2\';20,00;PLN;;;;;"KONTO";1334,50;PLN\n\n"Dokument ma charakter informacyjny"\n',
      ),
      'a Swedish card':
        'Datum;Specifikation;Ort;Valuta;Utl. belopp;Belopp\n2024-04-15;Shop;Stockholm;SEK;0;-1234,50\n2024-04-02;Betalning;;SEK;0;20,00\n',
      'a card of Nubank':
        'date,title,amount\n2024-04-15,Shop,1234.50\n2024-04-02,Pagamento recebido,-20.00\n',
      'no names: Wells Fargo':
        '"04/15/2024","-1234.50","*","","SHOP PURCHASE"\n"04/02/2024","20.00","*","","BEN TRANSFER"\n',
      'no names: CommBank':
        '15/04/2024,"-1234.50","SHOP SYDNEY","+100.00"\n02/04/2024,"+20.00","BEN","+1334.50"\n',
      'no names: HSBC': '15/04/2024,SHOP           ))),"-1,234.50"\n02/04/2024,BEN CR,20.00\n',
      'no names: TD': '04/15/2024,SHOP,1234.50,,100.00\n04/02/2024,BEN,,20.00,1334.50\n',
      'no names: CIBC':
        '2024-04-15,"SHOP TORONTO, ON",1234.50,,4500********1234\n2024-04-02,PAYMENT THANK YOU,,20.00,4500********1234\n',
      'no names: ABN AMRO':
        '123456789\tEUR\t20240415\t1334,50\t100,00\t20240415\t-1234,50\tBEA   NR:1  15.04.24/10.00 SHOP\n123456789\tEUR\t20240402\t1314,50\t1334,50\t20240402\t20,00\tSEPA Overboeking BEN\n',
      'no names: BAWAG':
        'AT00;"Shop POS 1";15.04.2024;15.04.2024;-1.234,50;EUR\nAT00;"Ben";02.04.2024;02.04.2024;+20,00;EUR\n',
      'no names below the balance: BNP': toLatin1(
        'Compte de ch\u00e8ques;Compte de ch\u00e8ques;****1234;30/04/2024;;100,00\n15/04/2024;Facture carte;Shop;FACTURE CARTE SHOP;;-1 234,50\n02/04/2024;Virement;Ben;VIR BEN;;20,00\n',
      ),
    },
    {
      transactions: [
        { date: '2024-04-15', amount: -1234.5 },
        { date: '2024-04-02', amount: 20 },
      ],
    },
  ),
  {
    name: 'the currency of the column, and who it was',
    format: 'bank-csv',
    files: {
      'zkb.csv':
        '"Datum";"Buchungstext";"Whg";"Betrag Detail";"ZKB-Referenz";"Referenznummer";"Belastung CHF";"Gutschrift CHF";"Valuta";"Saldo CHF";"Zahlungszweck";"Details"\n"15.04.2024";"Einkauf Shop";"";"";"Z1";"";"1234.50";"";"15.04.2024";"100.00";"";""\n"02.04.2024";"Gutschrift Ben";"";"";"Z2";"";"";"20.00";"02.04.2024";"1334.50";"";""\n',
    },
    has: {
      transactions: [
        { amount: -1234.5, currency: 'CHF' },
        { amount: 20, currency: 'CHF' },
      ],
    },
  },
  {
    name: 'Wise, where the name beside a payment that came in is the sender',
    format: 'bank-csv',
    files: {
      'wise.csv':
        'ID,Status,Direction,"Created on","Finished on","Source fee amount","Source fee currency","Target fee amount","Target fee currency","Source name","Source amount (after fees)","Source currency","Target name","Target amount (after fees)","Target currency","Exchange rate",Reference,Batch,"Created by",Category,Note\nCARD_TRANSACTION-1,COMPLETED,OUT,"2024-04-15 10:00:00","2024-04-15 10:00:00",0.00,EUR,,,Anna,1234.50,EUR,Shop,1234.50,EUR,1.0,,,Anna,Shopping,\nTRANSFER-2,COMPLETED,IN,"2024-04-02 10:00:00","2024-04-02 10:00:00",0.00,EUR,,,Ben,20.00,EUR,Anna,20.00,EUR,1.0,thx,,,,\n',
    },
    has: {
      transactions: [
        { merchant: 'Shop', currency: 'EUR' },
        { merchant: 'Ben', amount: 20 },
      ],
    },
  },
  {
    name: 'Payoneer, with who sent and who got it',
    format: 'bank-csv',
    files: {
      'payoneer.csv':
        'Transaction Date,Transaction Time,Time Zone,Transaction ID,Description,Credit Amount,Debit Amount,Currency,Status,Running Balance,Source,Target\n04/15/2024,12:31:46,UTC,1,Buy,,1234.5,USD,Completed,200,me,Shop\n04/02/2024,12:08:31,UTC,2,Get,20,,USD,Completed,300,Ben,me\n',
    },
    has: {
      transactions: [
        { merchant: 'Shop', amount: -1234.5 },
        { merchant: 'Ben', amount: 20 },
      ],
    },
  },
  {
    name: 'a card whose amounts are all purchases',
    format: 'bank-csv',
    files: {
      'pc.csv':
        '"Merchant Name","Card Used For Transaction","Date","Time","Amount"\n"Shop","**** 1234","04/15/2024","06:50 PM","36.33"\n',
    },
    has: { transactions: [{ merchant: 'Shop', amount: -36.33 }] },
  },
  {
    name: 'KBC, where a name is the owner and another the counterparty',
    format: 'bank-csv',
    files: {
      'kbc.csv':
        'Rekeningnummer;Rubrieknaam;Naam;Munt;Afschriftnummer;Datum;Omschrijving;Valuta;Bedrag;Saldo;credit;debet;rekeningnummer tegenpartij;BIC tegenpartij;Naam tegenpartij;Adres tegenpartij;gestructureerde mededeling;Vrije mededeling\nBE00;;ANNA;EUR;1;15/04/2024;BETALING;15/04/2024;-1234,50;100,00;;-1234,50;;;Shop;;;\nBE00;;ANNA;EUR;1;02/04/2024;OVERSCHRIJVING;02/04/2024;20,00;1334,50;20,00;;BE11;;Ben;;;\n',
    },
    has: { transactions: [{ merchant: 'Shop' }, { merchant: 'Ben' }] },
  },
  {
    name: 'a clock with the zone in a column of its own',
    format: 'bank-csv',
    files: {
      'paypal.csv':
        '"Date","Time","Time Zone","Description","Currency","Gross","Fee","Net","Balance","Transaction ID","Name"\n"15/04/2024","10:00:00","America/Los_Angeles","Payment","USD","-12.50","0.00","-12.50","1.00","T1","Shop"\n"16/04/2024","10:00:00","America/Los_Angeles","Payment","USD","2.50","0.00","2.50","3.50","T2","Ben"\n',
    },
    has: { transactions: [{ booked_at: '2024-04-15T17:00:00Z' }, {}] },
  },
];
