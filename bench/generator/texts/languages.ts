/** A language other than English: its own sentences, and things with their article as an object. */
export interface Language {
  key: string;
  subjects: string[];
  objects: string[];
  days: string[];
  sentences: string[];
}

/** A list written with commas, since these items contain spaces. */
function list(text: string): string[] {
  return text.split(',').map((item) => item.trim().replace(/\s+/g, ' '));
}

export const german: Language = {
  key: 'de',
  subjects:
    list(`Sonntagsessen, Dein Paket ist da, Heizungsablesung am {day}, Kommst du am {day}?, Fotos vom Garten,
    Nebenkostenabrechnung {code}, Schöne Grüße aus {place}, Der Schlüssel, Geburtstag von {person}, Rückfrage`),
  objects:
    list(`den Rucksack, die Stirnlampe, das Zelt, den Schlafsack, die Regenjacke, das Fernglas, den Kocher, die Kamera,
    den Regenschirm, die Luftpumpe, das Fahrradlicht, den Wanderstock, die Thermoskanne, das Taschenmesser,
    den Kletterhelm, die Reisetasche, das Klettergurtzeug, den Bohrer, die Nähmaschine, das Ersatzrad, den Campingstuhl,
    die Hängematte, das Schlauchboot, den Picknickkorb, die Bettdecke, das Kofferradio, den Fahrradhelm, die Tischlampe,
    das Teeservice`),
  days: list('Montag, Dienstag, Mittwoch, Donnerstag, Freitag, Samstag, Sonntag'),
  sentences: [
    'Stell dir vor, ich habe {object} endlich gefunden, natürlich im Keller.',
    'Am {day} kommt {person} aus {place} und bringt {object} mit.',
    'Kannst du bitte {object} abholen, bevor der Laden ({street}) schließt?',
    'Wir haben gestern {object} repariert, und dein Vater hat dabei {object} wiedergefunden.',
    'Das Wetter ist scheußlich, aber gestern haben wir trotzdem {number} Kilometer geschafft.',
    'Vergiss nicht, {object} einzupacken, und ruf an, wenn du angekommen bist.',
    'Der Termin am {day} passt mir gut, ich sitze im Zug um acht in Wagen {number}.',
    'Hast du schon {object} bezahlt? Die Mahnung mit der Nummer {code} liegt hier.',
    'Übrigens grüßt {person} herzlich und fragt, wann du wieder nach {place} kommst.',
    'Ich würde {object} lieber behalten und dafür {object} verschenken.',
    'Im Laden waren sie freundlich, wir können {object} umtauschen.',
    'Ganz ehrlich: ohne {object} wären wir nicht weit gekommen.',
    'Bis {day}, ich freue mich!',
    'Frau Krüger aus dem dritten Stock hat uns {object} geliehen.',
  ],
};

/** What offices and clubs write. */
export const germanNotice: Language = {
  key: 'de_notice',
  subjects:
    list(`Ihre Rechnung {code}, Terminerinnerung für {day}, Wichtige Mitteilung, Ablesung der Zähler am {day},
    Einladung zur Mitgliederversammlung, Ihre Unterlagen, Änderung der Öffnungszeiten, Leihfrist endet am {day}`),
  objects:
    list(`den Antrag, die Bescheinigung, das Formular, den Ausweis, die Versichertenkarte, das Passfoto, den Vertrag,
    die Kontonummer, das Aktenzeichen, den Nachweis, die Quittung, das Schreiben`),
  days: list('Montag, Dienstag, Mittwoch, Donnerstag, Freitag'),
  sentences: [
    'Sehr geehrte Frau Keller, wir haben {object} erhalten und unter der Nummer {code} abgelegt.',
    'Bitte reichen Sie {object} bis {day} nach.',
    'Der Betrag von {number} Euro wird am {day} von Ihrem Konto abgebucht.',
    'Unser Büro ({street}) ist am {day} wegen einer Fortbildung geschlossen.',
    'Für die Begehung am {day} benötigen wir Zugang zu Ihrer Wohnung und zum Keller.',
    'Die entliehenen Bücher können {small} Wochen verlängert werden, sofern keine Vormerkung besteht.',
    'Bei Rückfragen erreichen Sie {rare} unter der Durchwahl {number}.',
    'Gemäß der Satzung leistet jedes Mitglied {number} Stunden Gemeinschaftsarbeit im Jahr.',
    'Mit freundlichen Grüßen',
  ],
};

export const spanish: Language = {
  key: 'es',
  subjects:
    list(`La cena del {day}, Fotos de {place}, ¿Vienes el {day}?, Noticias de casa, El cumpleaños de {person},
    Billetes para {place}, Lo del piso, Una pregunta rápida`),
  objects:
    list(`la cuerda, el paraguas, la mochila, el mapa, la tienda de campaña, el ventilador, la cámara, la sombrilla,
    la toalla, el cargador, la guitarra, la maleta, la linterna, el saco de dormir, la bicicleta, la guía, el termo,
    la manta, el chubasquero, la nevera portátil`),
  days: list('lunes, martes, miércoles, jueves, viernes, sábado, domingo'),
  sentences: [
    'No encuentro {object}, ¿crees que está en casa de {person}?',
    'El {day} llegamos a {place} y mi hermana nos deja {object}.',
    'Mañana compro {object}, hoy ya no me da tiempo.',
    'La abuela dice que traigas {object}, porque va a refrescar.',
    'Son {number} euros por noche, y nos prestan {object}.',
    '¿Has visto {object}? Ayer lo dejé todo en la mesa de la cocina.',
    'Al final cambiamos {object} por {object}, mucho mejor.',
    'El niño aprendió a nadar y ahora no quiere salir del agua.',
    'Te mando la reserva {code}; guarda {object} por si acaso.',
    'En {place} hizo un calor terrible, pero {object} nos salvó la tarde.',
    'Nos vemos el {day}, un abrazo muy fuerte.',
    'Perdona el retraso, tenía que arreglar {object} antes de salir.',
  ],
};

export const french: Language = {
  key: 'fr',
  subjects:
    list(`Le week-end à {place}, On grimpe {day} ?, Photos de la sortie, Le dîner de {day}, Une petite question,
    Le train pour {place}, Anniversaire de {person}`),
  objects:
    list(`la corde, le sac à dos, la tente, le topo, le casque, le réchaud, la lampe frontale, le sac de couchage,
    la gourde, le matelas, la carte, la thermos, le sac à magnésie, la veste de pluie, le couteau, la trousse de secours`),
  days: list('lundi, mardi, mercredi, jeudi, vendredi, samedi, dimanche'),
  sentences: [
    'Salut, tu peux apporter {object} {day} ? Mes affaires sont restées à {place}.',
    'On part {day} à huit heures, {person} conduit et je prends {object}.',
    "J'ai commandé {object}, le numéro est {code}.",
    'Il pleut depuis {number} heures, alors on a rangé {object} et sorti {object}.',
    "La voie était magnifique, même si j'ai oublié {object} au sommet.",
    'Franchement, sans {object} on ne serait pas arrivés.',
    "N'oublie pas {object}, sinon on dort à la belle étoile.",
    'Le refuge près de {place} est complet, il reste {number} places en bas.',
    'Ça te dirait de dîner chez moi {day} ? Je te rends {object}.',
    "À très bientôt, je t'embrasse.",
    'Le mécanicien a enfin réparé {object}.',
  ],
};
