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
    list(`den Schlüssel, die Rechnung, das Fahrrad, den Kuchen, die Leiter, das Ersatzrad, den Bohrer, die
    Bücherkiste, das Geschenk, den Regenschirm, die Nähmaschine, das Klettergurtzeug, den Vertrag, die Steuererklärung,
    das Zugticket, den Apfelbaum, die Gießkanne, das Bücherregal, den Staubsauger, die Waschmaschine, das Sauerkraut,
    den Kartoffelsalat, die Marmelade, das Vollkornbrot, den Schlafsack, die Stirnlampe, das Zelt, den Wetterbericht,
    die Krankenversicherung, das Rezept, den Zahnarzttermin, die Überweisung, das Sparbuch, den Mietvertrag, die
    Hausordnung, das Treppenhaus, den Nachbarshund, die Straßenbahn, das Schwimmbad, den Weihnachtsbaum, die
    Plätzchendose, das Fotoalbum, den Großvater, die Tante, das Enkelkind, den Spielplatz, die Gärtnerei, das Gewächshaus,
    den Kompost, die Sonnenblume, das Vogelhaus, den Schneeschieber, die Handschuhe, das Wohnzimmer, den Teppich`),
  days: list('Montag, Dienstag, Mittwoch, Donnerstag, Freitag, Samstag, Sonntag'),
  sentences: [
    'Liebe Nora, ich habe {object} endlich gefunden, natürlich im Keller.',
    'Am {day} kommt {person} aus {place} und bringt {object} mit.',
    'Kannst du bitte {object} abholen, bevor der Laden ({street}) schließt?',
    'Wir haben gestern {object} repariert, und dein Vater hat natürlich {object} gesucht.',
    'Das Wetter ist scheußlich, aber gestern haben wir trotzdem {number} Kilometer geschafft.',
    'Vergiss nicht, {object} einzupacken, und ruf an, wenn du angekommen bist.',
    'Der Termin am {day} passt mir gut, ich nehme den Zug um {number} nach acht.',
    'Hast du schon {object} bezahlt? Die Mahnung mit der Nummer {code} liegt hier.',
    'Übrigens grüßt {person} herzlich und fragt, wann du wieder nach {place} kommst.',
    'Ich würde {object} lieber behalten und dafür {object} verschenken.',
    'Die Größe stimmt leider nicht, wir müssen {object} umtauschen.',
    'Ganz ehrlich: ohne {object} wäre der Abend langweilig gewesen.',
    'Bis {day}, ich freue mich!',
    'Frau Krüger aus dem dritten Stock sucht immer noch {object}.',
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
    list(`la cuerda, el pasaporte, las llaves, la paella, el regalo, la maleta, el coche, la factura, el contrato,
    las entradas, la guitarra, el horno, la lavadora, el paraguas, la bicicleta, el libro, la cámara, el perro,
    las naranjas, el aceite de oliva, la tortilla, el jamón, la sombrilla, la toalla, el billete de tren, la receta,
    el médico, la cita, las gafas, el cargador, la mochila, el mapa, la tienda de campaña, el despertador, la carta,
    el periódico, la novela, el cuadro, la alfombra, el sofá, la mesa, las sillas, el ventilador, la nevera`),
  days: list('lunes, martes, miércoles, jueves, viernes, sábado, domingo'),
  sentences: [
    'Cariño, no encuentro {object}, ¿lo dejaste en casa de {person}?',
    'El {day} llegamos a {place} y mi hermana nos deja {object}.',
    'Mañana compro {object}, hoy ya no me da tiempo.',
    'La abuela dice que traigas {object} y que comas más.',
    'Son {number} euros por noche, con {object} incluido.',
    '¿Has visto {object}? Estaba en la mesa de la cocina.',
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
    list(`la corde, le sac à dos, les chaussons, la tente, le topo, les dégaines, le casque, la voiture, le fromage,
    la baguette, le vin, les billets, le train, la facture, le contrat, l'appartement, la clé, le vélo, l'écharpe,
    les photos, le livre, la recette, le gâteau, la tarte aux pommes, le réchaud, l'échelle, la lampe frontale,
    le médecin, l'ordonnance, le chien, la chaussure gauche, le manteau, les gants, la carte, le guide, l'hôtel,
    la réservation, le musée, l'exposition, la fenêtre, le canapé, l'horloge, le café, la crème, les noisettes`),
  days: list('lundi, mardi, mercredi, jeudi, vendredi, samedi, dimanche'),
  sentences: [
    'Salut Nora, tu peux apporter {object} {day} ? Le mien est resté à {place}.',
    'On part {day} à huit heures, {person} conduit et je prends {object}.',
    "J'ai déjà réservé {object}, le numéro est {code}.",
    'Il pleut depuis {number} jours, alors on a rangé {object} et sorti {object}.',
    "La voie était magnifique, même si j'ai oublié {object} au sommet.",
    "Franchement, {object} était meilleur l'année dernière.",
    "N'oublie pas {object}, sinon on dort à la belle étoile.",
    'Le refuge près de {place} est complet, il reste {number} places en bas.',
    'Ça te dirait de dîner chez moi {day} ? Je prépare {object}.',
    "À très bientôt, je t'embrasse.",
    'Le mécanicien a enfin réparé {object}.',
  ],
};
