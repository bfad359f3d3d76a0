# The same of worlds alone.

script-answers-refused = las reglas del mundo lo rechazan
script-answers-too-many-wallets = en este mundo no cabe otro monedero
script-answers-too-many-seated = no caben más bots en este mundo
script-answers-unfit = en un mundo un bot empieza de nuevo cada minuto, y el inicio de este falla o gasta más combustible del que tiene un turno
script-answers-no-such-bot = no tienes ningún bot con este nombre que juegue a Life2, ni viene con la arena ningún rival que se llame así
script-answers-sign-in = para esto hace falta una cuenta
script-answers-no-base = no hay ninguna base
script-answers-no-such-slot = los lugares van del 1 al 9
