own-look-at-it = Verla
own-play-on = Seguir
own-against = contra { $against }
own-a-person = una persona
