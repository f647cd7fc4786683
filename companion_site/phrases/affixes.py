"""What stands before or after a name in a word, is listed as a word too, and yet makes no compound with it."""

from companion_site.language import Language

_EN_FRONTS = (
    "and app are but can chan con cor dis end for from had has her him his inter its mar men mis not off our out over par per post "
    "pre pro ref rein self she son sub super sup sur than that the then they this too trans under uni was were with you your"
)
_EN_BACKS = (
    "able acre acres age ages ally all ance ant ary ate ded end ent ered ers ess est for ful gen get ial ian ible ics ine ing ings ion ions "
    "ish ism isms ist ists ity ive ize less let lets ling lings ment ments mon ness ous out over rally rate rated rates rating self sion some "
    "son ster tan ted ten ter ters than the tic tics tion tions ton tor ual ward wards wise with"
)
_SV_FRONTS = (
    "ade and att bar con den der det dis eller ens era ett för fören han har hen hon inom inte kom kon man med men min mis mot när "
    "och oss per pre pro sam ska sub trans uni var ver via"
)
_SV_BACKS = (
    "ade age ana and ande andet anden ang angen anger are aren arna ast att bar bara bart den der des det dom dome domen ell ella ellt else elsen end ende ens "
    "ent era eras erat erna ers est för han har hen het heten heter hon hur ical iga ige igen igt ika ing ingar ingen inte ion ionen "
    "isk iska iskt ism ismen ist isten ister lar ler lig liga ligen ligt ling lingar men min nad nar nas nat ner ning ningar ningen "
    "nings och oss rar ras rat ren res ska skap ten ter tern tion tionen tioner tionär tionärer var ver"
)

#: No first part of a compound: prefixes, small words, and bits of words that the lists happen to have.
NO_FRONTS: dict[Language, frozenset[str]] = {
    "en": frozenset(_EN_FRONTS.split()),
    "sv": frozenset(_SV_FRONTS.split()),
}
#: No last part of a compound: suffixes and endings.
NO_BACKS: dict[Language, frozenset[str]] = {
    "en": frozenset(_EN_BACKS.split()),
    "sv": frozenset(_SV_BACKS.split()),
}
