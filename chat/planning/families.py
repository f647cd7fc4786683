"""Words that speak of the same delicate thing, in both languages: who avoids one of them means them all.

Each family is a row of words, and of turns of two or three words. They are compared by their stems.
"""

_ROWS = (
    "father, dad, daddy, papa, stepfather, stepdad, pappa, far, farsa, farsan, fader, styvfar, styvpappa, "
    "old man",
    "mother, mum, mom, mummy, stepmother, stepmum, mamma, mor, morsa, morsan, moder, styvmor, styvmamma",
    "parents, parent, mum and dad, mom and dad, föräldrar, förälder, mamma och pappa",
    "sister, sis, stepsister, syster, syrra, syrran, systrar, lillasyster, storasyster",
    "brother, bro, stepbrother, bror, broder, brorsa, brorsan, bröder, lillebror, storebror",
    "divorce, divorced, separated, separation, split up, skilsmässa, skilda, skild, skildes, skilde sig, "
    "skilja sig, skiljas, skiljs, skilt sig, separerade, separation, gick isär",
    "death, die, died, dead, dying, deceased, funeral, buried, bury, grave, grief, passed away, lost his "
    "life, lost her life, död, döden, dö, dog, dött, avled, avliden, begravning, begravd, begravde, grav, "
    "sorg, gick bort, gått bort, somnade in",
    "alcohol, alcoholic, drunk, booze, wine, beer, vodka, whisky, liquor, sober, hungover, hangover, "
    "drank too much, drinking, alkohol, alkoholist, full på, berusad, fyllan, fylla, vin, öl, sprit, "
    "spriten, brännvin, nykter, bakfull, drack för mycket, supa, söp, super",
    "drugs, drug, cannabis, weed, cocaine, heroin, addict, addiction, overdose, droger, drog, narkotika, "
    "knark, knarka, hasch, missbruk, missbrukare, överdos",
    "weight, overweight, obese, fat, diet, dieting, calories, scales, lose weight, put on weight, kilos, "
    "vikt, vikten, övervikt, överviktig, tjock, fet, banta, bantar, diet, kalorier, vägde mig, väger mig, "
    "gå ner, gått upp, gått ner, kilo",
    "eating disorder, anorexia, bulimia, bingeing, purging, ätstörning, ätstörd, anorexi, bulimi, "
    "hetsäta, hetsäter, självsvält",
    "money, debt, debts, broke, rent, afford, loan, loans, poor, poverty, bankrupt, salary, bills, "
    "pengar, pengarna, skuld, skulder, råd med, ha råd, pank, hyra, hyran, lån, låna, lånade, fattig, "
    "fattigdom, konkurs, kronofogden, lön, räkningar, ekonomi",
    "exam, exams, examination, test, tests, finals, midterm, quiz, prov, provet, tenta, tentor, tentamen, "
    "examen, omprov, omtenta, slutprov",
    "grades, grade, marks, report card, failed, betyg, betygen, betyget, underkänd, underkänt, kuggade",
    "school, classroom, class, skola, skolan, klass, klassen, klassrum",
    "work, job, boss, colleague, office, unemployed, fired, laid off, jobb, jobbet, arbete, chef, chefen, "
    "kollega, kontoret, arbetslös, uppsagd, sparken",
    "cancer, tumour, tumor, chemo, chemotherapy, oncologist, oncology, leukaemia, leukemia, metastasis, "
    "tumör, tumörer, cellgift, cellgifter, strålbehandling, onkolog, leukemi, metastaser",
    "illness, disease, sick, diagnosis, hospital, sjukdom, sjuk, diagnos, sjukhus, sjukhuset",
    "ex, ex-boyfriend, ex-girlfriend, ex-husband, ex-wife, broke up, break up, breakup, dumped, exet, "
    "expojkvän, exflickvän, exman, exfru, gjorde slut, gjort slut, tog slut, dumpade, dumpad",
    "boyfriend, pojkvän, kille, killen, pojkvännen",
    "girlfriend, flickvän, tjej, tjejen, flickvännen",
    "war, bomb, bombs, bombing, soldier, soldiers, troops, invasion, refugee, fled, krig, kriget, bomber, "
    "bomberna, soldat, soldater, fronten, stupade, flykting, flydde, invasionen",
    "religion, religious, god, church, mosque, synagogue, pray, prays, prayer, bible, quran, faith, gud, "
    "religiös, kyrka, kyrkan, moské, moskén, synagoga, synagogan, be till, ber till, bön, bibeln, koranen",
    "politics, political, election, vote, party leader, government, politik, politisk, val, valet, rösta, "
    "regeringen, partiledare",
    "bullying, bully, bullied, teased, teasing, harassed, picked on, mobbning, mobbing, mobbad, mobbade, "
    "mobbar, mobba, retad, retade, trakasserad, trakasserier, utfryst, fryste ut, fryser ut",
    "violence, violent, hit, beaten, beat, abuse, abused, assault, våld, slog, slagen, misshandel, "
    "misshandlad, övergrepp, överfall",
    "self-harm, cutting, hurt myself, harm myself, självskada, självskadebeteende, skära mig, skar mig, "
    "skada mig",
    "suicide, suicidal, kill myself, självmord, ta livet, tog livet",
    "sex, sexual, porn, sexuell, sexuella, porr",
    "pregnancy, pregnant, miscarriage, abortion, gravid, graviditet, missfall, abort",
    "body, appearance, looks, ugly, kropp, kroppen, utseende, ful, fula",
    "grandmother, grandma, granny, gran, mormor, farmor",
    "grandfather, grandpa, grandad, morfar, farfar",
    "accident, crash, car crash, olycka, olyckan, krock, krocken, krockade",
    "dog, puppy, hund, hunden, valp, valpen",
    "cat, kitten, katt, katten, kattunge",
)
FAMILIES: tuple[tuple[str, ...], ...] = tuple(tuple(row.split(", ")) for row in _ROWS)
